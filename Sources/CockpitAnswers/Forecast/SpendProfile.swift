package import CockpitStatistics
package import CockpitStores

/// Hourly cost and tokens of recorded days, and the backtest of forecasts made from them.
package struct SpendProfile: Hashable, Sendable {
  /// The day that it is made for, in days since 1970.
  package let day: Int
  package let usd: DayProfile
  package let tokens: DayProfile
  package let trial: DayProfile.Trial
  package let tokenTrial: DayProfile.Trial

  /// - Parameters:
  ///   - day: today, in days since 1970.
  ///   - days: past ones, in any order.
  ///   - whole: the hours of a day that were recorded wholly; the others are unknown, not 0.
  package init(day: Int, _ days: [SpendDay], whole: (Int) -> Set<Int>) {
    self.day = day
    usd = Self.dollars(days, whole: whole)
    tokens = Self.profile(days, whole) { $0.tokens }
    trial = usd.trial(before: day)
    tokenTrial = tokens.trial(before: day)
  }

  /// The dollars alone.
  package static func dollars(_ days: [SpendDay], whole: (Int) -> Set<Int>) -> DayProfile {
    profile(days, whole) { $0.usd }
  }

  private static func profile(
    _ days: [SpendDay], _ whole: (Int) -> Set<Int>, _ sums: (SpendDay) -> [Double]
  ) -> DayProfile {
    DayProfile(
      days.map { past in
        let (known, hours) = (whole(past.number), sums(past))
        return DayProfile.Day(
          number: past.number,
          hours: (0..<24).map { known.contains($0) && $0 < hours.count ? hours[$0] : nil })
      })
  }

  /// Whether nothing in it had a price.
  var isFree: Bool { !usd.days.contains { $0.hours.contains { ($0 ?? 0) > 0 } } }
}
