/// Remote text shortened for a message and otherwise unchanged; it is sanitised when drawn.
package enum BoundedText {
  /// Reason phrases and error bodies are cut here.
  package static let limit = 200

  /// At most `limit` Unicode scalars. Scalars, not graphemes: a grapheme may be arbitrarily long.
  package static func bounded(_ text: String, limit: Int = limit) -> String {
    guard
      let end = text.unicodeScalars.index(
        text.unicodeScalars.startIndex, offsetBy: limit, limitedBy: text.unicodeScalars.endIndex),
      end != text.unicodeScalars.endIndex
    else { return text }
    return String(text.unicodeScalars[..<end]) + "\u{2026}"
  }
}

extension StringProtocol {
  /// Without leading and trailing space, tab, CR and LF.
  package func trimmingASCIISpace() -> String {
    let bytes = Array(utf8)
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
