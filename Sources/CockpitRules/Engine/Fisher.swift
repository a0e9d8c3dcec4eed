internal import Foundation

/// Fisher's exact test (Fisher 1935), one-sided.
enum Fisher {
  /// The probability of at least `hits` among the first `n`, if both had the same share.
  static func more(_ hits: Int, of n: Int, than others: Int, of m: Int) -> Double {
    guard n > 0, m > 0, hits >= 0, others >= 0, hits <= n, others <= m else { return 1 }
    let all = hits + others
    func logChoose(_ n: Int, _ k: Int) -> Double {
      lgamma(Double(n + 1)) - lgamma(Double(k + 1)) - lgamma(Double(n - k + 1))
    }
    let whole = logChoose(n + m, all)
    var p = 0.0
    for k in hits...min(n, all) where all - k <= m {
      p += exp(logChoose(n, k) + logChoose(m, all - k) - whole)
    }
    return min(1, p)
  }
}
