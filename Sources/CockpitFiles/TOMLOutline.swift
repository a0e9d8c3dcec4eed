/// Where the statements of a TOML text stand, in bytes: what a parser forgets and an editor needs.
///
/// It reads only texts that TOMLKit has parsed, so it looks for the ends of things and not for
/// mistakes.
struct TOMLOutline {
  struct Statement {
    enum Kind: Hashable { case table, arrayOfTables, value }

    var kind: Kind
    /// From the root of the document: the header's keys, then its own.
    var path: [String]
    /// How many keys of `path` belong to the header above it.
    var headerCount: Int
    /// The whole statement with its indentation, comment and line end.
    var lines: Range<Int>
    /// What stands after `=`, without spaces and comment; empty for a header.
    var value: Range<Int>
    /// From 1.
    var line: Int
  }

  private(set) var statements: [Statement] = []

  /// Nil when the text is not what it promised to be.
  init?(_ bytes: [UInt8]) {
    var scanner = TOMLScanner(bytes)
    var header: [String] = []
    scanner.skipByteOrderMark()
    while !scanner.isAtEnd {
      let start = scanner.position
      let line = scanner.line
      scanner.skipBlanks()
      switch scanner.current {
      case nil, UInt8(ascii: "#"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        scanner.skipLine()
      case UInt8(ascii: "["):
        scanner.advance()
        let isArray = scanner.current == UInt8(ascii: "[")
        if isArray { scanner.advance() }
        guard let path = scanner.keyPath() else { return nil }
        scanner.skipLine()
        header = path
        statements.append(
          Statement(
            kind: isArray ? .arrayOfTables : .table, path: path, headerCount: path.count,
            lines: start..<scanner.position, value: start..<start, line: line))
      default:
        guard let path = scanner.keyPath(), scanner.current == UInt8(ascii: "=") else { return nil }
        scanner.advance()
        scanner.skipBlanks()
        let valueStart = scanner.position
        guard let valueEnd = scanner.skipValue() else { return nil }
        scanner.skipLine()
        statements.append(
          Statement(
            kind: .value, path: header + path, headerCount: header.count,
            lines: start..<scanner.position, value: valueStart..<valueEnd, line: line))
      }
    }
  }

  /// The line that says something about `path`: the one that sets it, else its header, else the
  /// statement that it is a part of.
  func line(of path: [String]) -> Int? {
    let own = statements.filter { $0.path == path }
    if let line = (own.first { $0.kind == .value } ?? own.first)?.line { return line }
    if let inside = statements.first(where: { $0.path.starts(with: path) }) { return inside.line }
    return statements.last { $0.kind == .value && path.starts(with: $0.path) }?.line
  }

  /// The keys of `a."b c".d`; nil when it is no such thing.
  static func keyPath(_ text: String) -> [String]? {
    var scanner = TOMLScanner(Array(text.utf8))
    guard let path = scanner.keyPath(), scanner.isAtEnd else { return nil }
    return path
  }
}

/// Walks through the bytes of a TOML text.
struct TOMLScanner {
  private let bytes: [UInt8]
  private(set) var position = 0
  /// From 1.
  private(set) var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }
  var current: UInt8? { isAtEnd ? nil : bytes[position] }

  mutating func advance() {
    if current == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  mutating func skipByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func skipBlanks() {
    while current == UInt8(ascii: " ") || current == UInt8(ascii: "\t") { advance() }
  }

  /// To the beginning of the next line.
  mutating func skipLine() {
    while let byte = current {
      advance()
      if byte == UInt8(ascii: "\n") { return }
    }
  }

  /// `a . "b" . 'c'` and the blanks around it; nil when there is no key.
  mutating func keyPath() -> [String]? {
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

  /// The text of a basic string without its quotes; nil for an escape that there is not.
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

  /// - Returns: where the value ends, without the blanks behind it; nil when it does not end.
  mutating func skipValue() -> Int? {
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

  /// A string of one of the four kinds, with its quotes.
  private mutating func skipString() -> Bool {
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
