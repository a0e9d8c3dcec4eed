/// How many events in so much exposure, such as failures in replies.
package struct EventRate: Hashable, Sendable {
  package var count: Int
  package var exposure: Double
  /// Variance over mean of the counts of equal stretches: 1 where events come independently of one another. A
  /// cluster of events tells as much as `count / dispersion` independent ones.
  package var dispersion: Double

  package init(_ count: Int, per exposure: Double, dispersion: Double = 1) {
    self.count = count
    self.exposure = exposure
    self.dispersion = max(1, dispersion)
  }

  package var value: Double? { exposure > 0 ? Double(count) / exposure : nil }

  /// The exact interval of Garwood, Biometrika 28 (1936), 437-442, with chi-squared quantiles.
  package func interval(confidence: Double = Confidence.level) -> Interval? {
    guard exposure > 0 else { return nil }
    let half = (1 - confidence) / 2
    let counted = Double(count) / dispersion
    let low = count == 0 ? 0 : Gamma.quantile(half, counted)
    let high = Gamma.quantile(1 - half, counted + 1)
    return Interval(low * dispersion / exposure, high * dispersion / exposure)
  }

  /// Variance over mean of counts; 1 if there are fewer than two or no events.
  package static func dispersion(of counts: [Int]) -> Double {
    guard counts.count > 1 else { return 1 }
    let mean = Double(counts.reduce(0, +)) / Double(counts.count)
    guard mean > 0 else { return 1 }
    let squares = counts.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return squares / Double(counts.count - 1) / mean
  }

  /// Two rates compared.
  package struct Comparison: Hashable, Sendable {
    /// `b / a`; infinite where only `b` has events, nil where neither has.
    package var ratio: Double?
    package var interval: Interval
    /// Two-sided, the doubled smaller tail.
    package var p: Double
  }

  /// The conditional test of Przyborowski and Wilenski, Biometrika 31 (1940), 313-323: given all events, those
  /// of `b` are binomial. The interval is the one of Clopper and Pearson (1934). Both use the counts divided by the
  /// greater dispersion, which widens them by its root.
  package static func compare(
    _ a: EventRate, _ b: EventRate, confidence: Double = Confidence.level
  ) -> Comparison? {
    guard a.exposure > 0, b.exposure > 0 else { return nil }
    guard a.count + b.count > 0 else {
      return Comparison(ratio: nil, interval: Interval(0, .infinity), p: 1)
    }
    let phi = max(a.dispersion, b.dispersion)
    let (x, y) = (Double(a.count) / phi, Double(b.count) / phi)
    let scale = a.exposure / b.exposure
    let p0 = b.exposure / (a.exposure + b.exposure)
    let half = (1 - confidence) / 2
    let atMost = x == 0 ? 1 : 1 - Beta.cumulative(p0, y + 1, x)
    let atLeast = y == 0 ? 1 : Beta.cumulative(p0, y, x + 1)
    let low = y == 0 ? 0 : Beta.quantile(half, y, x + 1)
    let high = x == 0 ? 1 : Beta.quantile(1 - half, y + 1, x)
    return Comparison(
      ratio: x == 0 ? .infinity : y / x * scale,
      interval: Interval(low / (1 - low) * scale, high < 1 ? high / (1 - high) * scale : .infinity),
      p: min(1, 2 * min(atMost, atLeast)))
  }
}
