/// A span of history: a number and one of s, m, h, d.
package struct HistoryDuration: Sendable {
  /// Milliseconds.
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package init?(_ text: String) {
    guard let unit = text.last, let value = Double(text.dropLast()), value.isFinite, value > 0
    else {
      return nil
    }
    let scale: Double
    switch unit {
    case "s": scale = 1000
    case "m": scale = 60_000
    case "h": scale = 3_600_000
    case "d": scale = 86_400_000
    default: return nil
    }
    guard value * scale <= 366 * 86_400_000 else { return nil }
    milliseconds = Int64(value * scale)
  }
}
