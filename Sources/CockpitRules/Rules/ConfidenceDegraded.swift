/// 14: the recogniser is unsure of one person again and again.
struct ConfidenceDegraded: RuleState {
  static let rule = Rule(
    id: .confidenceDegraded, level: .warning,
    condition:
      "3 turns of a person within 5 min are dropped for low confidence, with fewer than 2 understood",
    advice: "Check the person's microphone and language; the dropped words stand in the rows.",
    input: RuleInput(
      names: ["voice_turn_dropped_asr_low_confidence", "file_asr_transcript", "voice_session_end"],
      suffixes: ["_asr_final_segment"],
      keys: ["transcript", "meanLogprob", "threshold", "clipDurationMs"]),
    limits: [
      RuleLimit(name: "count", unit: .count, standard: 3, meaning: "drops"),
      RuleLimit(
        name: "within_ms", unit: .ms, standard: 300_000, meaning: "the time they fall into"),
      RuleLimit(
        name: "finals", unit: .count, standard: 2, meaning: "understood turns that refute it"),
      RuleLimit(
        name: "shortest_ms", unit: .ms, standard: 400, meaning: "shorter clips do not count"),
    ],
    begin: { ConfidenceDegraded($0) })

  private let count: Int
  private let withinMs: Int64
  private let finals: Int
  private let shortestMs: Int
  private var drops: [SessionPerson: RecentRows] = [:]
  private var understood: [SessionPerson: [Int64]] = [:]

  init(_ values: RuleValues) {
    count = values.count("count")
    withinMs = values.ms("within_ms")
    finals = values.count("finals")
    shortestMs = Int(values.ms("shortest_ms"))
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row, let key = SessionPerson(row) else { return }
    switch row.name {
    case "voice_session_end":
      drops = drops.filter { $0.key.session != key.session }
      understood = understood.filter { $0.key.session != key.session }
    case "voice_turn_dropped_asr_low_confidence":
      guard (row.int("clipDurationMs") ?? shortestMs) >= shortestMs else { return }
      drops[key, default: RecentRows()].add(row, withinMs: withinMs)
      guard let rows = drops[key]?.rows, rows.count >= count else { return }
      let heard = (understood[key] ?? []).filter { $0 >= rows[0].timeMs }
      guard heard.count < finals else { return }
      drops[key] = nil
      let figure = row.double("meanLogprob").map { value -> String in
        let limit = row.double("threshold").map { ", threshold \($0)" } ?? ""
        return ", last logprob \((value * 100).rounded() / 100)\(limit)"
      }
      found.report(
        .init(
          .warning,
          "\(rows.count) turns were dropped for low confidence in "
            + "\(RuleWords.duration(row.timeMs - rows[0].timeMs))\(figure ?? "")",
          rows.map(\.cite), about: row))
    default:
      guard RuleWords.hasWords(row.string("transcript")) else { return }
      understood[key, default: []].append(row.timeMs)
      understood[key]?.removeAll { row.timeMs - $0 > withinMs }
    }
  }
}
