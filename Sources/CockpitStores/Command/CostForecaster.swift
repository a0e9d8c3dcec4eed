internal import Foundation

/// Forecasts the cost of the UTC day from recent spending.
///
/// The forecast is never below what the current rate gives. With six hours or more known, the rate
/// is expected to decay to their mean within about half an hour, and the interval covers the true
/// value about four times in five: the 0.1 and 0.9 quantiles of a gamma distribution (costs are
/// never negative and have a long upper tail), extended to the 0.9 quantile of recent periods of
/// the same length. The constants were fitted to several kinds of simulated evenings
/// (`CostForecastTests`); it is a hint, not a promise.
///
/// With fewer hours there is no interval, because their spread is unknown.
struct CostForecaster {
  private let sofar: Double?
  private let days: [Double?]
  private let leftHours: Double
  private let slots: [Double]
  private let rate: CostSummary.Rate?

  /// The length of a slot.
  static let slotMs: Int64 = 300_000
  private static let slotsPerHour = 12.0
  /// Hours that must be known for an hourly forecast.
  static let fewestHours = 6
  /// Days before today that must be known otherwise. The oldest in the list is left out: it is
  /// usually partial (contract 5.1).
  static let fewestDays = 3
  /// How long a rate persists, in hours.
  private static let persistence = 0.5
  /// The normal distribution's 0.9 quantile.
  private static let z = 1.2815515655446004

  /// - Parameters:
  ///   - today: dollars so far.
  ///   - days: dollars of the days of the list, oldest first, today last.
  ///   - slots: dollars of the last slots, latest first, as far back as they are known.
  ///   - rate: the present one.
  init(today: Double?, days: [Double?], nowMs: Int64, slots: [Double], rate: CostSummary.Rate?) {
    sofar = today
    self.days = days
    self.slots = slots
    self.rate = rate
    let dayMs: Int64 = 86_400_000
    let sinceMidnight = nowMs - Int64(UTCDay.number(ofMs: nowMs)) * dayMs
    leftHours = Double(dayMs - sinceMidnight) / 3_600_000
  }

  /// nil if there is nothing to extrapolate.
  var forecast: CostSummary.Forecast? {
    guard let sofar else { return nil }
    let hours = Int(Double(slots.count) / Self.slotsPerHour)
    if hours >= Self.fewestHours { return ofHours(hours, sofar) }
    var best: CostSummary.Forecast?
    func consider(_ usd: Double, _ basis: CostSummary.Forecast.Basis) {
      if best.map({ usd > $0.usd }) ?? true { best = CostSummary.Forecast(usd: usd, basis: basis) }
    }
    if let rate { consider(sofar + rate.usdPerHour * leftHours, .rate(overMs: rate.overMs)) }
    let known = days.dropLast().compactMap { $0 }.dropFirst()
    if known.count >= Self.fewestDays {
      let mean = known.reduce(0, +) / Double(known.count)
      consider(sofar + mean * leftHours / 24, .days(known.count))
    }
    return best
  }

  private func ofHours(_ hours: Int, _ sofar: Double) -> CostSummary.Forecast {
    let known = Double(slots.count) / Self.slotsPerHour
    let mean = slots.reduce(0, +) / known
    let now = rate?.usdPerHour ?? slots.prefix(3).reduce(0, +) * 4
    let fading = Self.persistence * (1 - exp(-leftHours / Self.persistence))
    let expected = mean * leftHours + (now - mean) * fading
    let steady = now * leftHours

    // Sums over windows as long as the remaining time, or as long as six of them fit.
    let width = max(1, min(Int((leftHours * Self.slotsPerHour).rounded()), slots.count / 6))
    let sums = Self.sums(of: slots, width)
    let span = Double(width) / Self.slotsPerHour
    let center = sums.reduce(0, +) / Double(sums.count)
    let spread = sums.reduce(0) { $0 + ($1 - center) * ($1 - center) } / Double(sums.count)
    let draws = known / span
    let ratio = leftHours / span
    let oneSpan = spread * draws / (draws - 1)
    // Between independent (1) and the same all the time (2).
    var variance = oneSpan * pow(ratio, ratio < 1 ? 1.5 : 1.3)
    // The mean itself is known only so well.
    variance += spread * ratio * ratio * span / known
    // Noise from single calls: half the mean square of successive differences, per dollar.
    let pairs = zip(slots, slots.dropFirst())
    let noise = pairs.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Double(slots.count - 1) / 2
    let grain = mean > 0 ? noise * Self.slotsPerHour / mean : 0
    variance = max(1.2 * variance, grain * expected)
    variance += grain * now * fading * fading * 4

    let usual = sums.sorted()[min(sums.count - 1, sums.count * 9 / 10)] * ratio
    let low = Self.quantile(-Self.z, mean: expected, variance: variance)
    var high = max(Self.quantile(Self.z, mean: expected, variance: variance), usual)
    if steady > expected {
      high = max(high, steady + Self.z * (grain * steady * (0.5 + 2 * leftHours)).squareRoot())
    }
    return CostSummary.Forecast(
      usd: sofar + max(expected, steady),
      // Hours that cost nothing at all do not say how much the next ones may differ.
      interval: mean > 0 ? sofar + low...sofar + max(low, high) : nil, hours: hours,
      basis: steady > expected ? .rate(overMs: rate?.overMs ?? 3 * Self.slotMs) : .hours(hours))
  }

  /// Sums of all windows of `width` slots.
  private static func sums(of slots: [Double], _ width: Int) -> [Double] {
    var sum = slots.prefix(width).reduce(0, +)
    var sums = [sum]
    for index in width..<max(width, slots.count) {
      sum += slots[index] - slots[index - width]
      sums.append(max(0, sum))
    }
    return sums
  }

  /// A quantile of a gamma distribution, from that of the normal one (Wilson and Hilferty 1931).
  private static func quantile(_ z: Double, mean: Double, variance: Double) -> Double {
    guard mean > 0 else { return 0 }
    guard variance > 0 else { return mean }
    let shape = mean * mean / variance
    let root = max(0, 1 - 1 / (9 * shape) + z / (3 * shape.squareRoot()))
    return mean * root * root * root
  }
}
