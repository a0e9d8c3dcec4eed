internal import Foundation

/// Whether two shares differ, exact for any numbers: Fisher, The Design of Experiments (1935), II.
package enum FisherExact {
  /// The two-sided p: all tables with the same margins that are not more probable than this one.
  package static func p(_ a: Share, _ b: Share) -> Double {
    let hits = a.hits + b.hits
    let all = a.n + b.n
    func logChoose(_ n: Int, _ k: Int) -> Double {
      lgamma(Double(n + 1)).0 - lgamma(Double(k + 1)).0 - lgamma(Double(n - k + 1)).0
    }
    func probability(_ k: Int) -> Double {
      exp(logChoose(a.n, k) + logChoose(b.n, hits - k) - logChoose(all, hits))
    }
    let possible = max(0, hits - b.n)...min(hits, a.n)
    // Equal probabilities may differ in the last digits.
    let limit = probability(a.hits) * (1 + 1e-7)
    return min(1, possible.map(probability).filter { $0 <= limit }.reduce(0, +))
  }
}
