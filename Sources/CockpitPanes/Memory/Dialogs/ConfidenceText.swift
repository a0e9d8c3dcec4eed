import Foundation

/// The confidence as text: what was typed stays what was typed, and steps go by its decimals.
enum ConfidenceText {
  static let step = 0.01
  static let largeStep = 0.1

  /// The text of a stored number, in as few digits as it takes: 0.825, 1, 0.
  static func text(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "" }
    return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }

  /// Decimals such as `0.825`, `.5`, `1` or `1e-05`; a comma is a point. Nil for anything else.
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
    return self.text(min(max(raw.rounded() / 1_000_000, 0), 1))
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
