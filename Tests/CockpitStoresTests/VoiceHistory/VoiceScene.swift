import ClankyWire
import Foundation
import Testing

@testable import CockpitStores

/// A voice session made up row by row, at times in ms from its beginning.
@MainActor
final class VoiceScene {
  let activity = ActivityStore()
  let voice = VoiceStore()
  let session: String
  private(set) var facts: [Fact] = []

  static let bot = "900"
  static let channel = "77"

  init(session: String = "s-1") { self.session = session }

  /// Adds a row; `kind` is taken from the name for those that have one of their own.
  func add(
    _ at: Int, _ name: String, by user: String? = bot, _ details: [String: Any] = [:],
    kind: String? = nil, cost: String? = nil
  ) {
    var details = details
    if details["sessionId"] == nil { details["sessionId"] = session }
    let kinds = [
      "voice_activity_started": "voice_turn_in", "bot_audio_started": "voice_turn_out",
      "realtime_tool_call_failed": "voice_error", "response_silent_fallback": "voice_error",
      "realtime_generation_failed": "voice_error",
    ]
    let data = try? JSONSerialization.data(withJSONObject: details, options: [.sortedKeys])
    facts.append(
      Fact(
        id: 1000 + facts.count, timeMs: startMs + Int64(at),
        kind: kind ?? kinds[name] ?? "voice_runtime",
        content: name, user: user, channel: Self.channel,
        metadata: String(decoding: data ?? Data(), as: UTF8.self), cost: cost))
  }

  /// A user speaks, and is understood.
  func speech(
    _ at: Int, by user: String, _ words: String, length: Int = 1000, item: String? = nil
  ) {
    let item = item ?? "item_\(user)_\(at)"
    add(at, "voice_activity_started", by: user, ["promotionReason": "server_vad_confirmed"])
    add(
      at + length, "voice_turn_finalized", by: user, ["reason": "stream_end", "durationMs": length])
    let partial = String(words.prefix(words.count / 2))
    add(
      at + length + 50, "openai_realtime_asr_partial_segment", by: user,
      ["transcript": partial, "itemId": item, "speakerName": "name\(user)"])
    add(
      at + length + 250, "openai_realtime_asr_final_segment", by: user,
      ["transcript": words, "itemId": item, "speakerName": "name\(user)"])
  }

  func addressing(
    _ at: Int, by user: String, _ words: String, allow: Bool, reason: String = "generation_decides",
    _ more: [String: Any] = [:]
  ) {
    var details: [String: Any] = [
      "allow": allow, "reason": reason, "heard": words, "directAddressed": allow,
      "talkingTo": "ME", "directedConfidence": 0.92, "source": "realtime",
      "captureReason": "stream_end", "queueWaitMs": 3,
    ]
    details.merge(more) { $1 }
    add(at, "voice_turn_addressing", by: user, details)
  }

  func prepare(_ at: Int, by user: String) {
    add(
      at, "voice_generation_prep_stage", by: user,
      ["source": "realtime", "stage": "soundboard_candidates", "state": "start"])
  }

  func request(_ at: Int, _ id: Int, _ text: String, to name: String? = nil) {
    var details: [String: Any] = ["requestId": id, "replyText": text, "source": "realtime"]
    details["talkingTo"] = name
    add(at, "realtime_reply_requested", details)
  }

  func latency(_ at: Int, _ id: Int, _ stages: [Int?], source: String = "realtime") {
    var details: [String: Any] = [
      "stage": "audio_started", "requestId": id, "source": source, "queueWaitMs": 3,
      "captureReason": "stream_end", "pendingQueueDepth": 0,
    ]
    let keys = [
      "finalizedToAsrStartMs", "asrToGenerationStartMs", "generationToReplyRequestMs",
      "replyRequestToAudioStartMs",
    ]
    for (key, value) in zip(keys, stages) { details[key] = value.map { $0 as Any } ?? NSNull() }
    add(at, "voice_latency_stage", details)
  }

  func completed(_ at: Int, _ id: Int, playback: Int = 1200, _ more: [String: Any] = [:]) {
    var details: [String: Any] = [
      "requestId": id, "source": "realtime:stream_chunk_0", "hadAudio": true,
      "hadBargeSuppression": false, "estimatedPlaybackMs": playback,
    ]
    details.merge(more) { $1 }
    add(at, "bot_utterance_completed", details)
  }

  /// A whole answer after a go-ahead at `at`.
  func answer(_ at: Int, to user: String, _ id: Int, _ text: String) {
    prepare(at + 10, by: user)
    request(at + 900, id, text)
    latency(at + 1100, id, [10, 20, 880, 200])
    add(at + 1105, "bot_audio_started")
    completed(at + 1400, id)
  }

  /// All that was added, as live rows in this order.
  @discardableResult
  func play(_ order: [Fact]? = nil) throws -> VoiceSessionRecord {
    for fact in order ?? facts {
      try Array(fact.live.utf8).withUnsafeBytes { bytes in
        _ = try activity.applyLive(bytes, from: .voice, nowMs: startMs)
      }
      voice.follow(activity.log)
    }
    return try #require(voice.record(session))
  }

  var end: Int64 { (facts.map(\.timeMs).max() ?? startMs) + 1000 }
}

@MainActor
extension VoiceSessionRecord {
  /// What does not depend on ids.
  var outline: [String] {
    turns.map { turn in
      "\(turn.startedAt - startMs) \(turn.speakerID ?? "-") \(turn.outcome) \(turn.reason ?? "-") "
        + "'\(turn.words)' > '\(turn.reply ?? "-")' tools \(turn.tools.map(\.name)) "
        + "total \(turn.latency?.totalMs ?? -1)"
    }
  }

  /// Every event is in exactly the lane that its name belongs to.
  func checkLanes() {
    var seen: Set<VoiceEvent.ID> = []
    for lane in Lane.allCases {
      for block in blocks(in: lane) {
        #expect(block.lane == lane)
        #expect(block.end.map { $0 >= block.start } ?? true)
        #expect(!block.events.isEmpty)
        seen.formUnion(block.events)
      }
    }
    #expect(seen == Set(events.map(\.id)))
    for event in events where event.lane != .other {
      #expect(Lane(name: event.name, kind: event.kind) == event.lane)
    }
  }
}
