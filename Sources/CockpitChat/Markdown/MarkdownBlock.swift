/// A block of Markdown: quotes and lists are not nested but say how deep they are, so that nothing here recurses.
package struct MarkdownBlock: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case paragraph
    case heading(level: Int)
    /// - Parameters:
    ///   - marker: `-`, or a number with its dot.
    ///   - isDone: of a task; nil for an item that is none.
    case item(marker: String, isDone: Bool?)
    case code(language: String)
    case table(MarkdownTable)
    case rule
  }

  package var kind: Kind
  /// How many quotes it stands in, at most `depthLimit`.
  package var quotes = 0
  /// How many lists it stands in, at most `depthLimit`.
  package var lists = 0
  /// Its source, without the marks.
  package var text = ""

  package static let depthLimit = 8

  package init(kind: Kind, quotes: Int = 0, text: String = "") {
    self.kind = kind
    self.quotes = quotes
    self.text = text
  }

  package var inlines: [MarkdownRun] { MarkdownRun.runs(of: text) }
}

extension MarkdownBlock {
  /// The blocks of a segment of prose. Linear in its length.
  package static func blocks(_ text: String) -> [MarkdownBlock] {
    var parser = BlockParser()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var index = 0
    while index < lines.count {
      let next = index + 1 < lines.count ? lines[index + 1] : nil
      index += parser.take(lines[index], next: next, rest: lines[index...])
    }
    return parser.blocks
  }
}

private struct BlockParser {
  var blocks: [MarkdownBlock] = []
  /// Columns at which the items of the open lists begin.
  private var indents: [Int] = []
  /// The last block goes on with the next line.
  private var isOpen = false
  /// The marks of a fence within a quote.
  private var fence: String?

  /// - Returns: how many lines were taken.
  mutating func take(_ line: Substring, next: Substring?, rest: ArraySlice<Substring>) -> Int {
    let (quotes, body) = Self.quotes(line)
    if let fence {
      if quotes == 0 || body.drop(while: { $0 == " " }).hasPrefix(fence) {
        self.fence = nil
        isOpen = false
        if quotes > 0 { return 1 }
      } else {
        let last = blocks.count - 1
        blocks[last].text += blocks[last].text.isEmpty ? "\(body)" : "\n\(body)"
        return 1
      }
    }
    let indent = Self.columns(body)
    let content = body.drop { $0 == " " || $0 == "\t" }
    guard !content.isEmpty else {
      isOpen = false
      return 1
    }
    if quotes > 0, content.hasPrefix("```") || content.hasPrefix("~~~") {
      fence = String(content.prefix(3))
      add(.code(language: String(content.dropFirst(3).prefix(20))), quotes, "")
      return 1
    }
    if let level = setext(content, quotes) {
      blocks[blocks.count - 1].kind = .heading(level: level)
      isOpen = false
      return 1
    }
    if Self.isRule(content) {
      add(.rule, quotes, "")
      isOpen = false
      return 1
    }
    if let (level, title) = Self.heading(content) {
      indents = []
      add(.heading(level: level), quotes, title)
      isOpen = false
      return 1
    }
    if content.contains("|"), let next, MarkdownTable.isDelimiter(Self.quotes(next).body) {
      return table(rest, quotes)
    }
    if let item = Self.item(content) {
      while let last = indents.last, last >= indent { indents.removeLast() }
      indents.append(indent)
      add(.item(marker: item.marker, isDone: item.isDone), quotes, item.text)
      blocks[blocks.count - 1].lists = min(indents.count, MarkdownBlock.depthLimit)
      isOpen = true
      return 1
    }
    if isOpen, let last = blocks.last, last.quotes == quotes || quotes == 0 {
      let isBroken = last.text.hasSuffix("  ") || last.text.hasSuffix("\\")
      if last.text.hasSuffix("\\") { blocks[blocks.count - 1].text.removeLast() }
      blocks[blocks.count - 1].text += (isBroken ? "\n" : " ") + content
      return 1
    }
    if indent == 0 { indents = [] }
    add(.paragraph, quotes, String(content))
    // What stands under an item after a blank line belongs to it.
    blocks[blocks.count - 1].lists = min(
      indents.count(where: { $0 < indent }), MarkdownBlock.depthLimit)
    isOpen = true
    return 1
  }

