import TerminalCore

/// A row of a card on the screen: the first of a line, or one that continues its wrapped text.
struct CardRow {
  /// The number of the line.
  var line: Int
  var text: PlainText
  var isFirst: Bool

  /// The first row to show: all rows of the selected line are visible, and the card moves no further than it must.
  ///
  /// - Parameters:
  ///   - line: the selected line.
  ///   - first: the row that is shown first so far.
  ///   - room: how many rows can be shown.
  static func scroll(_ rows: [CardRow], to line: Int, from first: Int, room: Int) -> Int {
    let top = rows.firstIndex { $0.line == line } ?? 0
    let end = rows.lastIndex { $0.line == line } ?? top
    let shown = min(max(first, end - room + 1), top)
    return min(max(0, shown), max(0, rows.count - room))
  }
}
