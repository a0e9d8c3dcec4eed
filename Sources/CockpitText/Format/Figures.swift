import Foundation
import TerminalCore

/// Numbers as the screen writes them: fixed widths, `-` for unknown, and never torn by NaN,
/// infinities or numbers too large for their column (promise P11).
package enum Figures {
  /// A whole number with thousands separators, or SI-shortened from a million: `1,842`, `12.3M`.
  package static func count(_ value: Int?) -> PlainText {
    guard let value else { return "-" }
    if value.magnitude >= 1_000_000 { return short(Double(value)) }
    return PlainText(grouped(value))
  }

  /// Tokens and sizes: `340`, `1.2k`, `24k`, `3.4M`.
  package static func short(_ value: Double?) -> PlainText {
    guard let value, value.isFinite else { return "-" }
    if value >= 0, value < 999, value == value.rounded() { return PlainText(String(Int(value))) }
    let magnitude = abs(value)
    let sign = value < 0 ? "-" : ""
    for (limit, divisor, unit) in [
      (999.5, 1.0, ""), (999_500, 1e3, "k"), (999.5e6, 1e6, "M"), (999.5e9, 1e9, "G"),
      (999.5e12, 1e12, "T"),
    ] where magnitude < limit {
      let scaled = magnitude / divisor
      let digits = divisor > 1 && scaled < 9.95 ? 1 : 0
      return PlainText("\(sign)\(fixed(scaled, digits))\(unit)")
    }
    return PlainText("\(sign)>999T")
  }

  /// Money: four decimals below a cent, two above, `$1.2k` from 10,000 on; `-` for unknown.
  package static func cost(_ usd: Double?) -> PlainText {
    guard let usd, usd.isFinite else { return "-" }
    let magnitude = abs(usd)
    let sign = usd < 0 ? "-" : ""
    if magnitude == 0 { return "$0" }
    if magnitude < 0.00005 { return PlainText("\(sign)<$0.0001") }
    if magnitude < 0.995 { return PlainText("\(sign)$\(fixed(magnitude, 4))") }
    if magnitude < 10_000 { return PlainText("\(sign)$\(fixed(magnitude, 2))") }
    return "\(sign)$\(short(magnitude).description)"
  }

  /// A duration: `45ms`, `1.25s`, `12.4s`, `3m05s`, `2h10m`, `4d03h`.
  package static func duration(ms: Double?) -> PlainText {
    guard let ms, ms.isFinite, ms >= 0 else { return "-" }
    if ms < 999.5 { return PlainText("\(fixed(ms, 0))ms") }
    if ms < 9_995 { return PlainText("\(fixed(ms / 1000, 2))s") }
    if ms < 59_950 { return PlainText("\(fixed(ms / 1000, 1))s") }
    guard ms < 1e15 else { return ">999d" }
    let seconds = Int64((ms / 1000).rounded())
    if seconds < 3600 { return PlainText("\(seconds / 60)m\(two(seconds % 60))s") }
    if seconds < 86_400 { return PlainText("\(seconds / 3600)h\(two(seconds / 60 % 60))m") }
    let days = seconds / 86_400
    return days > 999 ? ">999d" : PlainText("\(days)d\(two(seconds / 3600 % 24))h")
  }

  /// Time until, in two units and rounded down: `57s`, `4m57s`, `1h59m`, `2d03h`.
  package static func left(ms: Int64?) -> PlainText {
    guard let ms else { return "-" }
    let seconds = max(0, ms) / 1000
    if seconds < 60 { return PlainText("\(seconds)s") }
    if seconds < 3600 { return PlainText("\(seconds / 60)m\(two(seconds % 60))s") }
    if seconds < 86_400 { return PlainText("\(seconds / 3600)h\(two(seconds / 60 % 60))m") }
    let days = seconds / 86_400
    return days > 999 ? ">999d" : PlainText("\(days)d\(two(seconds / 3600 % 24))h")
  }

  /// Time since: `0s`, `5s`, `12m`, `3h`, `4d`; never negative (promise P10).
  package static func age(ms: Int64?) -> PlainText {
    guard let ms else { return "-" }
    let seconds = max(0, ms) / 1000
    if seconds < 60 { return PlainText("\(seconds)s") }
    if seconds < 3600 { return PlainText("\(seconds / 60)m") }
    if seconds < 86_400 { return PlainText("\(seconds / 3600)h") }
    return seconds / 86_400 > 999 ? ">999d" : PlainText("\(seconds / 86_400)d")
  }

  /// Bytes: `812 B`, `4.1 kB`, `64 MB` (powers of 1000).
  package static func bytes(_ count: Int?) -> PlainText {
    guard let count, count >= 0 else { return "-" }
    if count < 1000 { return PlainText("\(count) B") }
    let text = short(Double(count)).description
    guard let unit = text.last, unit.isLetter else { return PlainText(text) }
    return PlainText("\(text.dropLast()) \(unit)B")
  }

  /// A share: `0%`, `41%`, `100%`; `-` for unknown.
  package static func percent(_ fraction: Double?) -> PlainText {
    guard let fraction, fraction.isFinite else { return "-" }
    return PlainText("\(fixed(min(max(fraction, -9.99), 9.99) * 100, 0))%")
  }

  /// A number between 0 and 1 such as a confidence: `.92`, `1.0`.
  package static func unit(_ value: Double?) -> PlainText {
    guard let value, value.isFinite else { return "-" }
    if value >= 0.995 { return value < 1.005 ? "1.0" : ">1" }
    if value < 0 { return "<0" }
    return PlainText(String(fixed(value, 2).dropFirst()))
  }

  private static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var text = value < 0 ? "-" : ""
    var left = digits.utf8.count
    for digit in digits.unicodeScalars {
      text.unicodeScalars.append(digit)
      left -= 1
      if left > 0, left % 3 == 0 { text.append(",") }
    }
    return text
  }

  private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// Decimal places without `String(format:)`, which needs C varargs and the locale.
  package static func fixed(_ value: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 9e15 else { return scaled < 0 ? "<-9e15" : ">9e15" }
    let whole = Int64(scaled)
    guard digits > 0 else { return "\(whole)" }
    let divisor = Int64(scale)
    let rest = String(whole % divisor)
    return "\(whole / divisor).\(String(repeating: "0", count: max(0, digits - rest.count)))\(rest)"
  }
}
