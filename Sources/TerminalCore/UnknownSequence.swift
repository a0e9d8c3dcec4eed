/// Spells an unrecognised sequence: `ESC [ 1 ; 2 x`.
package enum UnknownSequence {
  /// Bytes that are shown; a longer string may hold private data.
  private static let limit = 16

  /// The bytes one by one, with a blank between: printable ones as they are, others by name or number.
  package static func name(_ bytes: [UInt8]) -> PlainText {
    var words = bytes.prefix(limit).map { byte in
      switch byte {
      case 0x1B: "ESC"
      case 0x20: "SP"
      case 0x21..<0x7F: String(UnicodeScalar(byte))
      default: "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    if bytes.count > limit { words.append("and \(bytes.count - limit) bytes more") }
    return PlainText(words.joined(separator: " "))
  }
}
