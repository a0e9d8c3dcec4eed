internal import ClankyWire

/// Groups the events of a session into blocks of lanes, event by event, in order. Every event
/// becomes part of a block or a moment.
struct LaneBuilder {
  private var blocks = NumberedList<LaneBlock>()
  /// Open blocks, by what ends them.
  private var open: [Key: Int] = [:]
  /// Approved turns whose generation has not started yet.
  private var allowed: [VoiceTurnRecord.ID: (time: Int64, event: VoiceEvent.ID)] = [:]

  private struct Key: Hashable {
    var lane: Lane
    var id: String
  }

  mutating func feed(_ event: VoiceEvent, turn: VoiceTurnRecord?) {
    switch event.lane {
    case .capture: capture(event, turn)
    case .asr: recognition(event, turn)
    case .decision: decision(event, turn)
    case .generation: generation(event, turn)
    case .tools: tool(event, turn)
    case .output: output(event, turn)
    case .bargeIn: bargeIn(event, turn)
    case .music, .screen: pair(event, turn)
    case .thought, .other: moment(event, turn)
    }
  }

  /// Forgets the blocks that ended before a time, in ms since 1970.
  mutating func drop(beforeMs: Int64) {
    blocks.dropPrefix { ($0.end ?? $0.start) < beforeMs }
    let kept = blocks.indices
    open = open.filter { kept.contains($0.value) }
    allowed = allowed.filter { $0.value.time >= beforeMs }
  }

  /// The stretches of each lane by their beginning.
  func finish(isOver: Bool) -> [Lane: [LaneBlock]] {
    var result: [Lane: [LaneBlock]] = [:]
    let stillOpen = isOver ? [] : Set(open.values)
    for index in blocks.indices {
      var block = blocks[index]
      block.isOpen = block.end == nil && stillOpen.contains(index)
      result[block.lane, default: []].append(block)
    }
    return result.mapValues { blocks in
      // Usually sorted already: only blocks reported at their end come late.
      zip(blocks, blocks.dropFirst()).allSatisfy { $0.start <= $1.start }
        ? blocks : blocks.sorted { ($0.start, $0.events[0]) < ($1.start, $1.events[0]) }
    }
  }

  // MARK: parts

  private mutating func moment(
    _ event: VoiceEvent, _ turn: VoiceTurnRecord?, _ outcome: LaneBlock.Outcome? = nil,
    words: String? = nil
  ) {
    blocks.append(
      LaneBlock(
        lane: event.lane, start: event.timeMs, end: event.timeMs, words: words ?? Self.words(event),
        outcome: outcome ?? (event.severity == .error ? .failed : .neutral), turnID: turn?.id,
        userID: event.userID, events: [event.id]))
  }

  @discardableResult
  private mutating func begin(
    _ key: Key, _ event: VoiceEvent, _ turn: VoiceTurnRecord?, at start: Int64? = nil,
    words: String
  ) -> Int {
    let index = blocks.append(
      LaneBlock(
        lane: key.lane, start: start ?? event.timeMs, end: nil, words: words, outcome: .open,
        turnID: turn?.id, userID: event.userID, events: [event.id]))
    open[key] = index
    return index
  }

  /// Ends a block; false if none is open.
  @discardableResult
  private mutating func end(
    _ key: Key, _ event: VoiceEvent, _ outcome: LaneBlock.Outcome, at time: Int64? = nil,
    words: String? = nil
  ) -> Bool {
    guard let index = open.removeValue(forKey: key) else { return false }
    blocks[index].end = max(blocks[index].start, time ?? event.timeMs)
    blocks[index].outcome = outcome
    if let words, !words.isEmpty { blocks[index].words = words }
    blocks[index].events.append(event.id)
    return true
  }

  private static func words(_ event: VoiceEvent) -> String {
    if let text = event.string("transcript") { return text }
    return event.string("reason").map { "\(event.name) \($0)" } ?? event.name
  }

  private static func length(_ event: VoiceEvent, _ key: String) -> Int64 {
    event.int(key).flatMap { $0 >= 0 && $0 < 3_600_000 ? Int64($0) : nil } ?? 0
  }

  // MARK: lanes

