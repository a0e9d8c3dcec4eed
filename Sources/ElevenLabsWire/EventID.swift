package import LenientJSON

/// The number of an event in a conversation. Most frames send a number, reasoning sends text.
package struct EventID: Sendable, Hashable {
  /// As sent, without quotes.
  package var text: String

  package init(_ number: Int) { text = String(number) }

  package init(_ text: String) { self.text = text }

  /// nil for anything that is neither a whole number nor text.
  package init?(_ value: JSONValue) {
    switch value {
    case .string(let string) where !string.isEmpty: text = string
    case .number(let number): text = number.int.map { String($0) } ?? number.text
    default: return nil
    }
  }

  /// nil for an id that is not a number, such as `r-5`.
  package var number: Int? { Int(text) }

  /// In the type that the server uses for it.
  var json: JSONValue { number.map { .integer($0) } ?? .string(text) }
}
