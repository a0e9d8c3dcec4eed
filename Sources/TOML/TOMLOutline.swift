/// The byte ranges of the statements of a TOML text, which a parser drops and an editor needs.
///
/// It reads only texts that TOMLKit has parsed, so it looks for ends, not for errors.
package struct TOMLOutline {
  struct Statement {
    enum Kind: Hashable { case table, arrayOfTables, value }

    var kind: Kind
    /// From the root of the document: the header's keys, then its own.
    var path: [String]
    /// How many keys of `path` belong to the header above.
    var headerCount: Int
    /// The whole statement with its indentation, comment and line end.
    var lines: Range<Int>
    /// The value after `=`, without spaces and comment; empty for a header.
    var value: Range<Int>
    /// From 1.
    var line: Int
  }

  private(set) var statements: [Statement] = []

  /// nil if the text is not valid after all.
  package init?(_ bytes: [UInt8]) {
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
  package func line(of path: [String]) -> Int? {
    let own = statements.filter { $0.path == path }
    if let line = (own.first { $0.kind == .value } ?? own.first)?.line { return line }
    if let inside = statements.first(where: { $0.path.starts(with: path) }) { return inside.line }
    return statements.last { $0.kind == .value && path.starts(with: $0.path) }?.line
  }

  /// The keys of `a."b c".d`; nil if it is no key path.
  static func keyPath(_ text: String) -> [String]? {
    var scanner = TOMLScanner(Array(text.utf8))
    guard let path = scanner.keyPath(), scanner.isAtEnd else { return nil }
    return path
  }
}
