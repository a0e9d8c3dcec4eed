internal import LenientJSON

/// 8: people try to interrupt the bot again and again.
struct BargeInStorm: RuleState {
  static let rule = Rule(
    id: .bargeInStorm, level: .warning,
    condition: "3 captures within 10 s may not interrupt, or 3 interruptions within 30 s",
    advice: "The bot talks over people or hears itself: check echo and the rules of barge-in.",
    input: RuleInput(
      names: ["voice_barge_in_gate", "voice_barge_in_interrupt", "voice_session_end"],
      keys: ["allow", "reason", "captureUtteranceId", "captureStartedAt", "outputLockReason"]),
    limits: [
      RuleLimit(name: "count", unit: .count, standard: 3, meaning: "captures or interruptions"),
      RuleLimit(name: "gates_ms", unit: .ms, standard: 10_000, meaning: "the time of refused ones"),
      RuleLimit(name: "interrupts_ms", unit: .ms, standard: 30_000, meaning: "the time of others"),
    ],
    begin: { BargeInStorm($0) })

  private let count: Int
  private let gatesMs: Int64
  private let interruptsMs: Int64
  private var gates: [String: RecentRows] = [:]
  private var interrupts: [String: RecentRows] = [:]

  init(_ values: RuleValues) {
    count = values.count("count")
    gatesMs = values.ms("gates_ms")
    interruptsMs = values.ms("interrupts_ms")
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row, let session = row.sessionID else { return }
    switch row.name {
    case "voice_session_end":
      gates[session] = nil
      interrupts[session] = nil
    case "voice_barge_in_interrupt":
      interrupts[session, default: RecentRows()].add(row, withinMs: interruptsMs)
      guard let rows = interrupts[session]?.rows, rows.count >= count else { return }
      interrupts[session] = nil
      report("The bot was interrupted \(rows.count) times", rows, &found)
    default:
      guard row.bool("allow") == false else { return }
      let capture = Self.capture(row)
      let isKnown =
        gates[session]?.rows.contains {
          Self.capture($0) == capture && row.timeMs - $0.timeMs <= gatesMs
        } ?? false
      guard !isKnown else { return }
      gates[session, default: RecentRows()].add(row, withinMs: gatesMs)
      guard let rows = gates[session]?.rows, rows.count >= count else { return }
      gates[session] = nil
      let reason = row.string("reason").map { ", last: \($0)" } ?? ""
      report("\(rows.count) captures were not allowed to interrupt\(reason)", rows, &found)
    }
  }

  private func report(_ what: String, _ rows: [RuleRow], _ found: inout Findings) {
    guard let first = rows.first, let last = rows.last else { return }
    found.report(
      .init(
        .warning, "\(what) in \(RuleWords.duration(last.timeMs - first.timeMs))", rows.map(\.cite),
        about: last, subject: ""))
  }

  /// What is asked about: one capture is asked about many times.
  private static func capture(_ row: RuleRow) -> String {
    for key in ["captureUtteranceId", "captureStartedAt"] {
      if let text = row.string(key) { return key + text }
      if let number = row.double(key) { return key + String(number) }
    }
    return (row.userID ?? "") + String(row.timeMs)
  }
}
