import CockpitAnswers
import CockpitRules
import CockpitStores

/// The forecast of the current UTC day, recomputed every ten seconds.
struct DayOutlook {
  private var made: (part: Int64, forecast: DayForecast?)?
  private static let partMs: Int64 = 10_000

  /// The end of the day; nil without a week of recorded days.
  ///
  /// - Parameter nowMs: on the backend's clock.
  mutating func forecast(
    _ profile: SpendProfile?, _ costs: CostSummary, budget: Double?, nowMs: Int64
  ) -> DayForecast? {
    guard let profile else { return nil }
    if let made, made.part == nowMs / Self.partMs { return made.forecast }
    // The backend's sum counts browser runs twice (contract 4.5); that of the rows does not.
    let ofRows = costs.byKind.reduce(0) { $0 + $1.usd }
    let forecast = DayForecast(
      profile, nowMs: nowMs, usd: costs.coversToday ? ofRows : costs.today,
      tokens: costs.coversToday ? costs.tokens.total : nil, budget: budget)
    made = (nowMs / Self.partMs, forecast)
    return forecast
  }
}

extension Settings {
  /// What a UTC day may cost, in US dollars, by the first of the triage, the promises and the rule that has one.
  package var budget: Double? {
    triage.budgetUSD ?? promises.costPerDayUSD ?? rules[.budget].values["usd"]
  }
}
