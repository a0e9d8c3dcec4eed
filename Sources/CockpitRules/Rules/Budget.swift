internal import CockpitStatistics
internal import CockpitStores

/// Ours: the day costs more than it may.
struct Budget: RuleState {
  static let rule = Rule(
    id: .budget, level: .warning,
    condition:
      "the cost of the UTC day is over the budget (usd, 0 is none); info: it will be",
    advice: "See which model and which channel cost most: 'actions | sum cost by model'.",
    input: RuleInput(
      names: [
        "llm_call", "llm_tool_call", "image_call", "video_call", "memory_embedding_call",
        "memory_reflection_complete", "code_agent_call", "voice_music_stop_check",
      ], suffixes: ["_response_done"], health: true, isOfBoth: true),
    limits: [
      RuleLimit(name: "usd", unit: .usd, standard: 0, meaning: "a day's budget; 0 is none")
    ],
    begin: { Budget($0) })

  private let usd: Double
  private var day = Int64.min
  /// Of the rows of the day. Browser totals repeat their model calls and are left out (contract 8.9).
  private var ofRows = 0.0
  private var isReported = false
  /// Of the day, as the bot says.
  private var ofStats = 0.0
  /// What the hours of recorded days cost.
  private let spend: DayProfile?
  private var isForetold = false
  /// The end of the hour that is under way, in hours since 1970. Forecasts are made at ends of hours: when an event
  /// comes within an hour may differ between live and replay.
  private var hourEnd = Int64.min

  private static let dayMs: Int64 = 86_400_000

  init(_ values: RuleValues) {
    usd = values["usd"]
    spend = values.spend
  }

  var unknown: String? { usd > 0 ? nil : "no budget is set" }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard usd > 0 else { return }
    let today = event.timeMs / Self.dayMs
    if today != day {
      (day, ofRows, ofStats, isReported, isForetold) = (today, 0, 0, false, false)
    }
    hourEnd = HourTable.hour(event.timeMs) + 1
    var evidence: [Citation] = []
    switch event.body {
    case .row(let row):
      guard let cost = row.costUSD else { return }
      ofRows += cost
      evidence = [row.cite]
    case .health(let health):
      ofStats = health.costByDay[Self.name(ofDay: today)] ?? 0
    case .voice, .outage, .link: return
    }
    let spent = spent
    guard spent > usd, !isReported else { return }
    isReported = true
    // The anchor is the day: which event comes first when it is over differs between live and replay.
    let anchor = Citation(stats: "budget of the day", sinceMs: today * Self.dayMs)
    found.report(
      .init(
        .warning, "Today has cost \(Self.dollars(spent)), budget \(Self.dollars(usd))",
        [anchor] + evidence, subject: "\(today)", toMs: event.timeMs))
  }

  private var spent: Double { max(ofStats, ofRows) }

  var deadlineMs: Int64? {
    guard usd > 0, spend != nil, day > .min, !isForetold, !isReported, hourEnd < (day + 1) * 24
    else { return nil }
    return hourEnd * HourTable.hourMs
  }

  /// Says once a day that the day will be over the budget: when the lower end of the range is.
  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    let hour = hourEnd
    hourEnd += 1
    guard
      let spend,
      let outlook = spend.outlook(of: Int(day), at: Double(hour - day * 24), sofar: spent),
      outlook.low > usd
    else { return }
    let trial = spend.trial(before: Int(day))
    guard trial.isEnough, trial.fits else { return }
    isForetold = true
    let (low, high) = (Self.dollars(outlook.low), Self.dollars(outlook.high))
    found.report(
      .init(
        .info,
        "Today will cost \(low) to \(high), budget \(Self.dollars(usd)): \(Self.dollars(spent)) by now, "
          + "the rest as on \(outlook.days) recorded days",
        [Citation(stats: "forecast of the day", sinceMs: day * Self.dayMs)],
        subject: "forecast \(day)", toMs: hour * HourTable.hourMs))
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
