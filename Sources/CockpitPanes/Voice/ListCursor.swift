/// Where the reader is in a list of lines: on an item, which the view keeps in its place while
/// lines come and go, or at the live end, which it follows.
package struct ListCursor: Hashable, Sendable {
  /// The item under the cursor; nil for a line without one.
  var item: VoiceItem?
  /// The cursor's line when it was last looked for: its place when the item is gone.
  var line = 0
  /// How far below the top of the view the cursor is.
  var row = 0
  /// Whether the live end is followed and no line is selected.
  var isFollowing = true

  /// Which end of a list is the live one.
  enum End { case top, bottom }

  /// The first line to show and the selected one; nil while it follows.
  func place(in lines: [VoiceLine], height: Int, end: End) -> (first: Int, cursor: Int?) {
    let last = max(0, lines.count - height)
    guard !isFollowing, !lines.isEmpty else { return (end == .top ? 0 : last, nil) }
    let cursor = index(in: lines)
    return (min(max(0, cursor - min(row, max(0, height - 1))), last), cursor)
  }

  /// The line of the item, or the one at its old place.
  func index(in lines: [VoiceLine]) -> Int {
    if let item {
      if lines.indices.contains(line), lines[line].item == item { return line }
      if let found = lines.firstIndex(where: { $0.item == item }) { return found }
    }
    return min(line, max(0, lines.count - 1))
  }

  /// Moves the cursor; the first step away from the live end selects the line there.
  mutating func move(by step: Int, in lines: [VoiceLine], height: Int, end: End) {
    guard !lines.isEmpty else { return }
    let (first, cursor) = place(in: lines, height: height, end: end)
    let start =
      cursor ?? (end == .top ? first - (step > 0 ? 1 : 0) : lines.count - (step < 0 ? 0 : 1))
    select(line: start + step, in: lines, height: height, first: first)
  }

  /// Selects a line and scrolls just far enough to show it.
  mutating func select(line wanted: Int, in lines: [VoiceLine], height: Int, first: Int) {
    guard !lines.isEmpty else { return }
    line = min(max(0, wanted), lines.count - 1)
    item = lines[line].item
    row = min(max(0, line - first), max(0, height - 1))
    isFollowing = false
  }

  /// Scrolls without leaving the cursor behind, as the wheel does; at the live end it follows.
  mutating func scroll(by step: Int, in lines: [VoiceLine], height: Int, end: End) {
    guard lines.count > height else { return }
    let (first, cursor) = place(in: lines, height: height, end: end)
    let top = min(max(0, first + step), lines.count - height)
    if cursor == nil || isScrolledOnly, top == (end == .top ? 0 : lines.count - height) {
      self = ListCursor()
      return
    }
    let kept = min(max(cursor ?? top, top), top + height - 1)
    let wasScrolled = cursor == nil || isScrolledOnly
    select(line: kept, in: lines, height: height, first: top)
    isScrolledOnly = wasScrolled
  }

  /// Whether only the wheel moved it: then reaching the live end follows again.
  private var isScrolledOnly = false
}
