/// What the figures of a table are. Dollars are counted in billionths, everything else but `count` in
/// millionths, so that nothing is lost in adding.
package enum TableUnit: Hashable, Sendable {
  case count, usd, milliseconds, tokens, number

  /// How many parts a whole has.
  package var scale: Int64 {
    switch self {
    case .count: 1
    case .usd: 1_000_000_000
    case .milliseconds, .tokens, .number: 1_000_000
    }
  }
}
