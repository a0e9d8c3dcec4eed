internal import Foundation

/// How often a comparison of two series would see that one is 1.5 times as great: what a verdict "no difference"
/// is worth.
package struct Power: Hashable, Sendable {
  /// From 0 to 1.
  package var probability: Double

  /// The ratio that is meant.
  package static let ratio = 1.5

  /// - Parameters:
  ///   - a: the number of values of one series.
  ///   - rho: the correlation of neighbours, see `Ranks.serial`.
  ///   - spread: the standard deviation of the logarithms.
  package init(_ a: Int, _ b: Int, rho: Double, spread: Double = Self.tableSpread) {
    guard a > 0, b > 0 else {
      probability = 0
      return
    }
    // Series of unequal lengths tell as much as two of their harmonic mean; a wider spread needs its square more.
    let mean = 2 * Double(a) * Double(b) / Double(a + b)
    let scale = Self.tableSpread / max(spread, 0.05)
    let n = mean * min(scale * scale, 4)
    probability = Self.lookUp(n: n, rho: rho)
  }

  /// The standard deviation of logarithms around the shift between two series.
  package static func spread(_ a: [Double], _ b: [Double]) -> Double {
    var (squares, count) = (0.0, 0)
    for values in [a, b] where values.count > 1 {
      let logs = values.filter { $0 > 0 }.map { log($0) }
      let mean = logs.reduce(0, +) / Double(max(1, logs.count))
      squares += logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      count += max(0, logs.count - 1)
    }
    return count > 0 ? (squares / Double(count)).squareRoot() : tableSpread
  }

  /// `one time in four`.
  package var words: String {
    switch probability {
    case ..<0.08: "hardly ever"
    case ..<0.15: "one time in ten"
    case ..<0.225: "one time in five"
    case ..<0.29: "one time in four"
    case ..<0.42: "one time in three"
    case ..<0.58: "every second time"
    case ..<0.7: "two times in three"
    case ..<0.85: "three times in four"
    case ..<0.97: "nine times in ten"
    default: "nearly always"
    }
  }

  // MARK: The table

  /// The spread for which the table was made: lognormal values with this σ.
  package static let tableSpread = 0.5

  /// 3,000 simulated comparisons each by `SeriesComparison` (`SimulationTests.power` makes them anew): rows by
  /// `rhos`, columns by `counts`, which are those of each of two series.
  static let table: [[Double]] = [
    [0.04, 0.06, 0.08, 0.13, 0.22, 0.32, 0.45, 0.57, 0.77, 0.88, 0.94, 0.99, 1, 1, 1, 1],
    [0.04, 0.07, 0.10, 0.11, 0.15, 0.24, 0.32, 0.40, 0.57, 0.70, 0.80, 0.93, 0.97, 1, 1, 1],
    [0.05, 0.06, 0.08, 0.09, 0.11, 0.15, 0.20, 0.26, 0.34, 0.46, 0.55, 0.73, 0.84, 0.97, 1, 1],
    [
      0.05, 0.05, 0.06, 0.06, 0.08, 0.09, 0.10, 0.13, 0.18, 0.26, 0.30, 0.45, 0.57, 0.79, 0.9, 0.99,
    ],
  ]
  static let rhos: [Double] = [0, 0.2, 0.4, 0.6]
  static let counts: [Double] = [6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300]

  private static func lookUp(n: Double, rho: Double) -> Double {
    guard n >= counts[0] else { return table[0][0] * n / counts[0] }
    let (column, right) = place(n, in: counts)
    let (row, below) = place(rho, in: rhos)
    func along(_ row: Int) -> Double {
      let values = table[row]
      return values[column] + right * (values[min(column + 1, counts.count - 1)] - values[column])
    }
    return along(row) + below * (along(min(row + 1, rhos.count - 1)) - along(row))
  }

  /// The entry below a value, and how far it is towards the next.
  private static func place(_ value: Double, in axis: [Double]) -> (Int, Double) {
    let index = (axis.firstIndex { $0 > value } ?? axis.count) - 1
    guard index >= 0 else { return (0, 0) }
    guard index + 1 < axis.count else { return (index, 0) }
    return (index, (value - axis[index]) / (axis[index + 1] - axis[index]))
  }
}
