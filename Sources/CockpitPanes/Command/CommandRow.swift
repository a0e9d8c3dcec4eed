import TerminalUI
import ClankyWire
import TerminalCore

/// One row of a panel of CMD.
struct CommandRow: Hashable {
  /// A glyph of a chart.
  struct ChartCell: Hashable {
    var symbol: Symbol
    var role: Role
    /// The query for the rows behind it.
    var query: String?
  }

  /// A part of a row with rows of its own behind it.
  struct Figure: Hashable {
    /// Columns of the row.
    var columns: Range<Int>
    var behind: RowsBehind
  }

  var line: VoiceLine
  var item: CommandItem?
  /// Steps of two columns.
  var indent = 0
  /// Glyphs without gaps, after the text of the line.
  var chart: [ChartCell] = []
  /// Figures in a row that has several.
  var parts: [Figure] = []

  init(
    _ spans: [VoiceLine.Span] = [], trailing: [VoiceLine.Span] = [],
    item: CommandItem? = nil, indent: Int = 0, chart: [ChartCell] = []
  ) {
    line = VoiceLine(spans, trailing: trailing)
    self.item = item
    self.indent = indent
    self.chart = chart
  }

  init(_ line: VoiceLine, item: CommandItem? = nil) {
    self.line = line
    self.item = item
  }

  /// The row as a figure that opens its rows; unchanged if there are none.
  func of(_ behind: RowsBehind?) -> CommandRow {
    var row = self
    row.item = behind.map(CommandItem.figure) ?? item
    return row
  }

  /// Columns of the label of a row that has one.
  static let labelWidth = 11

  /// A label and its value.
  static func labelled(
    _ label: PlainText, _ spans: VoiceLine.Span..., trailing: [VoiceLine.Span] = []
  ) -> CommandRow {
    CommandRow([.label(label.padded(to: labelWidth))] + spans, trailing: trailing)
  }

  /// A label and a long text, in as many rows as it needs.
  static func wrapped(
    _ label: PlainText, _ text: PlainText, _ role: Role = .text, width: Int, limit: Int = 6
  ) -> [CommandRow] {
    VoiceLine.wrapped(label, text, role, width: width, limit: limit, labelWidth: labelWidth)
      .map { CommandRow($0) }
  }

  /// A remark in as many rows as it needs.
  static func note(
    _ text: PlainText, _ role: Role = .muted, width: Int, indent: Int = 0, limit: Int = 6,
    item: CommandItem? = nil
  ) -> [CommandRow] {
    text.wrapped(to: max(8, width - 2 * indent), limit: limit).map {
      CommandRow([.init(text: $0, role: role)], item: item, indent: indent)
    }
  }

  /// A row about unreadable elements of a list; none if there were none.
  static func unreadable(_ count: Int, width: Int, indent: Int = 0) -> [CommandRow] {
    guard count > 0 else { return [] }
    return note(
      PlainText("\(count) could not be read"), .warning, width: width, indent: indent, limit: 1)
  }

  /// The figures of the row: the whole row where Enter shows rows, else its parts and the bars of its chart.
  ///
  /// - Parameter width: columns of the row.
  func figures(width: Int) -> [Figure] {
    var found = parts
    var x = line.spans.reduce(0) { $0 + $1.columns + 1 }
    if case .figure(let behind)? = item {
      let isBare = chart.contains { $0.query != nil }
      found.append(
        Figure(columns: 0..<(isBare ? min(width, max(0, x - 1)) : width), behind: behind))
    }
    for cell in chart {
      if let query = cell.query {
        let behind = RowsBehind(query)
        if let last = found.last, last.behind == behind, last.columns.upperBound == x {
          found[found.count - 1].columns = last.columns.lowerBound..<(x + 1)
        } else {
          found.append(Figure(columns: x..<(x + 1), behind: behind))
        }
      }
      x += 1
    }
    return found.filter { !$0.columns.isEmpty && $0.columns.upperBound <= width }
  }

  /// The text without colours.
  var text: String {
    (line.spans + line.trailing).compactMap { $0.symbol == nil ? $0.text.description : nil }
      .joined(separator: " ").collapsingWhitespace
  }

  func render(into canvas: inout Canvas, background: Role?) {
    let area = Rect(
      x: 2 * indent, width: canvas.bounds.width - 2 * indent, height: canvas.bounds.height)
    canvas.inside(area) { canvas in
      line.render(into: &canvas, background: background)
      var x = line.spans.reduce(0) { $0 + $1.columns + 1 }
      for cell in chart where x < canvas.bounds.width {
        canvas.symbol(cell.symbol, x: x, y: 0, role: cell.role, background: background)
        x += 1
      }
    }
  }
}

extension [CommandRow] {
  /// The rows as a cursor list; the newest are at the top.
  ///
  /// - Parameter height: visible rows.
  func list(height: Int) -> CursorList<CommandItem> {
    CursorList(count: count, height: Swift.max(1, height)) { self[$0].item }
  }
}

/// Draws rows with a cursor into a panel and marks each for the mouse.
struct CommandRows {
  var rows: [CommandRow]
  var cursor: ListCursor<CommandItem>
  var panel: CommandPanel
  var isFocused: Bool

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let first = max(0, min(cursor.scroll, rows.count - area.height))
    let rest = rows.count - first - area.height
    let more: PlainText = rest > 0 && area.width >= 16 ? PlainText(" +\(rest)") : ""
    for (offset, row) in rows.dropFirst(first).prefix(area.height).enumerated() {
      let index = first + offset
      // The sign of the selected row is in the free column on the left.
      let line = Rect(x: area.x - 1, y: area.y + offset, width: area.width + 1, height: 1)
      frame.mark(line, .command(.row(panel, index)))
      for figure in row.figures(width: area.width - 2 * row.indent) {
        let x = area.x + 2 * row.indent + figure.columns.lowerBound
        frame.mark(
          Rect(x: x, y: line.y, width: figure.columns.count, height: 1),
          .figure(figure.behind))
      }
      let back: Role? = isFocused && index == cursor.line ? .selection : nil
      frame.canvas.inside(line) { canvas in
        if back != nil {
          canvas.placeCursor()
          canvas.fill(canvas.bounds, background: back)
          canvas.write(">", role: .focus, attributes: .bold, background: back)
        }
        // The last row leaves room for the count of rows below.
        let taken = offset == area.height - 1 ? more.columns : 0
        canvas.inside(Rect(x: 1, width: area.width - taken, height: 1)) {
          row.render(into: &$0, background: back)
        }
      }
    }
    guard !more.isEmpty else { return }
    frame.canvas.write(
      more, x: area.maxX - more.columns, y: area.maxY - 1, role: .muted,
      background: isFocused && cursor.line == first + area.height - 1 ? .selection : nil)
  }
}
