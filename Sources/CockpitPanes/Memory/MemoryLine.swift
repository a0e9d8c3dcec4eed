import TerminalUI
import CockpitStores
import TerminalCore

/// One line of text in MEMORY: text runs, an optional bar, and the action of Enter.
struct MemoryLine: Hashable, Sendable {
  /// The target of a line.
  enum Link: Hashable, Sendable {
    /// A row of the feed.
    case row(RowID)
    /// Another fact, by its id.
    case fact(Int)
    /// A run of reflections that is folded or unfolded, by its key.
    case run(String)
    case unmask
  }

  var spans: [StyledText] = []
  var indent = 0
  var link: Link?
  /// A share of a bar after the spans, 0 to 1.
  var bar: Double?

  init(_ spans: [StyledText], indent: Int = 0, link: Link? = nil, bar: Double? = nil) {
    self.spans = spans
    self.indent = indent
    self.link = link
    self.bar = bar
  }

  init(
    _ text: PlainText, _ role: Role = .text, _ attributes: Attributes = [], indent: Int = 0,
    link: Link? = nil
  ) {
    self.init([StyledText(text, role, attributes)], indent: indent, link: link)
  }

  static let empty = MemoryLine([])

  static func heading(_ text: PlainText) -> MemoryLine { MemoryLine(text, .heading, .bold) }

  /// A text in as many lines as it needs.
  static func wrapped(
    _ text: PlainText, _ role: Role = .text, width: Int, indent: Int = 0, link: Link? = nil,
    limit: Int = 60
  ) -> [MemoryLine] {
    text.wrapped(to: max(8, width - 2 * indent), limit: limit).map {
      MemoryLine($0, role, indent: indent, link: link)
    }
  }

  /// A label and its value, wrapped under itself.
  static func field(
    _ label: PlainText, _ value: PlainText, _ role: Role = .text, width: Int, link: Link? = nil,
    limit: Int = 40
  ) -> [MemoryLine] {
    value.wrapped(to: max(8, width - 8), limit: limit).enumerated().map { index, part in
      MemoryLine(
        [
          StyledText((index == 0 ? label : "").padded(to: 7), .muted), StyledText(part, role),
        ], link: link)
    }
  }

  /// This line with another to its right, which begins at a column.
  func beside(_ other: MemoryLine, column: Int) -> MemoryLine {
    var line = self
    var used = 2 * indent
    for span in spans { used += span.text.columns + 1 }
    // A blank is drawn between two spans.
    line.spans.append(StyledText(.spaces(max(0, column - used - 1)), .text))
    line.spans.append(
      StyledText(
        .spaces(2 * other.indent) + (other.spans.first?.text ?? ""),
        other.spans.first?.role ?? .text, other.spans.first?.attributes ?? []))
    line.spans += other.spans.dropFirst()
    line.link = line.link ?? other.link
    return line
  }

  /// The text without colours, for the pager.
  var text: String {
    String(repeating: "  ", count: indent)
      + spans.map(\.text.description).joined(separator: " ")
  }
}

/// Draws lines with a cursor into a panel and marks each for the mouse.
struct MemoryLines {
  var lines: [MemoryLine]
  var place: TextCursor
  var panel: MemoryPanel
  var isFocused: Bool

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let first = max(0, min(place.scroll, lines.count - area.height))
    for (offset, line) in lines.dropFirst(first).prefix(area.height).enumerated() {
      let row = Rect(x: area.x, y: area.y + offset, width: area.width, height: 1)
      frame.mark(row, .memory(.line(panel, first + offset)))
      let isSelected = isFocused && first + offset == place.line
      frame.canvas.inside(row) { canvas in
        let back: Role? = isSelected ? .selection : nil
        if isSelected {
          canvas.fill(canvas.bounds, background: back)
          canvas.placeCursor()
        }
        var x = 2 * line.indent
        for span in line.spans {
          let room = canvas.bounds.width - x
          guard room > 0 else { break }
          x =
            canvas.write(
              span.text.cut(to: room), x: x, role: span.role, attributes: span.attributes,
              background: back) + 1
        }
        if let bar = line.bar {
          let width = min(20, canvas.bounds.width - x)
          canvas.bar(bar, x: x, width: width, role: .memory, background: back)
        }
      }
    }
    let rest = lines.count - first - area.height
    guard rest > 0 else { return }
    let more = PlainText(" +\(rest) ")
    frame.canvas.write(
      more, x: area.maxX - more.columns, y: area.maxY - 1, role: .muted,
      background: isFocused && place.line == first + area.height - 1 ? .selection : nil)
  }
}

extension Canvas {
  /// A bar that is filled from the left in eighths of a cell.
  mutating func bar(
    _ share: Double, x: Int, y: Int = 0, width: Int, role: Role, background: Role? = nil
  ) {
    guard width > 0 else { return }
    let share = share.isFinite ? min(max(0, share), 1) : 0
    let eighths = Int((share * Double(width) * 8).rounded())
    for column in 0..<width {
      let part = min(8, eighths - column * 8)
      symbol(
        part > 0 ? .block(part) : .shade, x: x + column, y: y, role: part > 0 ? role : .faint,
        background: background)
    }
  }
}
