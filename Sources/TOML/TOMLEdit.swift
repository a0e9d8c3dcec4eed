/// Why a TOML text cannot be edited, as a message for the user.
package struct TOMLEditError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// A TOML text in which single keys are set and removed. Everything else stays byte for byte:
/// comments, blank lines, order, quoting, line ends.
package struct TOMLEdit: Sendable {
  /// The values a key can be set to.
  package enum Value: Hashable, Sendable {
    case string(String)
    case bool(Bool)
    case integer(Int)
    case strings([String])
  }

  /// The text after all edits so far.
  package private(set) var text: String
  private var content: TOMLContent

  /// - Throws: one sentence when the text is no TOML.
  package init(_ text: String) throws(TOMLEditError) {
    self.text = text
    content = try TOMLContent(parsing: text)
  }

  /// Sets a key, adding it and its table if missing.
  ///
  /// - Parameters:
  ///   - key: a single key; a dot is part of it.
  ///   - table: as in a header without brackets, such as `profiles.prod` or `profiles."a b"`; nil
  ///     means the top level.
  /// - Throws: one sentence, without changing anything, if the edit needs more than one line, as in
  ///   an inline table.
  package mutating func set(
    _ key: String, _ value: Value, in table: String? = nil
  ) throws(TOMLEditError) {
    let target = try Target(key, table)
    guard content.value(at: target.path) != TOMLContent(value) else { return }
    let bytes = Array(text.utf8)
    let outline = try outline(of: bytes)
    try refuseParts(of: target, outline)
    let change: (range: Range<Int>, new: String)
    if let old = outline.statements.first(where: { $0.path == target.path }) {
      change = (old.value, value.toml)
    } else {
      change = insertion(of: target, value, outline, bytes)
    }
    try replace(change.range, in: bytes, with: change.new, target) { content in
      content.set(TOMLContent(value), at: target.path[...])
    }
  }

  /// Removes a key with its line, and the comment on that line; its table stays.
  ///
  /// - Throws: one sentence, and nothing has changed, when it is a part of a line.
  package mutating func remove(_ key: String, in table: String? = nil) throws(TOMLEditError) {
    let target = try Target(key, table)
    guard content.value(at: target.path) != nil else { return }
    let bytes = Array(text.utf8)
    let outline = try outline(of: bytes)
    try refuseParts(of: target, outline)
    guard let old = outline.statements.first(where: { $0.path == target.path }) else {
      throw target.refusal("could not be found in the text")
    }
    try replace(old.lines, in: bytes, with: "", target) { content in
      content.set(nil, at: target.path[...])
    }
  }

  /// A key as written in a header: quoted if necessary.
  package static func quoted(_ key: String) -> String {
    let isBare = !key.isEmpty && key.utf8.allSatisfy(Self.bare.contains)
    return isBare ? key : Value.string(key).toml
  }

  private static let bare = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-".utf8)

  // MARK: Where it goes

  private struct Target {
    var table: [String]
    var key: String
    var path: [String] { table + [key] }

    init(_ key: String, _ table: String?) throws(TOMLEditError) {
      self.key = key
      guard let table else {
        self.table = []
        return
      }
      guard let path = TOMLOutline.keyPath(table) else {
        throw TOMLEditError("[\(table)] is no table of a TOML file")
      }
      self.table = path
    }

    var name: String { path.map(TOMLEdit.quoted).joined(separator: ".") }

    func refusal(_ reason: String) -> TOMLEditError {
      TOMLEditError("'\(name)' \(reason); change it in an editor")
    }
  }

  private func outline(of bytes: [UInt8]) throws(TOMLEditError) -> TOMLOutline {
    guard let outline = TOMLOutline(bytes) else {
      throw TOMLEditError("the file is written in a way that only an editor can change")
    }
    return outline
  }

  /// Rejects keys that are not on a separate line.
  private func refuseParts(of target: Target, _ outline: TOMLOutline) throws(TOMLEditError) {
    let path = target.path
    for statement in outline.statements {
      let isInside = statement.path.count < path.count && path.starts(with: statement.path)
      switch statement.kind {
      case .value where isInside:
        let whole = statement.path.map(Self.quoted).joined(separator: ".")
        throw target.refusal(
          "is a part of line \(statement.line), which sets '\(whole)' as a whole")
      case .arrayOfTables where isInside || statement.path == path:
        throw target.refusal("belongs to an array of tables")
      default: break
      }
      if statement.path.starts(with: path), statement.path != path || statement.kind != .value {
        throw target.refusal("is a table")
      }
    }
  }

  private func insertion(
    of target: Target, _ value: Value, _ outline: TOMLOutline, _ bytes: [UInt8]
  ) -> (range: Range<Int>, new: String) {
    let newline = lineEnd(bytes)
    let line = "\(Self.quoted(target.key)) = \(value.toml)"
    let header = outline.statements.firstIndex { $0.kind == .table && $0.path == target.table }
    // The last line that sets a key of the table, in its section or with a dotted key.
    let sibling = outline.statements.last { statement in
      guard statement.kind == .value, statement.path.starts(with: target.table) else {
        return false
      }
      return header == nil
        ? statement.headerCount <= target.table.count
        : statement.headerCount == target.table.count
    }
    if let sibling {
      let prefix = target.table.dropFirst(sibling.headerCount).map { Self.quoted($0) + "." }
      return after(sibling, prefix.joined() + line, newline, bytes)
    }
    if let header { return after(outline.statements[header], line, newline, bytes) }
    if target.table.isEmpty, let first = outline.statements.first {
      let start = commentStart(above: first.lines.lowerBound, bytes)
      return (start..<start, line + newline + newline)
    }
    let end = bytes.count
    let gap =
      end == 0 ? "" : bytes.last == UInt8(ascii: "\n") ? newline : newline + newline
    guard !target.table.isEmpty else { return (end..<end, gap + line + newline) }
    let name = target.table.map(Self.quoted).joined(separator: ".")
    return (end..<end, "\(gap)[\(name)]\(newline)\(line)\(newline)")
  }

  /// A new line after a statement, with the same indentation.
  private func after(
    _ statement: TOMLOutline.Statement, _ line: String, _ newline: String, _ bytes: [UInt8]
  ) -> (range: Range<Int>, new: String) {
    let end = statement.lines.upperBound
    let indent = bytes[statement.lines].prefix { $0 == UInt8(ascii: " ") || $0 == 0x09 }
    let text = String(decoding: indent, as: UTF8.self) + line
    let isWhole = bytes[..<end].last == UInt8(ascii: "\n")
    return (end..<end, isWhole ? text + newline : newline + text)
  }

  /// The start of the comment directly above a line.
  private func commentStart(above line: Int, _ bytes: [UInt8]) -> Int {
    var start = line
    while start > 0 {
      let previous = bytes[..<(start - 1)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let words = bytes[previous..<start].drop { $0 == UInt8(ascii: " ") || $0 == 0x09 }
      guard words.first == UInt8(ascii: "#") else { break }
      start = previous
    }
    return start
  }

  /// The line end that the file begins with.
  private func lineEnd(_ bytes: [UInt8]) -> String {
    guard let index = bytes.firstIndex(of: UInt8(ascii: "\n")), index > 0 else { return "\n" }
    return bytes[index - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
  }

  // MARK: Doing it

  /// Accepts the new text only if it contains exactly the requested change.
  private mutating func replace(
    _ range: Range<Int>, in bytes: [UInt8], with new: String, _ target: Target,
    _ change: (inout TOMLContent) -> Void
  ) throws(TOMLEditError) {
    var bytes = bytes
    bytes.replaceSubrange(range, with: Array(new.utf8))
    let text = String(decoding: bytes, as: UTF8.self)
    var expected = content
    change(&expected)
    let result = Result { () throws(TOMLEditError) in try TOMLContent(parsing: text) }
    guard case .success(let content) = result, content.pruned == expected.pruned else {
      throw target.refusal("cannot be changed without changing something else")
    }
    self.text = text
    self.content = content
  }
}

extension TOMLEdit.Value {
  /// The value in TOML syntax.
  var toml: String {
    switch self {
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .string(let text): Self.quoted(text)
    case .strings(let texts): "[" + texts.map(Self.quoted).joined(separator: ", ") + "]"
    }
  }

  /// A basic string with escapes (TOML 1.0, String).
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\0"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
