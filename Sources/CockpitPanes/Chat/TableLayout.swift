import CockpitChat
import TerminalCore

/// A table shrunk to a width: cells wrap, and where columns would become too narrow, each row is a list of its cells.
struct TableLayout {
  private let table: MarkdownTable
  private let width: Int

  private static let narrowest = 5
  private static let separator: PlainText = " | "

  init(_ table: MarkdownTable, width: Int) {
    self.table = table
    self.width = width
  }

  var lines: [ChatLine] {
    guard let head = table.rows.first, !head.isEmpty else { return [] }
    let cells = table.rows.map { row in
      row.map { MarkdownLayout.spans(MarkdownRun.runs(of: $0), .text) }
    }
    var lines = columns(cells).map { rows(cells, $0) } ?? list(cells)
    if table.hiddenColumns > 0 {
      let words = PlainText("\(table.hiddenColumns) more columns are not shown")
      lines += words.wrapped(to: width).map { ChatLine($0, .muted) }
    }
    return lines
  }

  /// Columns of each column; nil where they do not fit.
  private func columns(_ cells: [[[StyledText]]]) -> [Int]? {
    let count = table.alignments.count
    let room = width - (count - 1) * Self.separator.columns
    let natural = (0..<count).map { column in
      max(1, cells.map { $0[column].reduce(0) { $0 + $1.text.columns } }.max() ?? 1)
    }
    guard natural.reduce(0, +) > room else { return natural }
    guard room >= count * Self.narrowest else { return nil }
    // Narrow columns keep what they need; the others share the rest.
    var widths = natural
    var left = room
    var open = Set(0..<count)
    while true {
      let share = left / max(1, open.count)
      let fitting = open.filter { natural[$0] <= share }
      guard !fitting.isEmpty else {
        for column in open { widths[column] = max(Self.narrowest, share) }
        return widths
      }
      for column in fitting { left -= natural[column] }
      open.subtract(fitting)
      if open.isEmpty { return widths }
    }
  }

  private func rows(_ cells: [[[StyledText]]], _ widths: [Int]) -> [ChatLine] {
    var lines: [ChatLine] = []
    for (number, row) in cells.enumerated() {
      let wrapped = zip(row, widths).map { StyledWrap(width: $1).lines($0) }
      for y in 0..<(wrapped.map(\.count).max() ?? 0) {
        var spans: [StyledText] = []
        for (column, cell) in wrapped.enumerated() {
          if column > 0 { spans.append(StyledText(Self.separator, .border)) }
          let line = y < cell.count ? cell[y] : []
          let styled = number == 0 ? line.map { $0.styled(.heading, .bold) } : line
          spans += aligned(styled, widths[column], table.alignments[column])
        }
        lines.append(ChatLine(spans))
      }
      if number == 0 { lines.append(ChatLine(Self.dashes(widths), .border)) }
    }
    return lines
  }

  private static func dashes(_ widths: [Int]) -> PlainText {
    PlainText(widths.map { String(repeating: "-", count: $0) }.joined(separator: "-+-"))
  }

  private func aligned(
    _ line: [StyledText], _ width: Int, _ alignment: MarkdownTable.Alignment
  ) -> [StyledText] {
    let space = max(0, width - line.reduce(0) { $0 + $1.text.columns })
    let left: Int =
      switch alignment {
      case .left: 0
      case .right: space
      case .center: space / 2
      }
    return [StyledText(.spaces(left))] + line + [StyledText(.spaces(space - left))]
  }

  /// `head: cell`, a line for each cell of a row.
  private func list(_ cells: [[[StyledText]]]) -> [ChatLine] {
    var lines: [ChatLine] = []
    for row in cells.dropFirst() {
      if !lines.isEmpty { lines.append(ChatLine(PlainText("-"), .border)) }
      for (head, cell) in zip(cells[0], row) where !cell.isEmpty {
        let name = head.map { $0.styled(.heading, .bold) } + [StyledText(": ", .border)]
        lines += StyledWrap(width: width).lines(name + cell).map { ChatLine($0) }
      }
    }
    return lines.isEmpty
      ? StyledWrap(width: width).lines(cells[0].flatMap { $0 + [StyledText(" | ")] }).map {
        ChatLine($0)
      } : lines
  }
}
