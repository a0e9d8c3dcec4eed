import LenientJSON
import TerminalCore

/// Marks remote text in answers to agents: in JSON it stands only under the key `untrusted`, in text only between
/// two marker lines with a nonce. Control characters are removed.
enum UntrustedText {
  /// Columns of one text.
  private static let longest = 4_000
  /// Columns of a member's name.
  private static let longestKey = 80

  /// A value whose texts and keys went through the one sanitising door.
  static func cleaned(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(cleaned(text))
    case .array(let elements): .array(elements.map(cleaned))
    case .object(let object):
      .object(
        JSONObject(
          members: object.members.map {
            JSONObject.Member(
              key: PlainText($0.key, limit: longestKey).description, value: cleaned($0.value))
          }))
    default: value
    }
  }

  static func cleaned(_ text: String) -> String {
    PlainText(text, limit: longest).description
  }

  /// The same value with shorter texts and lists.
  ///
  /// - Parameters:
  ///   - text: characters of a text that are kept.
  ///   - items: elements of a list that are kept, below the first level.
  static func shortened(_ value: JSONValue, text: Int, items: Int) -> JSONValue {
    switch value {
    case .string(let words):
      words.utf8.count <= text ? value : .string(String(words.prefix(text)) + "…")
    case .array(let elements):
      .array(elements.prefix(items).map { shortened($0, text: text, items: items) })
    case .object(let object):
      .object(
        JSONObject(
          members: object.members.map {
            JSONObject.Member(
              key: $0.key, value: shortened($0.value, text: text, items: items))
          }))
    default: value
    }
  }

  /// Lines between two markers, which remote text cannot forge because of the nonce.
  ///
  /// - Parameter nonce: random, new for each answer.
  static func fenced(_ lines: [String], nonce: String) -> String {
    (["<untrusted-text \(nonce)>"] + lines + ["</untrusted-text \(nonce)>"])
      .joined(separator: "\n")
  }

  /// Bytes of a value on the wire.
  static func size(_ value: JSONValue) -> Int {
    var bytes: [UInt8] = []
    value.write(to: &bytes, ascii: true)
    return bytes.count
  }
}
