/// A number of bytes as people write it: `64MiB`, `256M`, `1G`, `67108864`.
package struct ByteCount: Hashable, Sendable {
  /// Bytes.
  package let value: Int

  /// The smallest and the largest sensible ring: one large snapshot, and the most memory a terminal
  /// tool should use.
  package static let range = (4 << 20)...(4 << 30)

  /// nil if the text is no size or out of range. Units are powers of 1024.
  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), digits.count < 13 else { return nil }
    let unit = text.dropFirst(digits.count).trimmingPrefix(" ").lowercased()
    let shift: Int
    switch unit {
    case "", "b": shift = 0
    case "k", "kb", "kib": shift = 10
    case "m", "mb", "mib": shift = 20
    case "g", "gb", "gib": shift = 30
    default: return nil
    }
    let (value, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
    guard !overflow, Self.range.contains(value) else { return nil }
    self.value = value
  }
}
