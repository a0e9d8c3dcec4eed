/// How many of a number: a proportion.
package struct Share: Hashable, Sendable {
  package var hits: Int
  package var n: Int

  package init(_ hits: Int, of n: Int) {
    self.hits = hits
    self.n = n
  }

  /// nil of nothing.
  package var value: Double? { n > 0 ? Double(hits) / Double(n) : nil }

  /// The score interval of Wilson, JASA 22 (1927), 209-212, without a correction for continuity.
  package func interval(confidence: Double = Confidence.level) -> Interval? {
    guard n > 0 else { return nil }
    let z = Normal.statistic(twoSided: 1 - confidence)
    let (n, hits) = (Double(n), Double(hits))
    let p = hits / n
    let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    // 0 of n begins at 0, whatever is lost to rounding.
    return Interval(hits == 0 ? 0 : middle - half, hits == n ? 1 : middle + half)
  }

  /// The interval of `b - a`: number 10 of Newcombe, Statistics in Medicine 17 (1998), 873-890.
  package static func difference(
    _ a: Share, _ b: Share, confidence: Double = Confidence.level
  ) -> (value: Double, interval: Interval)? {
    guard let p1 = a.value, let p2 = b.value, let i1 = a.interval(confidence: confidence),
      let i2 = b.interval(confidence: confidence)
    else { return nil }
    func root(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    let d = p2 - p1
    return (
      d, Interval(d - root(p2 - i2.low, i1.high - p1), d + root(i2.high - p2, p1 - i1.low))
    )
  }
}
