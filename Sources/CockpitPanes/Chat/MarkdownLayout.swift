import CockpitChat
import CockpitText
import TerminalCore

/// Blocks of Markdown as lines of a width.
struct MarkdownLayout {
  let width: Int

  /// - Parameter width: columns of a line, at least 24.
  init(width: Int) { self.width = max(24, width) }

  func lines(of segment: MarkdownText.Segment) -> [ChatLine] {
    switch segment.kind {
    case .prose:
      var lines: [ChatLine] = []
      var before: MarkdownBlock?
      for block in MarkdownBlock.blocks(segment.text) {
        if let before, Self.areApart(before, block) { lines.append(ChatLine([])) }
        lines += self.lines(of: block)
        before = block
      }
      return lines
    case .code(let language, let block, let isFirst):
      return code(
        segment.text, language: language, block: block, isFirst: isFirst, width: width)
    }
  }

  private static func areApart(_ first: MarkdownBlock, _ second: MarkdownBlock) -> Bool {
    if case .item = first.kind, case .item = second.kind { return false }
    if case .heading = first.kind { return false }
    if case .paragraph = first.kind, case .item = second.kind { return false }
    return true
  }

  private func lines(of block: MarkdownBlock) -> [ChatLine] {
    let quote = PlainText(String(repeating: "| ", count: min(block.quotes, width / 8)))
    let lists = min(block.lists, width / 8)
    let room: Int
    var first: [StyledText] = quote.isEmpty ? [] : [StyledText(quote, .border)]
    var others = first
    switch block.kind {
    case .item(let marker, let isDone):
      let box: PlainText = isDone.map { $0 ? "[x] " : "[ ] " } ?? ""
      let mark = PlainText.spaces(max(0, lists - 1) * 2) + PlainText(marker, limit: 12) + " " + box
      first.append(StyledText(mark, .key))
      others.append(StyledText(.spaces(mark.columns)))
      room = width - quote.columns - mark.columns
    default:
      let indent = PlainText.spaces(lists * 2)
      if !indent.isEmpty {
        first.append(StyledText(indent))
        others = first
      }
      room = width - quote.columns - indent.columns
    }
    return content(of: block, width: max(4, room)).enumerated().map { index, line in
      var line = line
      line.spans = (index == 0 ? first : others) + line.spans
      return line
    }
  }

  private func content(of block: MarkdownBlock, width: Int) -> [ChatLine] {
    switch block.kind {
    case .paragraph, .item:
      let role: Role = block.quotes > 0 ? .muted : .text
      return StyledWrap(width: width).lines(Self.spans(block.inlines, role)).map { ChatLine($0) }
    case .heading(let level):
      let marks = level < 3 ? "" : String(repeating: "#", count: level) + " "
      let spans =
        [StyledText(PlainText(marks), .faint)]
        + Self.spans(block.inlines, .heading).map { $0.styled($0.role, .bold) }
      var lines = StyledWrap(width: width).lines(spans).map { ChatLine($0) }
      if level == 1, let columns = lines.map(\.columns).max() {
        lines.append(ChatLine([StyledText(Self.rule(columns), .border)]))
      }
      return lines
    case .code(let language):
      return code(block.text, language: language, block: nil, isFirst: true, width: width)
    case .table(let table): return TableLayout(table, width: width).lines
    case .rule: return [ChatLine([StyledText(Self.rule(width), .border)])]
    }
  }

  private static func rule(_ columns: Int) -> PlainText {
    PlainText(String(repeating: "-", count: max(0, columns)))
  }

  // MARK: Code

  /// Lines of code, wrapped; the block's number is what copying it asks for.
  private func code(
    _ text: String, language: String, block: Int?, isFirst: Bool, width: Int
  ) -> [ChatLine] {
    var lines: [ChatLine] = []
    if isFirst, !language.isEmpty {
      let name = PlainText(language, limit: min(20, width))
      lines.append(ChatLine([StyledText(name, .muted)], code: block))
    }
    for line in PlainText.lines(Self.withoutTabs(text)) {
      var rest = line
      repeat {
        let head = rest.prefix(columns: max(2, width - 2))
        guard !head.isEmpty || rest.isEmpty else { break }
        lines.append(ChatLine([StyledText("  "), StyledText(head, .code)], code: block))
        rest = rest.dropFirst(columns: head.columns)
      } while !rest.isEmpty
    }
    return lines
  }

  private static func withoutTabs(_ text: String) -> String {
    guard text.utf8.contains(0x09) else { return text }
    return text.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ")
  }

  // MARK: Inline

  static func spans(_ runs: [MarkdownRun], _ role: Role) -> [StyledText] {
    runs.flatMap { run -> [StyledText] in
      var attributes: Attributes = []
      if run.style.contains(.strong) { attributes.insert(.bold) }
      if run.style.contains(.emphasis) { attributes.insert(.italic) }
      let role =
        run.style.contains(.code) ? Role.code : run.style.contains(.deleted) ? .muted : role
      guard let link = run.link else {
        return [StyledText(PlainText(run.text), role, attributes)]
      }
      var label = StyledText(PlainText(run.text), .info, attributes.union(.underline))
      label.link = linkTarget(link)
      return [label, StyledText(" (" + target(link) + ")", .muted)]
    }
  }

  /// What a terminal may open: web addresses whose host is shown, and mail addresses.
  private static func linkTarget(_ link: String) -> LinkTarget? {
    if let web = WebLink(link) { return LinkTarget(web.url) }
    return link.prefix(7).lowercased() == "mailto:" ? LinkTarget(link) : nil
  }

  /// The host that a link leads to, whatever its text says; for what is no web address, the
  /// address itself.
  private static func target(_ link: String) -> PlainText {
    if let web = WebLink(link) { return PlainText(web.host, limit: 100) }
    return PlainText(VisibleText().of(String(link.prefix(200))), limit: 60)
  }
}

/// A line of a conversation.
package struct ChatLine: Hashable, Sendable {
  var spans: [StyledText]
  /// The number of its code block.
  package var code: Int?
  /// A row of pictures.
  var picture: Picture?

  struct Picture: Hashable, Sendable {
    var strip: ImageStrip
    var row: Int

    init(_ strip: ImageStrip, row: Int) { (self.strip, self.row) = (strip, row) }
  }

  init(_ spans: [StyledText], code: Int? = nil, picture: Picture? = nil) {
    self.spans = spans
    self.code = code
    self.picture = picture
  }

  init(_ text: PlainText, _ role: Role = .text, _ attributes: Attributes = []) {
    self.init([StyledText(text, role, attributes)])
  }

  package var isEmpty: Bool { spans.isEmpty && picture == nil }

  package var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }
}

extension Canvas {
  /// Writes a line of a conversation.
  package mutating func write(_ line: ChatLine, y: Int) {
    write(line.spans, x: 0, y: y)
    if let picture = line.picture { picture.strip.draw(row: picture.row, y: y, into: &self) }
  }
}
