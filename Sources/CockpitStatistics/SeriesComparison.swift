/// Two series of positive values, such as latencies in the order of their turns, compared.
package struct SeriesComparison: Hashable, Sendable {
  /// `b / a`, Hodges and Lehmann's.
  package var ratio: Double
  /// With the confidence that a verdict needs; nil where the series are too short for one.
  package var interval: Interval?
  /// Of Mann and Whitney's test, two-sided.
  package var p: Double
  /// The lag-1 correlation of ranks by which both are widened; at least 0.
  package var rho: Double

  /// A difference is told below it.
  package static let limit = 1 - Confidence.difference
  /// A smaller difference matters to nobody.
  package static let leastRatio = 1.2

  /// - Parameter runs: the stretches in which values follow each other, where these are not `a` and `b` themselves
  ///   but parts of them: days.
  /// - Returns: nil if a series is empty or has a value that is not positive.
  package init?(_ a: [Double], _ b: [Double], runs: [[Double]]? = nil) {
    rho = Ranks.serial(runs ?? [a, b])
    let widening = Ranks.widening(rho)
    guard
      let shift = HodgesLehmann(
        a, b, widening: widening, confidence: Confidence.difference),
      let test = MannWhitney(a, b, widening: widening)
    else { return nil }
    ratio = shift.ratio
    interval = shift.interval
    p = test.p
  }

  package var isGreater: Bool {
    guard let interval else { return false }
    return p < Self.limit && interval.low > 1 && ratio >= Self.leastRatio
  }

  package var isSmaller: Bool {
    guard let interval else { return false }
    return p < Self.limit && interval.high < 1 && ratio <= 1 / Self.leastRatio
  }
}
