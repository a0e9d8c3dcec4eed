import CockpitStores

/// The selection in a table: a line identified by its keys, so that it stays while others come and
/// go.
package struct TableCursor: Hashable, Sendable {
  /// The keys of the selected line; nil selects the first one.
  private(set) var keys: [QueryTable.Key]?
  /// Its last index, for when the line is gone.
  private var place = 0
  /// The line at the top of the view.
  private(set) var top = 0

  /// The number of the selected line; 0 in an empty table.
  func line(in table: QueryTable) -> Int {
    guard let keys, !table.lines.isEmpty else { return 0 }
    let last = min(place, table.lines.count - 1)
    if table.lines[last].keys == keys { return last }
    return table.lines.firstIndex { $0.keys == keys } ?? last
  }

  /// The first line in sight: that at the top, or as far down or up as the selected one needs.
  func first(in table: QueryTable, height: Int) -> Int {
    let line = line(in: table)
    let wanted = line < top ? line : line >= top + height ? line - height + 1 : top
    return max(0, min(wanted, table.lines.count - height))
  }

  mutating func select(_ line: Int, in table: QueryTable, height: Int) {
    guard !table.lines.isEmpty else { return }
    let top = first(in: table, height: height)
    place = min(max(0, line), table.lines.count - 1)
    keys = table.lines[place].keys
    self.top = top
    self.top = first(in: table, height: height)
  }

  /// Scrolls; the selected line moves along at the edge so that it stays visible.
  mutating func scroll(by lines: Int, in table: QueryTable, height: Int) {
    let first = first(in: table, height: height)
    let wanted = max(0, min(first + lines, table.lines.count - height))
    let line = line(in: table)
    top = wanted
    select(min(max(line, wanted), wanted + height - 1), in: table, height: height)
  }
}