  private mutating func add(_ kind: MarkdownBlock.Kind, _ quotes: Int, _ text: String) {
    blocks.append(MarkdownBlock(kind: kind, quotes: quotes, text: text))
  }

  private mutating func table(_ lines: ArraySlice<Substring>, _ quotes: Int) -> Int {
    var rows: [Substring] = []
    for line in lines {
      let (depth, body) = Self.quotes(line)
      guard depth == quotes, body.contains("|") || rows.count == 1 else { break }
      rows.append(body)
    }
    add(.table(MarkdownTable(rows)), quotes, "")
    isOpen = false
    return max(1, rows.count)
  }

  /// A line of `=` or `-` under a paragraph.
  private func setext(_ line: Substring, _ quotes: Int) -> Int? {
    guard isOpen, let last = blocks.last, last.kind == .paragraph, last.quotes == quotes,
      let mark = line.first, mark == "=" || mark == "-", line.count >= 2,
      line.allSatisfy({ $0 == mark || $0 == " " })
    else { return nil }
    return mark == "=" ? 1 : 2
  }

  private static func quotes(_ line: Substring) -> (depth: Int, body: Substring) {
    var depth = 0
    var body = line
    while true {
      let head = body.drop { $0 == " " }
      guard head.first == ">", body.utf8.distance(from: body.startIndex, to: head.startIndex) < 4
      else { break }
      depth += 1
      body = head.dropFirst()
      if body.first == " " { body = body.dropFirst() }
    }
    return (min(depth, MarkdownBlock.depthLimit), body)
  }

  private static func columns(_ line: Substring) -> Int {
    var columns = 0
    for character in line {
      if character == " " {
        columns += 1
      } else if character == "\t" {
        columns += 4
      } else {
        break
      }
    }
    return columns
  }

  private static func heading(_ line: Substring) -> (Int, String)? {
    let level = line.prefix(7).prefix { $0 == "#" }.count
    guard (1...6).contains(level) else { return nil }
    var title = line.dropFirst(level)
    guard title.isEmpty || title.first == " " || title.first == "\t" else { return nil }
    while let last = title.last, last == " " || last == "#" { title.removeLast() }
    return (level, String(title.drop { $0 == " " || $0 == "\t" }))
  }

  private static func isRule(_ line: Substring) -> Bool {
    guard let mark = line.first, "-*_".contains(mark) else { return false }
    var count = 0
    for character in line {
      if character == mark { count += 1 } else if character != " " { return false }
    }
    return count >= 3
  }

  private static func item(
    _ line: Substring
  ) -> (marker: String, isDone: Bool?, text: String)? {
    var marker = "-"
    var rest: Substring
    if let first = line.first, "-*+".contains(first) {
      rest = line.dropFirst()
    } else {
      let digits = line.prefix(10).prefix { $0.isASCII && $0.isNumber }
      guard (1...9).contains(digits.count) else { return nil }
      rest = line[digits.endIndex...]
      guard let dot = rest.first, dot == "." || dot == ")" else { return nil }
      marker = String(digits) + String(dot)
      rest = rest.dropFirst()
    }
    guard rest.isEmpty || rest.first == " " || rest.first == "\t" else { return nil }
    rest = rest.drop { $0 == " " || $0 == "\t" }
    for (box, isDone) in [("[ ] ", false), ("[x] ", true), ("[X] ", true)]
    where rest.hasPrefix(box) { return (marker, isDone, String(rest.dropFirst(4))) }
    return (marker, nil, String(rest))
  }
}
