internal import Foundation

/// The standard normal distribution.
package enum Normal {
  /// The probability of a value up to `z`.
  package static func cumulative(_ z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }

  /// The value that is not exceeded with probability `p`; infinite for 0 and 1.
  package static func quantile(_ p: Double) -> Double {
    guard p > 0 else { return -.infinity }
    guard p < 1 else { return .infinity }
    // The lower tail keeps its digits, the upper one does not.
    if p > 0.5 { return -quantile(1 - p) }
    return bisect(-40, 0) { cumulative($0) >= p }
  }

  /// The two-sided p of a statistic.
  package static func twoSided(_ z: Double) -> Double { min(1, 2 * cumulative(-abs(z))) }

  /// The size of the statistic that has this two-sided p.
  package static func statistic(twoSided p: Double) -> Double { -quantile(p / 2) }
}

/// The smallest value between two for which a condition that stays true holds, to the last digit.
func bisect(_ low: Double, _ high: Double, _ isReached: (Double) -> Bool) -> Double {
  var (low, high) = (low, high)
  while true {
    let middle = low + (high - low) / 2
    guard middle > low, middle < high else { return high }
    if isReached(middle) { high = middle } else { low = middle }
  }
}
