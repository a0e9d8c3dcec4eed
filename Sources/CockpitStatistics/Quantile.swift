/// A quantile of a sample, with an interval that assumes nothing about the distribution.
package struct Quantile: Hashable, Sendable {
  /// Between the neighbouring values, by linear interpolation (type 7 of Hyndman and Fan 1996).
  package var value: Double
  package var interval: Interval
  package var n: Int

  /// - Parameters:
  ///   - sample: in any order.
  ///   - p: 0.5 for the median.
  /// - Returns: nil below the least n, for which the sample has no interval.
  package init?(_ sample: [Double], _ p: Double, confidence: Double = Confidence.level) {
    let sorted = sample.sorted()
    guard let ranks = Self.ranks(of: sorted.count, p, confidence: confidence) else { return nil }
    value = Self.value(ofSorted: sorted, p)
    interval = Interval(sorted[ranks.lowerBound - 1], sorted[ranks.upperBound - 1])
    n = sorted.count
  }

  /// The quantile of a sorted sample, which must not be empty.
  package static func value(ofSorted sorted: [Double], _ p: Double) -> Double {
    let place = p * Double(sorted.count - 1)
    let below = min(max(0, Int(place)), sorted.count - 1)
    guard below + 1 < sorted.count else { return sorted[below] }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
  }

  /// The median of a sample; nil if it is empty.
  package static func median(_ sample: [Double]) -> Double? {
    sample.isEmpty ? nil : value(ofSorted: sample.sorted(), 0.5)
  }

  /// The ranks, from 1, of the order statistics that enclose the quantile with at least this confidence: Hahn
  /// and Meeker, Statistical Intervals (1991), 5.2. The error is divided equally between the ends where both can
  /// have a half, else the end that cannot is the extreme and the other has the rest.
  ///
  /// - Returns: nil if even smallest and largest do not enclose it so surely.
  static func ranks(of n: Int, _ p: Double, confidence: Double) -> ClosedRange<Int>? {
    guard n > 0 else { return nil }
    let error = 1 - confidence
    // The interval misses when fewer than `low` values lie below the quantile, or `high` or more.
    let leastLow = Binomial.cumulative(0, of: n, p)
    let leastHigh = Binomial.atLeast(n, of: n, p)
    guard leastLow + leastHigh <= error else { return nil }
    let forLow = leastHigh > error / 2 ? error - leastHigh : error / 2
    let forHigh = leastLow > error / 2 ? error - leastLow : error / 2
    var low = 1
    if leastLow <= forLow {
      while low < n, Binomial.cumulative(low, of: n, p) <= forLow { low += 1 }
    }
    var high = n
    if leastHigh <= forHigh {
      while high > 1, Binomial.atLeast(high - 1, of: n, p) <= forHigh { high -= 1 }
    }
    return low < high ? low...high : nil
  }

  /// The least number of values for which the quantile has an interval: 6 for the median, 29 for p90, 59 for p95.
  package static func leastCount(_ p: Double, confidence: Double = Confidence.level) -> Int {
    var n = 2
    while ranks(of: n, p, confidence: confidence) == nil { n += 1 }
    return n
  }
}
