import Foundation

/// The confidence as text: typed text is kept as typed, and steps follow its decimals.
package enum ConfidenceText {
  static let step = 0.01
  static let largeStep = 0.1

  /// A stored number for display, with four decimals at most: the bot stores sums of binary
  /// fractions, and 0.8099999999999999 means 0.81.
  package static func text(_ value: Double?) -> String {
    guard let value, abs(value) < 1_000 else { return exact(value) }
    let rounded = (value * 10_000).rounded() / 10_000
    // Do not round a small value to 0.
    return exact(rounded == 0 ? value : rounded)
  }

  /// Two numbers side by side: with all digits where they would look the same and are not.
  static func texts(_ left: Double?, _ right: Double?) -> (left: String, right: String) {
    let texts = (text(left), text(right))
    return left != right && texts.0 == texts.1 ? (exact(left), exact(right)) : texts
  }

  /// The shortest text of a number: 0.825, 1, 0.
  static func exact(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }

  /// Parses decimals such as `0.825`, `.5`, `1` or `1e-05`; a comma is a point. nil for anything
  /// else.
  static func value(_ text: String) -> Double? {
    let text = text.trimmingCharacters(in: .whitespaces).replacing(",", with: ".")
    guard text.allSatisfy({ $0.isASCIIDigit || ".eE+-".contains($0) }), let value = Double(text),
      value.isFinite
    else { return nil }
    return value
  }

  /// The text after a step; from 0 to 1 and without the noise of binary fractions.
  static func stepped(_ text: String, by step: Double) -> String {
    guard let value = value(text) else { return text }
    let raw = (min(max(value, 0), 1) + step) * 1_000_000
    return exact(min(max(raw.rounded() / 1_000_000, 0), 1))
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
