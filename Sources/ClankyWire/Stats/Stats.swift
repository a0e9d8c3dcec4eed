import LenientJSON

/// The figures of the bot (contract 5.1). They cover only rows the backend still retains, so totals
/// can shrink (contract 9.3).
package struct Stats: WireReadable {
  /// Rolling 24 h count per action kind; the backend always sends the same 17 kinds.
  package var last24h: [String: Int]
  /// Sum of all retained rows, in US dollars.
  package var totalCostUsd: Double?
  /// UTC days, newest first, at most 14; days without rows are missing. nil if the list itself is
  /// missing.
  package var dailyCost: [DailyCost]?
  /// Reply timing over the last 24 h.
  package var performance: Performance

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    last24h: [String: Int] = [:], totalCostUsd: Double? = nil, dailyCost: [DailyCost]? = nil,
    performance: Performance = Performance()
  ) {
    self.last24h = last24h
    self.totalCostUsd = totalCostUsd
    self.dailyCost = dailyCost
    self.performance = performance
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    last24h = fields.counts("last24h")
    totalCostUsd = fields.double("totalCostUsd")
    dailyCost = fields.list("dailyCost", of: DailyCost.init)
    performance = fields.object("performance") ?? Performance()
  }
}

/// The cost of one UTC day (contract 5.1).
package struct DailyCost: WireReadable {
  /// The UTC day, `YYYY-MM-DD`.
  package var day: String?
  /// US dollars, an unrounded binary float.
  package var usd: Double?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    day: String? = nil, usd: Double? = nil
  ) {
    self.day = day
    self.usd = usd
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    day = fields.string("day")
    usd = fields.double("usd")
  }
}
