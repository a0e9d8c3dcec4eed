/// A text in Markdown that grows, in segments that can be laid out one by one: all but the last never change.
///
/// A segment is what stands between blank lines, or the lines of a fence. None is longer than some 4 kB, so that a
/// text that streams is laid out in steps of that size, whatever is in it.
package struct MarkdownText: Hashable, Sendable {
  package struct Segment: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case prose
      /// - Parameters:
      ///   - block: counts the fences of the text: a long one has several segments.
      ///   - isFirst: whether it begins here.
      case code(language: String, block: Int, isFirst: Bool)
    }

    package var kind: Kind
    package var text: String

    package init(kind: Kind, text: String) {
      self.kind = kind
      self.text = text
    }
  }

  /// Those that never change.
  package private(set) var closed: [Segment] = []
  private var kind = Segment.Kind.prose
  /// Whole lines of the last segment.
  private var lines = ""
  /// The last line, which has no end yet.
  private var rest = ""
  private var fence: Fence?
  private var blocks = 0
  /// How many fences there are.
  package var codeBlocks: Int { blocks }
  /// The first two lines of a table, repeated where it goes on in another segment.
  private var tableHead: String?

  private struct Fence: Hashable, Sendable {
    var mark: Character
    var length: Int
    var indent: Int
  }

  static let limit = 4096

  package init() {}

  package init(_ text: String) { append(text) }

  /// All segments; the last one may still change.
  package var segments: [Segment] { open.map { closed + [$0] } ?? closed }

  package var count: Int { closed.count + (hasOpen ? 1 : 0) }

  package subscript(index: Int) -> Segment? {
    index < closed.count ? (index >= 0 ? closed[index] : nil) : index == closed.count ? open : nil
  }

  private var hasOpen: Bool { fence != nil || !lines.isEmpty || !rest.isEmpty }

  /// The segment that may still change.
  package var open: Segment? {
    guard hasOpen else { return nil }
    // A fence that is just being closed or opened is not shown half.
    if let fence, Self.closes(rest[...], fence) {
      return Segment(kind: kind, text: lines)
    }
    return Segment(kind: kind, text: lines + rest)
  }

  /// The source of a fence, without its marks.
  package func code(block: Int) -> String {
    segments.compactMap { segment in
      if case .code(_, block, _) = segment.kind { segment.text } else { nil }
    }.joined()
  }

  // MARK: Growing

  package mutating func append(_ more: String) {
    var left = Substring(more)
    while let end = left.utf8.firstIndex(of: 0x0A) {
      add(left[..<end])
      takeLine()
      left = left[left.utf8.index(after: end)...]
    }
    add(left)
  }

  /// Adds to the last line, in pieces where it is too long.
  private mutating func add(_ piece: Substring) {
    var piece = piece
    while rest.utf8.count + piece.utf8.count > Self.limit {
      let room = max(0, Self.limit - rest.utf8.count)
      let head = Self.prefix(piece, bytes: room)
      rest += head
      piece = piece[head.endIndex...]
      cutLine()
    }
    rest += piece
  }

  /// At a space near the limit, or at it.
  private mutating func cutLine() {
    let tail = rest.utf8.suffix(256)
    guard let space = tail.lastIndex(of: 0x20), space > rest.startIndex else {
      let whole = rest
      rest = ""
      return close(with: whole)
    }
    let head = String(rest[..<space])
    rest = String(rest[rest.utf8.index(after: space)...])
    close(with: head)
  }

  private static func prefix(_ text: Substring, bytes: Int) -> Substring {
    guard text.utf8.count > bytes else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: bytes)
    while end > text.startIndex, text.utf8[end] & 0xC0 == 0x80 {
      end = text.utf8.index(before: end)
    }
    return text[..<end]
  }

  private mutating func close(with line: String = "") {
    let text = lines + line
    lines = ""
    if !text.isEmpty { closed.append(Segment(kind: kind, text: text)) }
    if case .code(let language, let block, _) = kind {
      // An empty fence is shown too.
      if text.isEmpty, closed.last?.kind != kind {
        closed.append(Segment(kind: kind, text: ""))
      }
      kind = .code(language: language, block: block, isFirst: false)
    }
  }

  private mutating func takeLine() {
    var line = rest
    rest = ""
    if line.utf8.last == 0x0D { line.unicodeScalars.removeLast() }
    if let fence {
      if Self.closes(line[...], fence) {
        close()
        self.fence = nil
        kind = .prose
      } else {
        add(line: Self.unindented(line, by: fence.indent))
      }
      return
    }
    if let (fence, language) = Self.opens(line) {
      close()
      tableHead = nil
      self.fence = fence
      blocks += 1
      kind = .code(language: language, block: blocks, isFirst: true)
      return
    }
    if line.allSatisfy({ $0 == " " || $0 == "\t" }) {
      tableHead = nil
      return close()
    }
    add(line: line)
  }

  private mutating func add(line: String) {
    if lines.isEmpty, let tableHead, kind == .prose, line.contains("|") { lines = tableHead }
    lines += line
    lines += "\n"
    guard lines.utf8.count > Self.limit else { return }
    if kind == .prose, tableHead == nil {
      let head = lines.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: true)
      if head.count > 2, MarkdownTable.isDelimiter(head[1]), head[0].utf8.count < 1_000 {
        tableHead = "\(head[0])\n\(head[1])\n"
      }
    }
    close()
  }

  // MARK: Fences

  private static func opens(_ line: String) -> (Fence, language: String)? {
    let indent = line.prefix { $0 == " " }.count
    let body = line.dropFirst(indent)
    guard indent < 12, let mark = body.first, mark == "`" || mark == "~" else { return nil }
    let length = body.prefix { $0 == mark }.count
    guard length >= 3 else { return nil }
    let info = body.dropFirst(length)
    guard mark == "~" || !info.contains("`") else { return nil }
    let language = info.split(whereSeparator: \.isWhitespace).first.map { String($0.prefix(20)) }
    return (Fence(mark: mark, length: length, indent: indent), language ?? "")
  }

  private static func closes(_ line: Substring, _ fence: Fence) -> Bool {
    guard line.utf8.count < 200 else { return false }
    let body = line.drop { $0 == " " }
    let marks = body.prefix { $0 == fence.mark }.count
    return marks >= fence.length
      && body.dropFirst(marks).allSatisfy { $0 == " " || $0 == "\t" || $0 == "\r" }
  }

  private static func unindented(_ line: String, by indent: Int) -> String {
    guard indent > 0 else { return line }
    let spaces = min(indent, line.prefix { $0 == " " }.count)
    return String(line.dropFirst(spaces))
  }
}
