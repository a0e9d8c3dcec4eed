internal import ClankyWire
package import CockpitStatistics
internal import CockpitStores
internal import CockpitText
package import LenientJSON
package import TerminalCore

/// The forecast cost of the UTC day at its end, from the same hours of recorded days.
package struct DayForecast: Hashable, Sendable {
  package enum Unit: String, Hashable, Sendable {
    case usd, tokens
  }

  package var unit: Unit
  package var outlook: DayProfile.Outlook
  package var trial: DayProfile.Trial
  /// US dollars a day; nil for none, and where tokens are counted.
  package var budget: Double?
  package var sofar: Double

  /// nil if fewer than seven days are recorded for one of the hours that are left, or what the day has cost so far is
  /// not known.
  ///
  /// - Parameters:
  ///   - nowMs: on the backend's clock.
  ///   - usd: what the day has cost so far.
  ///   - tokens: what it has used, input and output; nil if not all rows of the day are here.
  ///   - budget: US dollars a day.
  package init?(
    _ profile: SpendProfile, nowMs: Int64, usd: Double?, tokens: Int? = nil, budget: Double? = nil
  ) {
    let day = Int(nowMs / 86_400_000)
    let hour = Double(nowMs - Int64(day) * 86_400_000) / 3_600_000
    guard day == profile.day, let usd, usd.isFinite else { return nil }
    let isFree = usd == 0 && profile.isFree
    let limit = isFree ? nil : budget.flatMap { $0 > 0 ? $0 : nil }
    guard let sofar = isFree ? tokens.map(Double.init) : usd,
      let outlook = (isFree ? profile.tokens : profile.usd).outlook(
        of: day, at: hour, sofar: sofar, limit: limit)
    else { return nil }
    unit = isFree ? .tokens : .usd
    self.outlook = outlook
    self.sofar = sofar
    trial = isFree ? profile.tokenTrial : profile.trial
    self.budget = limit
  }

  /// Whether a range may be shown.
  package var isRegular: Bool { trial.fits }

  // MARK: Words

  /// `$4.10`, or `1.2M tokens`.
  package func amount(_ value: Double) -> PlainText {
    switch unit {
    case .usd:
      value >= 0.01 && value < 0.995
        ? PlainText("$\(Figures.fixed(value, 2))") : Figures.cost(value)
    case .tokens: Figures.short(value) + " tokens"
    }
  }

  /// Without the unit where `high` behind it has one: `1.1M` to `1.9M tokens`.
  package var low: PlainText {
    unit == .tokens ? Figures.short(outlook.low) : amount(outlook.low)
  }
  package var middle: PlainText { amount(outlook.middle) }
  package var high: PlainText { amount(outlook.high) }
  /// The recorded days that each hour left could be drawn from, at least.
  package var days: Int { outlook.days }
  private var range: PlainText { low + "-" + high }

  /// `held 82%/96`, or `tried 12x`.
  package var triedShort: PlainText {
    trial.isEnough
      ? "held " + Figures.percent(trial.share) + PlainText("/\(trial.tries)")
      : PlainText("tried \(trial.tries)x")
  }

  /// When the budget is reached.
  package enum BudgetWords: Hashable, Sendable {
    case isReached
    case notToday
    /// `21:40`, and `18:50-not today`; UTC.
    case at(PlainText, range: PlainText)
  }

  /// nil without a budget.
  package var budgetWords: BudgetWords? {
    guard let budget, isRegular, let reach = outlook.reached else { return nil }
    guard sofar < budget else { return .isReached }
    guard reach.early != nil else { return .notToday }
    return .at(
      Self.time(reach.middle), range: Self.time(reach.early) + "-" + Self.time(reach.late))
  }

  /// `21:40`, UTC, or `not today`.
  package static func time(_ hour: Double?) -> PlainText {
    guard let hour, hour < 24 else { return "not today" }
    let minutes = Int(hour * 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return PlainText("\(two(minutes / 60)):\(two(minutes % 60))")
  }

  /// How it was tried: `held 82% of 96 tries`.
  package var tried: PlainText {
    guard trial.isEnough else {
      return PlainText("tried \(trial.tries) times, \(DayProfile.Trial.fewestTries) would tell")
    }
    return "held " + Figures.percent(trial.share) + PlainText(" of \(trial.tries) tries")
  }

  /// `by midnight UTC $4.10 ($3.20-$5.60, from 21 recorded days; held 82% of 96 tries)`
  package var sentence: PlainText {
    guard isRegular else { return "by midnight UTC: too irregular to say (" + tried + ")" }
    return "by midnight UTC " + amount(outlook.middle) + " (" + range
      + PlainText(", from \(outlook.days) recorded days; ") + tried + ")"
  }

  /// `budget $5.00 reached at 21:40 (18:50 ... not today)`; nil without a budget, or where no range holds.
  package var budgetSentence: PlainText? {
    guard let budget, isRegular, let reach = outlook.reached else { return nil }
    guard sofar < budget else { return "budget " + amount(budget) + " is reached" }
    let name = "budget " + amount(budget)
    guard reach.early != nil else { return name + " not reached today" }
    return name + (reach.middle == nil ? " reached: " : " reached at ") + Self.time(reach.middle)
      + " (" + Self.time(reach.early) + " ... " + Self.time(reach.late) + ")"
  }

  /// Both sentences, and their figures.
  package var json: JSONValue {
    func number(_ value: Double?) -> JSONValue {
      value.flatMap { $0.isFinite ? .number(JSONNumber(text: "\($0)")) : nil } ?? .null
    }
    func time(_ hour: Double?) -> JSONValue {
      hour.map { .string(Self.time($0).description) } ?? .null
    }
    let isRegular = isRegular
    func shown(_ value: Double?) -> JSONValue { isRegular ? number(value) : .null }
    let reach = isRegular ? outlook.reached : nil
    return .body([
      ("sentence", .string(sentence.description)), ("unit", .string(unit.rawValue)),
      ("state", .string(!isRegular ? "irregular" : trial.isEnough ? "tried" : "untried")),
      ("value", shown(outlook.middle)), ("low", shown(outlook.low)),
      ("high", shown(outlook.high)), ("days", .integer(outlook.days)),
      ("tries", .integer(trial.tries)), ("held", .integer(trial.held)),
      ("budget", number(budget)), ("budget_reached_utc", time(reach?.middle)),
      ("budget_reached_early_utc", time(reach?.early)),
      ("budget_reached_late_utc", time(reach?.late)),
    ])
  }
}
