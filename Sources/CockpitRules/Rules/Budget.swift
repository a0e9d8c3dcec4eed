internal import CockpitStores

/// Ours: the day costs more than it may.
struct Budget: RuleState {
  static let rule = Rule(
    id: .budget, level: .warning,
    condition: "the cost of the UTC day is over the budget (usd, 0 is none)",
    advice: "See which model and which channel cost most: 'actions | sum cost by model'.",
    input: RuleInput(
      names: [
        "llm_call", "llm_tool_call", "image_call", "video_call", "memory_embedding_call",
        "memory_reflection_complete", "code_agent_call", "voice_music_stop_check",
      ], suffixes: ["_response_done"], health: true),
    limits: [
      RuleLimit(name: "usd", unit: .usd, standard: 0, meaning: "a day's budget; 0 is none")
    ],
    begin: { Budget($0) })

  private let usd: Double
  private var day = Int64.min
  /// Of the rows of the day. Browser totals repeat their model calls and are left out (contract 8.9).
  private var ofRows = 0.0
  private var isReported = false

  private static let dayMs: Int64 = 86_400_000

  init(_ values: RuleValues) { usd = values["usd"] }

  var unknown: String? { usd > 0 ? nil : "no budget is set" }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard usd > 0 else { return }
    let today = event.timeMs / Self.dayMs
    if today != day { (day, ofRows, isReported) = (today, 0, false) }
    var spent: Double
    var evidence: [Citation] = []
    switch event.body {
    case .row(let row):
      guard let cost = row.costUSD else { return }
      ofRows += cost
      spent = ofRows
      evidence = [row.cite]
    case .health(let health):
      spent = health.costByDay[Self.name(ofDay: today)] ?? 0
    case .voice, .outage, .link: return
    }
    spent = max(spent, ofRows)
    guard spent > usd, !isReported else { return }
    isReported = true
    // The anchor is the day: which event comes first when it is over differs between live and replay.
    let anchor = Citation(stats: "budget of the day", sinceMs: today * Self.dayMs)
    found.report(
      .init(
        .warning, "Today has cost \(Self.dollars(spent)), budget \(Self.dollars(usd))",
        [anchor] + evidence, subject: "\(today)", toMs: event.timeMs))
  }

  private static func dollars(_ usd: Double) -> String {
    let cents = Int64((min(usd, 1e12) * 100).rounded())
    let rest = cents % 100
    return "$\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// `YYYY-MM-DD` of a day since 1970 (Hinnant, "chrono-compatible low-level date algorithms").
  static func name(ofDay day: Int64) -> String {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let date = ofYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year + era * 400 + (month <= 2 ? 1 : 0))-\(two(month))-\(two(date))"
  }
}
