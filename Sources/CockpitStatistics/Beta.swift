internal import Foundation

/// The beta distribution, and with it the binomial one.
enum Beta {
  /// The regularized incomplete beta function, by Lentz's continued fraction (Press et al., Numerical Recipes,
  /// 3rd edition, 6.4).
  static func cumulative(_ x: Double, _ a: Double, _ b: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    let front = exp(
      lgamma(a + b).0 - lgamma(a).0 - lgamma(b).0 + a * log(x) + b * log1p(-x))
    // The fraction converges fast below the mean, and above it for the mirrored function.
    return x < (a + 1) / (a + b + 2)
      ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b
  }

  /// The value that is not exceeded with probability `p`.
  static func quantile(_ p: Double, _ a: Double, _ b: Double) -> Double {
    if p <= 0 { return 0 }
    if p >= 1 { return 1 }
    return bisect(0, 1) { cumulative($0, a, b) >= p }
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func whole(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / whole(1 - (a + b) * x / (a + 1))
    var result = d
    for step in 1...100_000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / whole(1 + even * d)
      c = whole(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / whole(1 + odd * d)
      c = whole(1 + odd / c)
      let change = d * c
      result *= change
      if abs(change - 1) < 1e-16 { break }
    }
    return result
  }
}

/// The binomial distribution.
enum Binomial {
  /// The probability of at most `k` successes in `n` trials.
  static func cumulative(_ k: Int, of n: Int, _ p: Double) -> Double {
    if k < 0 { return 0 }
    if k >= n { return 1 }
    return 1 - Beta.cumulative(p, Double(k + 1), Double(n - k))
  }

  /// The probability of at least `k` successes in `n` trials.
  static func atLeast(_ k: Int, of n: Int, _ p: Double) -> Double {
    if k <= 0 { return 1 }
    if k > n { return 0 }
    return Beta.cumulative(p, Double(k), Double(n - k + 1))
  }
}
