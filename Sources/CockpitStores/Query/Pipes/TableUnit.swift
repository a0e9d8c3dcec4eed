/// The unit of a table's figures. Dollars are counted in billionths, everything else but `count` in
/// millionths, so that sums are exact.
package enum TableUnit: Hashable, Sendable {
  case count, usd, milliseconds, tokens, number

  /// Number of parts per unit.
  package var scale: Int64 {
    switch self {
    case .count: 1
    case .usd: 1_000_000_000
    case .milliseconds, .tokens, .number: 1_000_000
    }
  }
}