  private mutating func capture(_ event: VoiceEvent, _ turn: VoiceTurnRecord?) {
    let key = Key(lane: .capture, id: event.userID ?? "")
    switch event.name {
    case "voice_activity_started":
      if let index = open[key], event.timeMs - blocks[index].start < TurnBuilder.togetherMs {
        blocks[index].events.append(event.id)
      } else {
        begin(key, event, turn, words: "")
      }
    case "voice_turn_finalized":
      if !end(key, event, .passed) {
        begin(
          key, event, turn, at: event.timeMs - Self.length(event, "durationMs"), words: "")
        end(key, event, .passed)
        if let last = blocks.indices.last { blocks[last].events = [event.id] }
      }
    default:
      let isDrop =
        event.name.hasPrefix("voice_turn_dropped") || event.name.hasPrefix("voice_turn_skipped")
      if isDrop, end(key, event, .dropped, words: event.name) { return }
      moment(event, turn, isDrop ? .dropped : nil)
    }
  }

  private mutating func recognition(_ event: VoiceEvent, _ turn: VoiceTurnRecord?) {
    let key = Key(lane: .asr, id: event.string("itemId") ?? "user " + (event.userID ?? ""))
    switch event.name {
    case "openai_realtime_asr_partial_segment":
      if let index = open[key] {
        blocks[index].words = event.string("transcript") ?? blocks[index].words
        blocks[index].events.append(event.id)
      } else {
        begin(key, event, turn, words: event.string("transcript") ?? "")
      }
    case "openai_realtime_asr_final_segment", "file_asr_transcript":
      let words = event.string("transcript") ?? ""
      if !end(key, event, .passed, words: words) { moment(event, turn, .passed, words: words) }
    case "voice_realtime_transcription_empty":
      if !end(key, event, .dropped) { moment(event, turn, .dropped) }
    default: moment(event, turn)
    }
  }

  private mutating func decision(_ event: VoiceEvent, _ turn: VoiceTurnRecord?) {
    guard let allow = event.bool("allow") else { return moment(event, turn) }
    moment(
      event, turn, allow ? .passed : .denied,
      words: event.string("outputLockReason") ?? event.string("reason") ?? event.name)
    if allow, let turn, event.name != "voice_barge_in_gate" {
      allowed[turn.id] = (event.timeMs, event.id)
    }
  }

  private mutating func generation(_ event: VoiceEvent, _ turn: VoiceTurnRecord?) {
    guard let turn, turn.origin != .thought || allowed[turn.id] != nil || event.kind == "llm_call"
    else { return moment(event, turn) }
    let key = Key(lane: .generation, id: String(turn.id))
    let model = event.kind.hasPrefix("llm_") ? event.string("model") : nil
    if let index = open[key] {
      blocks[index].events.append(event.id)
      if let model { blocks[index].words = model }
    } else if turn.replyRequested != nil || turn.audioStarted != nil {
      return moment(event, turn, words: model)
    } else {
      beginGeneration(key, event, turn, words: model ?? "")
    }
    if turn.failed?.event == event.id { end(key, event, .failed, words: turn.reason) }
    if turn.skipped?.event == event.id { end(key, event, .denied, words: turn.reason) }
  }

  private mutating func beginGeneration(
    _ key: Key, _ event: VoiceEvent, _ turn: VoiceTurnRecord, words: String
  ) {
    let start = allowed.removeValue(forKey: turn.id)
    begin(key, event, turn, at: start?.time, words: words)
    if let start, let last = blocks.indices.last {
      blocks[last].events = [start.event] + (start.event == event.id ? [] : [event.id])
    }
  }

  private mutating func tool(_ event: VoiceEvent, _ turn: VoiceTurnRecord?) {
    let name = event.string("toolName") ?? event.name
    let call = Key(lane: .tools, id: event.string("callId") ?? "name " + name)
    switch event.name {
    case "realtime_tool_call_started":
      if open[call] == nil { begin(call, event, turn, words: name) }
    case "realtime_tool_call_completed", "realtime_tool_call_failed":
      let outcome: LaneBlock.Outcome =
        event.name == "realtime_tool_call_completed" ? .passed : .failed
      if !end(call, event, outcome) { finished(event, turn, name, "runtimeMs", outcome) }
    case "voice_brain_tool_call":
      let isError = event.bool("isError") ?? (event.string("error") != nil)
      finished(event, turn, name, "durationMs", isError ? .failed : .passed)
    case "search_call": finished(event, turn, "search", "latencyMs", .passed)
    default: moment(event, turn, words: event.string("toolName"))
    }
  }

