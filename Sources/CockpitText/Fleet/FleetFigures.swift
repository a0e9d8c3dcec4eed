import CockpitStores
import TerminalCore

/// What a health strip says of one bot, in figures: rows a minute, errors, cost an hour, and how old its newest row is.
/// Each is nil while it is unknown, and each counted one has the window that it was counted over.
package struct FleetFigures: Hashable, Sendable {
  /// Rows of a window that ends now.
  package struct Rows: Hashable, Sendable {
    package var actions: Int
    package var failures: Int
    /// The length of the window.
    package var overMs: Int64

    package init(actions: Int, failures: Int, overMs: Int64) {
      self.actions = actions
      self.failures = failures
      self.overMs = overMs
    }

    package var perMinute: Double { Double(actions) * 60_000 / Double(max(1, overMs)) }
  }

  /// The window that is meant, in minutes: that of the short cost rate.
  package static let minutes = Int(CostSummary.Rate.shortMs / 60_000)
  /// Fewer rows of less than a minute are no rate.
  private static let leastMs: Int64 = 60_000
  /// A difference of clocks that is shown, in ms.
  package static let shownSkewMs = 2_000

  package var rows: Rows?
  package var cost: CostSummary.Rate?
  /// Never negative.
  package var newestAgeMs: Int64?
  /// The bot's clock minus ours, in ms.
  package var skewMs: Int?

  package init(
    rows: Rows? = nil, cost: CostSummary.Rate? = nil, newestAgeMs: Int64? = nil,
    skewMs: Int? = nil
  ) {
    self.rows = rows
    self.cost = cost
    self.newestAgeMs = newestAgeMs
    self.skewMs = skewMs
  }

  /// - Parameters:
  ///   - beginMs: from when on `rates` cover all rows, in ms since 1970; nil if unknown.
  ///   - newestMs: the time of the newest row; nil without one.
  ///   - endMs: when what is known of the bot ends, on its clock; `nowMs` while it is heard.
  package init(
    rates: MinuteRates, beginMs: Int64?, newestMs: Int64?, cost: CostSummary.Rate?, skewMs: Int?,
    endMs: Int64, nowMs: Int64
  ) {
    self.init(
      rows: Self.rows(rates, beginMs: beginMs, endMs: endMs), cost: cost,
      newestAgeMs: newestMs.map { max(0, nowMs - $0) }, skewMs: skewMs)
  }

  /// Counts whole minutes, and the one that has just begun.
  private static func rows(_ rates: MinuteRates, beginMs: Int64?, endMs: Int64) -> Rows? {
    guard let beginMs, endMs > 0 else { return nil }
    let last = endMs / 60_000
    let first = last - Int64(minutes) + 1
    // The minute in which complete rows begin is only known in part.
    let known = beginMs <= first * 60_000 ? first : beginMs / 60_000 + 1
    let overMs = endMs - known * 60_000
    guard overMs >= leastMs else { return nil }
    let counts = rates.perMinute(last: Int(last - known + 1), nowMs: endMs)
    return Rows(
      actions: counts.reduce(0) { $0 + $1.actions },
      failures: counts.reduce(0) { $0 + $1.failures }, overMs: overMs)
  }

  // MARK: Words

  /// The window of rows, errors and cost, in ms; nil where none is known.
  package var overMs: Int64? { rows?.overMs ?? cost?.overMs }

  /// `12.3`, `140`, `-`
  package var perMinute: PlainText {
    guard let rows else { return "-" }
    let rate = rows.perMinute
    return rate < 99.95 ? PlainText(Figures.fixed(rate, 1)) : Figures.short(rate.rounded())
  }

  package var errors: PlainText { Figures.count(rows?.failures) }

  /// The cost of an hour at the rate of the window; `-` also where its window is another one.
  package var costPerHour: PlainText {
    guard let cost, let overMs else { return "-" }
    return abs(cost.overMs - overMs) <= 90_000 ? Figures.cost(cost.usdPerHour) : "-"
  }

  /// `15m`, `4m`, `-`; the last of the minutes has only begun.
  package var window: PlainText {
    guard let overMs else { return "-" }
    return PlainText("\((overMs + 59_999) / 60_000)m")
  }

  package var newestAge: PlainText { newestAgeMs.map { Figures.age(ms: $0) } ?? "-" }

  /// `its clock is 12s ahead`; nil up to two seconds.
  package var skewWords: PlainText? {
    guard let skewMs, skewMs.magnitude > Self.shownSkewMs else { return nil }
    return "its clock is " + Figures.age(ms: Int64(skewMs.magnitude))
      + (skewMs > 0 ? " ahead" : " behind")
  }
}
