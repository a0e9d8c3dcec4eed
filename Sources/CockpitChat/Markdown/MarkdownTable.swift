/// A table of Markdown.
package struct MarkdownTable: Hashable, Sendable {
  package enum Alignment: Hashable, Sendable { case left, right, center }

  /// The first row is the head. Each has as many cells as there are alignments.
  package private(set) var rows: [[String]] = []
  package private(set) var alignments: [Alignment] = []
  /// Columns that are left out.
  package private(set) var hiddenColumns = 0

  package static let columnLimit = 24

  /// - Parameter lines: the head, the line of dashes, and the rows.
  init(_ lines: [Substring]) {
    guard lines.count >= 2 else { return }
    let head = Self.cells(lines[0])
    let marks = Self.cells(lines[1])
    let count = min(max(head.count, 1), Self.columnLimit)
    hiddenColumns = max(0, head.count - count)
    alignments = (0..<count).map { index in
      guard index < marks.count else { return .left }
      switch (marks[index].hasPrefix(":"), marks[index].hasSuffix(":")) {
      case (true, true): return .center
      case (false, true): return .right
      default: return .left
      }
    }
    rows = [lines[0]].map { row(Self.cells($0)) } + lines.dropFirst(2).map { row(Self.cells($0)) }
  }

  private func row(_ cells: [String]) -> [String] {
    Array(cells.prefix(alignments.count))
      + Array(repeating: "", count: max(0, alignments.count - cells.count))
  }

  /// `| --- | :--: |`
  static func isDelimiter(_ line: Substring) -> Bool {
    var hasDash = false
    var hasBar = false
    for byte in line.utf8 {
      switch byte {
      case UInt8(ascii: "-"): hasDash = true
      case UInt8(ascii: "|"), UInt8(ascii: ":"): hasBar = true
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      default: return false
      }
    }
    return hasDash && hasBar
  }

  /// Between the bars; `\|` is no bar.
  private static func cells(_ line: Substring) -> [String] {
    var cells: [String] = []
    var cell = ""
    var isEscaped = false
    for character in line.trimmed {
      if isEscaped {
        cell += character == "|" ? "|" : "\\" + String(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "|" {
        cells.append(cell)
        cell = ""
      } else {
        cell.append(character)
      }
    }
    if isEscaped { cell += "\\" }
    cells.append(cell)
    var trimmed = cells.map { String($0[...].trimmed) }
    if trimmed.count > 1, trimmed.first?.isEmpty ?? false { trimmed.removeFirst() }
    if trimmed.count > 1, trimmed.last?.isEmpty ?? false { trimmed.removeLast() }
    return trimmed
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return text
  }
}
