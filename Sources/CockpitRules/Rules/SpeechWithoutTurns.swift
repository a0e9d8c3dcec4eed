/// Absence: people speak, the bot notices it, and nothing comes of it.
struct SpeechWithoutTurns: RuleState {
  static let rule = Rule(
    id: .speechWithoutTurns, level: .critical,
    condition: "3 captures are promoted within 2 min, and no turn is decided for 20 s after",
    advice: "The bot is deaf: end the session and join again; see the recogniser in VOICE.",
    input: RuleInput(
      names: decisions.union(["voice_activity_started"]),
      prefixes: [
        "voice_turn_", "realtime_turn_", "file_asr_turn_", "voice_music_turn_ignored_",
        "realtime_reply_", "voice_barge_in_interrupt", "voice_interrupt_", "voice_thought_",
      ],
      suffixes: ["_response_done", "_text_turn_forwarded", "_asr_final_segment", "_socket_closed"],
      keys: ["reason", "transcript"], outages: true),
    limits: [
      RuleLimit(name: "count", unit: .count, standard: 3, meaning: "captures"),
      RuleLimit(
        name: "within_ms", unit: .ms, standard: 120_000, meaning: "the time they fall into"),
      RuleLimit(name: "quiet_ms", unit: .ms, standard: 20_000, meaning: "after the last of them"),
    ],
    begin: { SpeechWithoutTurns($0) })

  /// Rows that say what became of speech, besides those found by prefix.
  private static let decisions: Set<String> = [
    "bot_audio_started", "voice_session_end", "voice_session_start", "file_asr_transcript",
    "voice_realtime_transcription_empty", "voice_runtime_event_decision",
    "voice_reply_classifier_debug", "bot_logged_in",
  ]

  private let count: Int
  private let withinMs: Int64
  private let quietMs: Int64
  private struct Session: Sendable {
    var promoted = RecentRows()
    /// The last row that tells of the recogniser.
    var recogniser: RuleRow?
    var isReported = false
  }
  private var sessions: [String: Session] = [:]
  private var outages = Outages()
  private var next: Int64?
  private static let maxSessions = 64

  init(_ values: RuleValues) {
    count = max(1, values.count("count"))
    withinMs = values.ms("within_ms")
    quietMs = values.ms("quiet_ms")
  }

  var deadlineMs: Int64? { next }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return outages.add(event) }
    guard let session = row.sessionID else {
      if row.name == "bot_logged_in" { (sessions, next) = ([:], nil) }
      return
    }
    if row.name == "voice_activity_started" {
      guard sessions[session] != nil || sessions.count < Self.maxSessions else { return }
      sessions[session, default: Session()].promoted.add(row, withinMs: withinMs)
    } else if row.name.hasSuffix("_asr_final_segment") || row.name.hasSuffix("_socket_closed") {
      // Recognised is not decided, and the end of a connection decides nothing.
      sessions[session]?.recogniser = row
    } else if row.name == "voice_turn_finalized" || row.name.hasPrefix("voice_thought_") {
      // The end of a capture, and what the bot says unasked, are no answer to it.
      return
    } else {
      // A decision, or a drop with a reason: intended silence.
      sessions[session] = nil
    }
    refresh()
  }

  private mutating func refresh() {
    next = sessions.values.compactMap { session in
      guard session.promoted.count >= count, !session.isReported else { return nil }
      return session.promoted.rows.last.map { $0.timeMs + quietMs }
    }.min()
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for id in sessions.keys.sorted() {
      guard var session = sessions[id], session.promoted.count >= count, !session.isReported,
        let first = session.promoted.rows.first, let last = session.promoted.rows.last,
        last.timeMs + quietMs <= nowMs
      else { continue }
      session.isReported = true
      sessions[id] = session
      guard !outages.touch(first.timeMs, nowMs) else { continue }
      found.report(
        .init(
          .critical,
          "\(session.promoted.count) captures within "
            + "\(RuleWords.duration(last.timeMs - first.timeMs)), and no turn was decided in "
            + "\(RuleWords.duration(quietMs)) after the last",
          session.promoted.citations, about: last, sessionID: id, subject: "deaf",
          toMs: last.timeMs + quietMs, missing: "voice_turn_addressing or a drop with a reason",
          cause: Self.cause(session.recogniser, after: first.timeMs)))
    }
    refresh()
  }

  private static func cause(_ row: RuleRow?, after firstMs: Int64) -> String {
    guard let row, row.timeMs >= firstMs else { return "nothing came from the recogniser" }
    if row.name.hasSuffix("_socket_closed") { return "the connection to the recogniser closed" }
    return "the words were recognised, and no turn was made of them"
  }
}
