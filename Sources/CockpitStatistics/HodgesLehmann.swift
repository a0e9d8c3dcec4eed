internal import Foundation

/// How many times as great the values of one sample are: the shift of Hodges and Lehmann, Annals of Mathematical
/// Statistics 34 (1963), 598-611, of the logarithms.
package struct HodgesLehmann: Hashable, Sendable {
  /// `b / a`: the median of all ratios between a value of `b` and one of `a`.
  package var ratio: Double
  /// The ratios that the Mann-Whitney test does not reject, by its normal approximation; nil where the samples
  /// are too small for one.
  package var interval: Interval?

  /// - Parameters:
  ///   - a: positive values.
  ///   - widening: see `Ranks.widening`.
  /// - Returns: nil if a sample is empty or has a value that is not positive.
  package init?(
    _ a: [Double], _ b: [Double], widening: Double = 1, confidence: Double = Confidence.level
  ) {
    guard !a.isEmpty, !b.isEmpty, a.allSatisfy({ $0 > 0 }), b.allSatisfy({ $0 > 0 }) else {
      return nil
    }
    let differences = PairwiseDifferences(a.map { log($0) }, b.map { log($0) })
    let all = differences.count
    ratio = exp((differences[(all + 1) / 2] + differences[all / 2 + 1]) / 2)
    let z = Normal.statistic(twoSided: 1 - confidence) * widening
    let spread = (Double(all) * Double(a.count + b.count + 1) / 12).squareRoot()
    let rank = Int((Double(all) / 2 - z * spread).rounded(.down))
    if rank >= 1 {
      interval = Interval(exp(differences[rank]), exp(differences[all + 1 - rank]))
    }
  }
}

/// All differences between two samples by their ranks, without making them: a month of turns has a million pairs.
struct PairwiseDifferences {
  private let a: [Double]
  private let b: [Double]

  init(_ a: [Double], _ b: [Double]) {
    self.a = a.sorted()
    self.b = b.sorted()
  }

  var count: Int { a.count * b.count }

  /// The difference `b - a` of a rank from 1. Found by halving the range of all doubles, so it is exact.
  subscript(rank: Int) -> Double {
    var low = Self.key((b.first ?? 0) - (a.last ?? 0))
    var high = Self.key((b.last ?? 0) - (a.first ?? 0))
    while low < high {
      // The mean, rounded down, without overflow.
      let middle = (low & high) + ((low ^ high) >> 1)
      if atMost(Self.value(middle)) >= rank { high = middle } else { low = middle + 1 }
    }
    return Self.value(low)
  }

  /// How many differences are not greater.
  private func atMost(_ limit: Double) -> Int {
    var sum = 0
    var place = 0
    for value in a {
      while place < b.count, b[place] - value <= limit { place += 1 }
      sum += place
    }
    return sum
  }

  /// Whole numbers in the order of the doubles.
  private static func key(_ value: Double) -> Int64 {
    let bits = Int64(bitPattern: (value == 0 ? 0 : value).bitPattern)
    return bits < 0 ? Int64.min - bits - 1 : bits
  }

  private static func value(_ key: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: key < 0 ? Int64.min - key - 1 : key))
  }
}
