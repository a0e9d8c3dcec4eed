internal import ClankyWire
internal import LenientJSON

/// Texts as databases take them.
enum SinkText {
  /// Well-formed text without NUL: what stands for half a surrogate pair, and NUL, become U+FFFD.
  ///
  /// - Returns: the text, and how many characters were replaced.
  static func plain(_ text: String) -> (text: String, replaced: Int) {
    guard text.unicodeScalars.contains(where: isOdd) else { return (text, 0) }
    var out = String.UnicodeScalarView()
    var replaced = 0
    for scalar in text.unicodeScalars {
      if isOdd(scalar) {
        out.append("\u{FFFD}")
        replaced += 1
      } else {
        out.append(scalar)
      }
    }
    return (String(out), replaced)
  }

  private static func isOdd(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0 || (0x10F000...0x10F7FF).contains(scalar.value)
  }

  /// A key as a UUID is written.
  static func uuid(_ key: [UInt8]) -> String {
    let digits = Array(RowFingerprint.hexadecimal(key).utf8)
    guard digits.count == 32 else { return "" }
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return parts.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }

  /// A time as ClickHouse reads it.
  ///
  /// - Parameter ms: since 1970.
  static func clickHouseTime(_ ms: Int64) -> String {
    WireTime(milliseconds: ms).iso.replacing("T", with: " ").replacing("Z", with: "")
  }

  private static let fields = [
    "transcript", "speakerName", "toolName", "query", "fact", "replyText", "reason", "error",
    "errorMessage",
  ]

  /// What is searched for words: content and the fields with what people and models say.
  static func words(_ row: SinkRow) -> String {
    let texts = [row.content] + fields.map { row.metadata[$0]?.string }
    return texts.compactMap { $0.map { String($0.prefix(2000)) } }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }
}
