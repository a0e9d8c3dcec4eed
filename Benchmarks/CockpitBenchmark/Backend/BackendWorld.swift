import Foundation

/// The state of the measuring backend: actions in both shapes, and its statistics.
struct BackendWorld {
  /// Actions that a snapshot begins with (contract 2.4).
  static let snapshotRows = 220
  /// Stored rows, oldest first; never more than `/api/actions` can return.
  private var rows: [[UInt8]] = []
  private var corpus = ActionCorpus()
  private(set) var count = 0

  init() {
    let now = Self.wallMs()
    for index in 0..<Self.snapshotRows {
      _ = next(timeMs: now - Int64(Self.snapshotRows - index) * 1000)
    }
  }

  static func wallMs() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  /// A new action: its kind, and its live shape.
  mutating func next(timeMs: Int64 = wallMs()) -> (kind: String, live: [UInt8]) {
    let action = corpus.both(timeMs: timeMs)
    count += 1
    rows.append(action.stored)
    if rows.count > 2 * Self.mostRows { rows.removeFirst(Self.mostRows) }
    return (action.kind, action.live)
  }

  /// The bound of `limit` (contract 3.2).
  private static let mostRows = 1000

  /// `GET /api/actions`: newest first.
  func list(limit: Int) -> [UInt8] {
    var list: [UInt8] = [UInt8(ascii: "[")]
    for row in rows.suffix(min(max(limit, 1), Self.mostRows)).reversed() {
      if list.count > 1 { list.append(UInt8(ascii: ",")) }
      list += row
    }
    return list + [UInt8(ascii: "]")]
  }

  var snapshot: [UInt8] {
    Array(#"{"actions":"#.utf8) + list(limit: Self.snapshotRows) + Array(#","stats":"#.utf8) + stats
      + Array("}".utf8)
  }

  /// `{stats, runtime}` without a voice session (contract 5.1): about 1.5 kB, as small as it gets.
  var stats: [UInt8] { Array((Self.statsHead + String(count) + Self.statsTail).utf8) }

  static let voiceState = Array(#"{"activeCount":0,"sessions":[]}"#.utf8)

  private static let metric =
    #"{"count":52,"minMs":20,"p50Ms":180,"p95Ms":420,"avgMs":200.8,"maxMs":700}"#
  private static let phases = [
    "queueMs", "ingestMs", "memorySliceMs", "llm1Ms", "followupMs", "typingDelayMs", "sendMs",
  ].map { "\"\($0)\":\(metric)" }.joined(separator: ",")
  private static let statsHead =
    #"{"stats":{"last24h":{"sent_reply":41,"sent_message":3,"initiative_post":1,"reacted":9,"llm_call":"#
  private static let statsTail =
    #","image_call":1,"gif_call":4,"search_call":8,"video_context_call":0,"asr_call":60,"#
    + #""voice_session_start":2,"voice_session_end":2,"voice_intent_detected":0,"voice_turn_in":88,"#
    + #""voice_turn_out":51,"voice_soundboard_play":4,"voice_error":2},"totalCostUsd":18.4471,"#
    + #""dailyCost":[],"performance":{"windowHours":24,"sampleLimit":4000,"sampleCount":52,"#
    + #""byKind":{"sent_reply":41,"sent_message":3,"reply_skipped":8},"#
    + "\"totalMs\":\(metric),\"processingMs\":\(metric),\"phases\":{\(phases)}}},"
    + #""runtime":{"isReady":true,"userTag":"bench#0001","guildCount":1,"lastBotMessageAt":null,"#
    + #""replyQueue":{"channels":0,"pending":0},"gateway":{"hasConnectedAtLeastOnce":true,"#
    + #""reconnectInFlight":false,"reconnectAttempts":0,"lastGatewayEventAt":null},"#
    + #""voice":{"activeCount":0,"sessions":[]},"publicHttps":null,"#
    + #""screenShare":{"activeCount":0,"newestExpiresAt":null}}}"#
}
