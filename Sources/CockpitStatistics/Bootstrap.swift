internal import Foundation

/// A small generator of random numbers with a seed: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// At least 0 and below 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// From 0 up to a limit below 2³². The bias of the product is below 1 in 2³² values.
  mutating func place(below count: Int) -> Int {
    Int(((next() >> 32) &* UInt64(count)) >> 32)
  }
}

/// Intervals by drawing again from the samples: bias-corrected and accelerated (BCa), Efron, JASA 82 (1987),
/// 171-185; of several samples as in Efron and Tibshirani (1993), 14.3.
package enum Bootstrap {
  package static let draws = 2000

  /// The interval of the mean of a sample; nil for fewer than two values.
  package static func mean(
    _ sample: [Double], confidence: Double = Confidence.level, draws: Int = draws,
    using random: inout SplitMix64
  ) -> Interval? {
    guard sample.count > 1 else { return nil }
    let estimate = mean(sample)
    let drawn = (0..<draws).map { _ in drawnMean(sample, &random) }
    return interval(
      of: drawn, around: estimate, jackknife: [leftOut(sample)], confidence: confidence)
  }

  /// The interval of the mean of `b` over that of `a`; nil for fewer than two values or a mean of 0.
  package static func ratio(
    _ a: [Double], _ b: [Double], confidence: Double = Confidence.level, draws: Int = draws,
    using random: inout SplitMix64
  ) -> (value: Double, interval: Interval)? {
    guard a.count > 1, b.count > 1 else { return nil }
    let (below, above) = (mean(a), mean(b))
    guard below > 0 else { return nil }
    let estimate = above / below
    let drawn = (0..<draws).map { _ in
      let under = drawnMean(a, &random)
      let over = drawnMean(b, &random)
      return under > 0 ? over / under : .infinity
    }
    let left = leftOut(a).map { $0 > 0 ? above / $0 : .infinity }
    let right = leftOut(b).map { $0 / below }
    guard left.allSatisfy(\.isFinite),
      let interval = interval(
        of: drawn, around: estimate, jackknife: [left, right], confidence: confidence)
    else { return nil }
    return (estimate, interval)
  }

  /// - Parameters:
  ///   - drawn: the statistic of each draw.
  ///   - jackknife: the statistic without each value, for each sample.
  static func interval(
    of drawn: [Double], around estimate: Double, jackknife: [[Double]], confidence: Double
  ) -> Interval? {
    let sorted = drawn.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    guard first < last else { return Interval(first, last) }
    let below = drawn.count { $0 < estimate }
    let notAbove = drawn.count { $0 <= estimate }
    let bias = Normal.quantile(Double(below + notAbove) / Double(2 * drawn.count))
    // Every draw on one side: nothing to correct by.
    guard bias.isFinite else { return Interval(first, last) }
    var (cubes, squares) = (0.0, 0.0)
    for values in jackknife {
      let middle = mean(values)
      let n = Double(values.count)
      for value in values {
        let influence = (n - 1) * (middle - value) / n
        cubes += influence * influence * influence
        squares += influence * influence
      }
    }
    let acceleration = squares > 0 ? cubes / (6 * squares * squares.squareRoot()) : 0
    func end(_ p: Double) -> Double {
      let z = bias + Normal.quantile(p)
      let place = Normal.cumulative(bias + z / (1 - acceleration * z))
      return Quantile.value(ofSorted: sorted, place)
    }
    let half = (1 - confidence) / 2
    return Interval(end(half), end(1 - half))
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }

  private static func drawnMean(_ sample: [Double], _ random: inout SplitMix64) -> Double {
    var sum = 0.0
    for _ in sample.indices { sum += sample[random.place(below: sample.count)] }
    return sum / Double(sample.count)
  }

  /// The mean without each value.
  private static func leftOut(_ sample: [Double]) -> [Double] {
    let sum = sample.reduce(0, +)
    return sample.map { (sum - $0) / Double(sample.count - 1) }
  }
}
