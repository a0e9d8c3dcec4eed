/// Walks through the bytes of a TOML text. It looks for the ends of things and not for mistakes.
package struct TOMLScanner {
  private let bytes: [UInt8]
  package private(set) var position = 0
  /// From 1.
  package private(set) var line = 1

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { position >= bytes.count }
  package var current: UInt8? { isAtEnd ? nil : bytes[position] }

  /// The byte after the current one.
  var next: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

  package mutating func advance() {
    if current == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  package mutating func skipByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  package mutating func skipBlanks() {
    while current == UInt8(ascii: " ") || current == UInt8(ascii: "\t") { advance() }
  }

  /// To the beginning of the next line.
  package mutating func skipLine() {
    while let byte = current {
      advance()
      if byte == UInt8(ascii: "\n") { return }
    }
  }

  /// `a . "b" . 'c'` and surrounding blanks; nil if there is no key.
  package mutating func keyPath() -> [String]? {
    var path: [String] = []
    while true {
      skipBlanks()
      guard let key = key() else { return nil }
      path.append(key)
      skipBlanks()
      guard current == UInt8(ascii: ".") else { return path }
      advance()
    }
  }

  private mutating func key() -> String? {
    if let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = position
      guard skipString() else { return nil }
      let inside = bytes[(start + 1)..<(position - 1)]
      return quote == UInt8(ascii: "'")
        ? String(decoding: inside, as: UTF8.self) : Self.unescaped(inside)
    }
    let start = position
    while let byte = current, !Self.endsKey.contains(byte) { advance() }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  private static let endsKey = Set(" \t\r\n.=[]\"'#,{}".utf8)

  /// The content of a basic string; nil for an invalid escape.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
    var text = ""
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let character = rest.popFirst() {
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let name = rest.popFirst() else { return nil }
      if let plain = escapes[name] {
        text.append(plain)
      } else if let digits = ["x": 2, "u": 4, "U": 8][name] {
        guard rest.count >= digits, let code = UInt32(rest.prefix(digits), radix: 16),
          let scalar = Unicode.Scalar(code)
        else { return nil }
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(digits)
      } else {
        return nil
      }
    }
    return text
  }

  private static let escapes: [Character: Character] = [
    "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{C}", "r": "\r", "e": "\u{1B}", "\"": "\"",
    "\\": "\\",
  ]

  /// - Returns: the end of the value, without trailing blanks; nil if it is unterminated.
  package mutating func skipValue() -> Int? {
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return skipString() ? position : nil
    case UInt8(ascii: "["), UInt8(ascii: "{"): return skipBrackets() ? position : nil
    default:
      var end = position
      while let byte = current, !Self.endsValue.contains(byte) {
        advance()
        if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { end = position }
      }
      return end
    }
  }

  private static let endsValue = Set("#\r\n".utf8)

  /// An array or an inline table with all that is in it.
  private mutating func skipBrackets() -> Bool {
    var depth = 0
    while let byte = current {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        advance()
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        advance()
        if depth == 0 { return true }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard skipString() else { return false }
      case UInt8(ascii: "#"): skipLine()
      default: advance()
      }
    }
    return false
  }

  /// A string of one of the four kinds, with its quotes; false if it is unterminated.
  mutating func skipString() -> Bool {
    guard let quote = current else { return false }
    let isBasic = quote == UInt8(ascii: "\"")
    guard bytes[position...].starts(with: [quote, quote, quote]) else {
      advance()
      while let byte = current {
        advance()
        if byte == quote { return true }
        if isBasic, byte == UInt8(ascii: "\\") { advance() }
        if byte == UInt8(ascii: "\n") { return false }
      }
      return false
    }
    for _ in 0..<3 { advance() }
    while let byte = current {
      if byte == quote, bytes[position...].starts(with: [quote, quote, quote]) {
        // One or two quotes may stand right before the closing three (TOML 1.0, String).
        var count = 0
        while current == quote, count < 5 {
          advance()
          count += 1
        }
        return true
      }
      advance()
      if isBasic, byte == UInt8(ascii: "\\") { advance() }
    }
    return false
  }
}
