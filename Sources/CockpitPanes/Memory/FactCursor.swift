import CockpitStores

/// Where the reader is in the list of facts: on a fact, which stays on its line of the screen while
/// others come and go above and below it.
package struct FactCursor: Hashable, Sendable {
  /// The fact under the cursor; nil for the first one that is not the owner's: those are masked, and a
  /// screen of dots is no beginning.
  package internal(set) var id: Int?
  /// Its place in the list when it was last looked for: where the cursor stays when it is gone.
  var index = 0
  /// How far below the top of the view it is.
  var row = 0

  /// The place of the fact in the list; 0 in an empty one.
  func index(in rows: [FactView.Row]) -> Int {
    guard !rows.isEmpty else { return 0 }
    guard let id else { return rows.firstIndex { !$0.fact.isOwnerPrivate } ?? 0 }
    if rows.indices.contains(index), rows[index].id == id { return index }
    return rows.firstIndex { $0.id == id } ?? min(index, rows.count - 1)
  }

  /// The first line to show and the selected one.
  func place(in rows: [FactView.Row], height: Int) -> (top: Int, cursor: Int) {
    let cursor = index(in: rows)
    // Until the user moves, the list starts with its first line.
    let offset = min(max(0, id == nil ? cursor : row), max(0, height - 1))
    return (min(max(0, cursor - offset), max(0, rows.count - height)), cursor)
  }

  /// Selects a line and scrolls just far enough to show it.
  mutating func select(_ wanted: Int, in rows: [FactView.Row], height: Int) {
    guard !rows.isEmpty else { return }
    let top = place(in: rows, height: height).top
    index = min(max(0, wanted), rows.count - 1)
    id = rows[index].id
    row = min(max(0, index - top), max(0, height - 1))
  }

  mutating func move(by step: Int, in rows: [FactView.Row], height: Int) {
    let now = index(in: rows)
    select(now.addingReportingOverflow(step).partialValue, in: rows, height: height)
  }

  /// Scrolls; the cursor comes along at the edge.
  mutating func scroll(by lines: Int, in rows: [FactView.Row], height: Int) {
    guard rows.count > height, height > 0 else { return }
    let (top, cursor) = place(in: rows, height: height)
    let next = min(max(0, top + lines), rows.count - height)
    index = min(max(cursor, next), next + height - 1)
    id = rows[index].id
    row = index - next
  }

  /// Remembers where the fact is now; a fact that has gone leaves the cursor on its neighbour.
  mutating func settle(in rows: [FactView.Row], height: Int) {
    guard id != nil, !rows.isEmpty else { return }
    let (top, cursor) = place(in: rows, height: height)
    index = cursor
    id = rows[cursor].id
    row = cursor - top
  }
}

/// A cursor on a line of text and how far the text is scrolled.
package struct LinePlace: Hashable, Sendable {
  var line = 0
  var scroll = 0

  /// Moves as a command says; false when it is none that moves.
  mutating func perform(_ command: CockpitCommand, page: Int) -> Bool {
    switch command {
    case .down: line += 1
    case .up: line -= 1
    case .halfPageDown: line += max(1, page / 2)
    case .halfPageUp: line -= max(1, page / 2)
    case .pageDown: line += page
    case .pageUp: line -= page
    case .top: line = 0
    case .bottom: line = .max / 2
    default: return false
    }
    return true
  }

  /// Brings both into `count` lines of which `height` are in sight.
  mutating func settle(count: Int, height: Int) {
    line = min(max(0, line), max(0, count - 1))
    if line < scroll { scroll = line }
    if height > 0, line >= scroll + height { scroll = line - height + 1 }
    scroll = max(0, min(scroll, count - height))
  }

  mutating func scroll(by lines: Int) {
    scroll = max(0, scroll + lines)
    line = max(0, line + lines)
  }
}
