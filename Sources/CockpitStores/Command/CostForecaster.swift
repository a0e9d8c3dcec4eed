/// What the UTC day will have cost at its end, with the interval that holds it four times in five,
/// if it goes on as lately.
///
/// The forecast is the cost so far, and for the `h` hours that are left the mean `m` of the hours
/// known. The interval is the usual prediction interval of a sum of `h` further values where mean and
/// spread come from `n` earlier ones:
///
///     h·m ± t(n − 1; 0.9) · s · √(h + h²/n)
///
/// with `s` their standard deviation (NIST/SEMATECH e-Handbook of Statistical Methods, section
/// 2.7.1; for one value, `h` = 1, it is the textbook formula `s·√(1 + 1/n)`). It takes hours for
/// independent of each other, which a conversation is not: it is a hint, not a promise.
///
/// While fewer than six hours are known, the earlier days of the backend stand in for them: what is
/// left of the day costs the same part of a usual day. A day is then one value, so `h` is the part of
/// it that is left, in days.
struct CostForecaster {
  private let sofar: Double?
  private let days: [Double?]
  private let leftHours: Double
  private let hours: [Double]

  /// Hours that have to be known before they are believed.
  static let fewestHours = 6
  /// Days before today that have to be known where hours are not. The oldest of the list is left
  /// out: it is usually only a part (contract 5.1).
  static let fewestDays = 3

  /// - Parameters:
  ///   - today: dollars so far.
  ///   - days: dollars of the days of the list, oldest first, today last.
  ///   - hours: dollars of the last full hours, latest first.
  init(today: Double?, days: [Double?], nowMs: Int64, hours: [Double]) {
    sofar = today
    self.days = days
    self.hours = hours
    let dayMs: Int64 = 86_400_000
    let sinceMidnight = nowMs - Int64(CostDay.number(ofMs: nowMs)) * dayMs
    leftHours = Double(dayMs - sinceMidnight) / 3_600_000
  }

  var forecast: CostBook.Forecast? {
    guard let sofar else { return nil }
    if hours.count >= Self.fewestHours {
      return Self.forecast(sofar, of: hours, left: leftHours, basis: .hours(hours.count))
    }
    let known = days.dropLast().compactMap { $0 }.dropFirst()
    guard known.count >= Self.fewestDays else { return nil }
    return Self.forecast(
      sofar, of: Array(known), left: leftHours / 24, basis: .days(known.count))
  }

  private static func forecast(
    _ sofar: Double, of values: [Double], left: Double, basis: CostBook.Forecast.Basis
  ) -> CostBook.Forecast {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    // Less than one value is not an independent draw: its spread grows with it, not with its root.
    let spread = left < 1 ? left * left : left
    let deviation = (variance * (spread + left * left / count)).squareRoot()
    return CostBook.Forecast(
      usd: sofar + left * mean, plusMinus: Self.quantile(freedom: count - 1) * deviation,
      basis: basis)
  }

  /// The 0.9 quantile of Student's t, by its expansion around the normal one (Abramowitz and Stegun,
  /// 26.7.5): within 2 % from two degrees of freedom on.
  static func quantile(freedom: Double) -> Double {
    let z = 1.2815515655446004
    let cube = z * z * z
    let fifth = cube * z * z
    return z + (cube + z) / (4 * freedom)
      + (5 * fifth + 16 * cube + 3 * z) / (96 * freedom * freedom)
  }
}