  /// A block that is reported only at its end.
  private mutating func finished(
    _ event: VoiceEvent, _ turn: VoiceTurnRecord?, _ words: String, _ length: String,
    _ outcome: LaneBlock.Outcome
  ) {
    blocks.append(
      LaneBlock(
        lane: event.lane, start: event.timeMs - Self.length(event, length), end: event.timeMs,
        words: words, outcome: outcome, turnID: turn?.id, userID: event.userID, events: [event.id]))
  }

  private mutating func output(_ event: VoiceEvent, _ turn: VoiceTurnRecord?) {
    guard let turn else { return moment(event, nil) }
    let making = Key(lane: .generation, id: String(turn.id))
    let sound = Key(lane: .output, id: "sound")
    let isAudio =
      event.name == "bot_audio_started"
      || (event.name == "voice_latency_stage" && event.string("stage") == "audio_started")
    if isAudio {
      if open[making] == nil, allowed[turn.id] != nil {
        beginGeneration(making, event, turn, words: "")
      }
      end(making, event, .passed, at: turn.replyRequested?.timeMs)
      if let index = open[sound], blocks[index].turnID == turn.id,
        event.timeMs - blocks[index].start <= TurnBuilder.togetherMs
      {
        blocks[index].events.append(event.id)
      } else {
        begin(sound, event, turn, words: turn.reply ?? "")
      }
      return
    }
    switch event.name {
    case "realtime_reply_requested", "voice_latency_stage":
      if open[making] == nil, allowed[turn.id] != nil {
        beginGeneration(making, event, turn, words: "")
      }
      end(making, event, .passed)
      moment(event, turn, words: event.string("replyText"))
    case "bot_utterance_completed":
      guard let index = open[sound], blocks[index].turnID == turn.id else {
        return moment(event, turn, turn.failed?.event == event.id ? .failed : nil)
      }
      // The backend is done with it before the room has heard it to its end.
      let played = blocks[index].start + Int64(turn.playbackMs ?? 0)
      let isInterrupted = turn.interrupted != nil
      if isInterrupted || played <= event.timeMs {
        end(sound, event, isInterrupted ? .interrupted : .passed, words: turn.reply)
      } else {
        end(sound, event, .passed, at: played, words: turn.reply)
        blocks[index].isEndEstimated = true
      }
    case "realtime_reply_skipped", "realtime_reply_superseded_newer_input":
      let outcome: LaneBlock.Outcome = event.name.hasSuffix("skipped") ? .denied : .dropped
      end(making, event, outcome, words: turn.reason)
      moment(event, turn, outcome)
    default:
      let isFailure = turn.failed?.event == event.id
      if isFailure { end(making, event, .failed, words: turn.reason) }
      moment(event, turn, isFailure ? .failed : nil)
    }
  }

  private mutating func bargeIn(_ event: VoiceEvent, _ turn: VoiceTurnRecord?) {
    if event.name == "voice_barge_in_interrupt" {
      let sound = Key(lane: .output, id: "sound")
      if let index = open[sound], blocks[index].turnID == turn?.id {
        end(sound, event, .interrupted)
      } else if let index = blocks.indices.suffix(64).last(where: {
        blocks[$0].lane == .output && blocks[$0].isEndEstimated && blocks[$0].turnID == turn?.id
      }), let end = blocks[index].end, end > event.timeMs {
        blocks[index].end = event.timeMs
        blocks[index].isEndEstimated = false
        blocks[index].outcome = .interrupted
        blocks[index].events.append(event.id)
      }
      return moment(event, turn, .interrupted)
    }
    moment(
      event, turn, event.bool("allow").map { $0 ? .passed : .denied }, words: event.string("reason")
    )
  }

  /// `…_started` and its stop events.
  private mutating func pair(_ event: VoiceEvent, _ turn: VoiceTurnRecord?) {
    let stops = ["_stopped", "_ended", "_finished", "_closed"]
    if event.name.hasSuffix("_started") {
      let key = Key(lane: event.lane, id: String(event.name.dropLast("_started".count)))
      begin(
        key, event, turn,
        words: event.string("trackTitle") ?? event.string("title") ?? event.string("query")
          ?? event.string("lastTrackTitle") ?? event.name)
    } else if let stop = stops.first(where: { event.name.hasSuffix($0) }),
      end(Key(lane: event.lane, id: String(event.name.dropLast(stop.count))), event, .passed)
    {
      return
    } else {
      moment(event, turn)
    }
  }
}
