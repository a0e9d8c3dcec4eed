/// 1: speech was promoted to a turn, and nothing was recognised.
struct EmptyASR: RuleState {
  static let rule = Rule(
    id: .emptyASR, level: .critical,
    condition: "a promoted turn of 700 ms or more ends without a recognised word",
    advice: "Check the recogniser in VOICE and its errors; ask the person to speak again.",
    input: RuleInput(
      names: [
        "voice_activity_started", "voice_turn_finalized", "voice_turn_dropped_no_bridge_transcript",
        "voice_turn_skipped_empty_capture", "voice_realtime_transcription_empty",
        "voice_turn_dropped_asr_sparse_transcript", "file_asr_transcript",
        "realtime_turn_held_room_coalesce", "realtime_turn_merged_still_holding",
        "realtime_turn_room_coalesce_flushed", "voice_turn_dropped_silence_gate",
        "voice_turn_dropped_provisional_capture", "voice_session_end",
      ],
      suffixes: ["_asr_bridge_timeout_fallback", "_asr_final_segment"],
      keys: [
        "transcript", "promotionReason", "promotionPeak", "durationMs", "clipDurationMs", "reason",
      ]),
    limits: [
      RuleLimit(
        name: "shortest_ms", unit: .ms, standard: 700, meaning: "shorter captures do not count"),
      RuleLimit(
        name: "wait_ms", unit: .ms, standard: 2000, meaning: "how much later a word may come"),
    ],
    begin: { EmptyASR($0) })

  private struct Turn {
    var promotion: RuleRow
    var finalized: RuleRow?
    var closing: RuleRow?
    var isMerged = false
    var hasWords = false

    /// Length of the capture in ms: as reported, else up to its end.
    var lengthMs: Int64 {
      let told = finalized?.int("durationMs") ?? closing?.int("clipDurationMs")
      return told.map(Int64.init)
        ?? ((finalized ?? closing)?.timeMs ?? promotion.timeMs) - promotion.timeMs
    }
  }

  private let shortestMs: Int64
  private let waitMs: Int64
  private var open: [SessionPerson: Turn] = [:]
  private var closed = Waiting<String, Turn>()

  init(_ values: RuleValues) {
    shortestMs = values.ms("shortest_ms")
    waitMs = values.ms("wait_ms")
  }

  var deadlineMs: Int64? { closed.deadlineMs }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return }
    if row.name == "voice_session_end" {
      open = open.filter { $0.key.session != row.sessionID }
      closed.removeAll { $1.promotion.sessionID == row.sessionID }
      return
    }
    guard let key = SessionPerson(row) else { return }
    let closedKey = key.session + " " + key.person
    switch row.name {
    case "voice_activity_started":
      open[key] = Turn(promotion: row)
    case "voice_turn_finalized":
      open[key]?.finalized = row
    case "voice_turn_dropped_silence_gate", "voice_turn_dropped_provisional_capture":
      open[key] = nil
    case let name where name.hasSuffix("_asr_final_segment") || name == "file_asr_transcript":
      guard RuleWords.hasWords(row.string("transcript")) else { return }
      open[key]?.hasWords = true
      closed.remove(closedKey)
    case "realtime_turn_held_room_coalesce", "realtime_turn_merged_still_holding",
      "realtime_turn_room_coalesce_flushed":
      // The turn lives on in another one, which may carry another person's id.
      for other in open.keys where other.session == key.session { open[other]?.isMerged = true }
      closed.removeAll { $1.promotion.sessionID == key.session }
    default:
      guard var turn = open[key], !turn.isMerged, !turn.hasWords else { return }
      open[key] = nil
      turn.closing = row
      guard turn.lengthMs >= shortestMs else { return }
      closed.wait(closedKey, turn, untilMs: row.timeMs + waitMs)
    }
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, turn) in closed.due(nowMs) {
      guard let closing = turn.closing else { continue }
      let rows = [turn.promotion, turn.finalized, closing].compactMap { $0 }
        .sorted { $0.timeMs < $1.timeMs }
      found.report(
        .init(
          .critical,
          "Speech of \(RuleWords.duration(turn.lengthMs)) gave no word: \(closing.name)",
          rows.map(\.cite), about: turn.promotion, toMs: dueMs,
          missing: "a final segment of the recogniser within \(RuleWords.duration(waitMs))"))
    }
  }
}
