internal import Foundation

/// The gamma distribution with scale 1.
enum Gamma {
  /// The regularized lower incomplete gamma function: a series below the mean, Lentz's continued fraction
  /// above it (Press et al., Numerical Recipes, 3rd edition, 6.2).
  static func cumulative(_ x: Double, _ a: Double) -> Double {
    guard x > 0 else { return 0 }
    let front = exp(a * log(x) - x - lgamma(a).0)
    if x < a + 1 {
      var term = 1 / a
      var sum = term
      var n = a
      while abs(term) > abs(sum) * 1e-17 {
        n += 1
        term *= x / n
        sum += term
      }
      return front * sum
    }
    var b = x + 1 - a
    var c = 1e300
    var d = 1 / b
    var result = d
    for step in 1...100_000 {
      let i = Double(step)
      let an = -i * (i - a)
      b += 2
      d = an * d + b
      if abs(d) < 1e-300 { d = 1e-300 }
      c = b + an / c
      if abs(c) < 1e-300 { c = 1e-300 }
      d = 1 / d
      result *= d * c
      if abs(d * c - 1) < 1e-16 { break }
    }
    return 1 - front * result
  }

  /// The value that is not exceeded with probability `p`.
  static func quantile(_ p: Double, _ a: Double) -> Double {
    guard p > 0 else { return 0 }
    var high = a + 1
    while cumulative(high, a) < p, high < 1e12 { high *= 2 }
    return bisect(0, high) { cumulative($0, a) >= p }
  }
}
