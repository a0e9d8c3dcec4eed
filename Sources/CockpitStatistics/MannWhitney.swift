/// The rank test of two samples: Mann and Whitney, Annals of Mathematical Statistics 18 (1947), 50-60.
package struct MannWhitney: Hashable, Sendable {
  /// Pairs in which `b` is greater; equal ones count half.
  package var u: Double
  /// Two-sided.
  package var p: Double

  /// - Parameter widening: the factor by which the standard error is too small, see `Ranks.widening`.
  /// - Returns: nil if a sample is empty.
  package init?(_ a: [Double], _ b: [Double], widening: Double = 1) {
    guard !a.isEmpty, !b.isEmpty else { return nil }
    let all = a + b
    let ranks = Ranks.of(all)
    let ties = Ranks.ties(all)
    let (n, m) = (Double(a.count), Double(b.count))
    u = ranks[a.count...].reduce(0, +) - m * (m + 1) / 2
    if ties == 0, widening == 1, max(a.count, b.count) <= Self.exactLimit {
      p = Self.exact(u, a.count, b.count)
      return
    }
    let total = n + m
    let variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)))
    guard variance > 0 else {
      p = 1
      return
    }
    let distance = max(0, abs(u - n * m / 2) - 0.5)
    p = Normal.twoSided(distance / variance.squareRoot() / widening)
  }

  /// Above it the normal approximation is as good.
  private static let exactLimit = 25

  /// From the number of orders that have each U, by the recurrence of the paper.
  private static func exact(_ u: Double, _ n: Int, _ m: Int) -> Double {
    // How many ways there are to choose i of the first j ranks with each sum.
    var ways = [[Double]](
      repeating: [Double](repeating: 0, count: n * m + 1), count: m + 1)
    ways[0][0] = 1
    for j in 1...(n + m) {
      for i in stride(from: min(j, m), through: 1, by: -1) {
        // The j-th value, taken as the i-th of `b`, is above j - i of `a`.
        let above = j - i
        guard above <= n else { continue }
        for sum in stride(from: n * m, through: above, by: -1) {
          ways[i][sum] += ways[i - 1][sum - above]
        }
      }
    }
    let counts = ways[m]
    let all = counts.reduce(0, +)
    let place = Int(max(u, Double(n * m) - u).rounded(.up))
    return min(1, 2 * counts[place...].reduce(0, +) / all)
  }
}
