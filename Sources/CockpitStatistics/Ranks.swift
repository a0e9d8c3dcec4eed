/// Ranks of values.
package enum Ranks {
  /// The ranks from 1; equal values share their mean.
  package static func of(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    forEachTie(order, values) { range in
      let mean = Double(range.lowerBound + range.upperBound + 1) / 2
      for place in range { ranks[order[place]] = mean }
    }
    return ranks
  }

  /// The sum of t³ - t over the groups of equal values, for the variance of rank sums.
  static func ties(_ values: [Double]) -> Double {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var sum = 0.0
    forEachTie(order, values) { range in
      let t = Double(range.count)
      sum += t * t * t - t
    }
    return sum
  }

  private static func forEachTie(
    _ order: [Int], _ values: [Double], _ body: (Range<Int>) -> Void
  ) {
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      body(start..<end)
      start = end
    }
  }

  /// How much each value is like the one before it: the lag-1 correlation of ranks, within each series, pooled
  /// over all. 0 for series without variation.
  package static func lagOne(_ series: [[Double]]) -> Double {
    var (product, square) = (0.0, 0.0)
    for values in series where values.count > 1 {
      let ranks = of(values)
      let mean = Double(values.count + 1) / 2
      for place in ranks.indices {
        square += (ranks[place] - mean) * (ranks[place] - mean)
        if place > 0 { product += (ranks[place] - mean) * (ranks[place - 1] - mean) }
      }
    }
    return square > 0 ? product / square : 0
  }

  /// The same without its bias, at least 0: an estimate from n values is too small by (1 + 4ρ)/n on average, as
  /// the mean is estimated too (Marriott and Pope, Biometrika 41 (1954), 390-402). Without this ten turns that
  /// follow each other make too many false alarms.
  package static func serial(_ series: [[Double]]) -> Double {
    let long = series.filter { $0.count > 1 }
    guard !long.isEmpty else { return 0 }
    let n = Double(long.reduce(0) { $0 + $1.count }) / Double(long.count)
    guard n > 5 else { return max(0, lagOne(long)) }
    return min(max(0, (lagOne(long) * n + 1) / (n - 4)), 0.95)
  }

  /// By how much a standard error is too small where values follow each other with a lag-1 correlation: that of a
  /// first-order autoregression, √((1+ρ)/(1-ρ)) (Bayley and Hammersley 1946). At least 1.
  package static func widening(_ rho: Double) -> Double {
    let rho = min(max(0, rho), 0.95)
    return ((1 + rho) / (1 - rho)).squareRoot()
  }
}
