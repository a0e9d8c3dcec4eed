import LenientJSON

/// Where a setting stands in the settings document: the keys from the top down, never into a list,
/// since the backend replaces lists whole.
///
/// Its spelling joins the keys with dots; a key that is no plain word is quoted like a JSON string,
/// as in `interaction.replyGeneration.pricing.openai."gpt-5.4"`.
package struct SettingPath: Hashable, Sendable, CustomStringConvertible {
  package var keys: [String]

  package init(_ keys: [String]) { self.keys = keys }

  /// Reads the spelling; nil if it is none.
  package init?(_ text: String) {
    var keys: [String] = []
    var rest = Substring(text)
    while true {
      if rest.first == "\"" {
        guard let end = Self.quoteEnd(of: rest),
          case .string(let key)? = try? JSONValue.parse(String(rest[..<end]))
        else { return nil }
        keys.append(key)
        rest = rest[end...]
      } else {
        let key = rest.prefix { $0 != "." && $0 != "\"" }
        guard !key.isEmpty, !key.contains(where: \.isWhitespace) else { return nil }
        keys.append(String(key))
        rest = rest[key.endIndex...]
      }
      guard !rest.isEmpty else { break }
      guard rest.first == "." else { return nil }
      rest.removeFirst()
    }
    self.keys = keys
  }

  package var description: String {
    keys.map { key in
      let isPlain =
        !key.isEmpty
        && key.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
          default: false
          }
        }
      return isPlain ? key : JSONValue.string(key).serialized()
    }.joined(separator: ".")
  }

  /// Whether this path is the other one or stands below it.
  package func isWithin(_ other: SettingPath) -> Bool { keys.starts(with: other.keys) }

  /// Whether one of the two contains the other.
  package func touches(_ other: SettingPath) -> Bool { isWithin(other) || other.isWithin(self) }

  package func appending(_ key: String) -> SettingPath { SettingPath(keys + [key]) }

  /// The section that contains it; nil at the top.
  package var parent: SettingPath? {
    keys.count > 1 ? SettingPath(Array(keys.dropLast())) : nil
  }

  /// The index after the closing quote.
  private static func quoteEnd(of text: Substring) -> Substring.Index? {
    var index = text.index(after: text.startIndex)
    while index < text.endIndex {
      switch text[index] {
      case "\"": return text.index(after: index)
      case "\\":
        index = text.index(after: index)
        if index < text.endIndex { index = text.index(after: index) }
      default: index = text.index(after: index)
      }
    }
    return nil
  }
}
