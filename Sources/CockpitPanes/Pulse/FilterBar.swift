import TerminalUI
import CockpitText
import CockpitStores
import TerminalCore

/// The line above the feed: filter or search text while typing, the number of matching rows,
/// whether the view follows, and the number of new rows.
struct FilterBar: FramePart {
  /// The active input and its position; nil if none.
  let bar: PulseInput?
  let field: TextField
  let filter: String
  let isFilterOff: Bool
  let isFiltering: Bool
  let findText: String
  let isOnlyMatches: Bool
  /// Matching rows, and all rows; 0 without a filter.
  let shown: Int
  let count: Int
  /// Matching rows of a replaced log.
  let former: Int
  /// Rows around hits that the filter hides.
  let context: Int
  /// The level, while it folds rows, and how many.
  let level: FeedLevel?
  let folded: Int
  let isPaused: Bool
  let isFollowing: Bool
  /// Whether the data have ended: the newest row that is followed is an old one.
  let isPast: Bool
  /// Rows that arrived since the view was held.
  let new: Int
  let keys: KeyTable
  /// Where the rows begin that the filter reaches beyond.
  let beginning: PlainText?
  /// The history request in progress.
  let fetching: PlainText?

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    frame.mark(area, .hint(.filter))
    frame.canvas.inside(area) { canvas in
      var right = canvas.bounds.width
      for (text, role) in state.reversed() {
        guard right - text.columns - 2 > 14 || bar == nil else { break }
        right -= text.columns + 2
        canvas.write(text, x: right + 1, role: role, attributes: role == .muted ? [] : .bold)
      }
      let room = max(0, right - 4)
      switch bar {
      case .filter:
        canvas.write("f>", x: 1, role: .key, attributes: .bold)
        canvas.inside(Rect(x: 4, width: room, height: 1)) {
          field.render(
            into: &$0, placeholder: "kind:llm_* since:15m | count by model   Tab completes",
            isFocused: true)
        }
      case .find:
        canvas.write(" /", x: 1, role: .key, attributes: .bold)
        canvas.inside(Rect(x: 4, width: room, height: 1)) {
          field.render(into: &$0, placeholder: "find text", isFocused: true)
        }
      case nil:
        idle(room: room, into: &canvas)
      }
    }
  }

  private func idle(room: Int, into canvas: inout Canvas) {
    if filter.isEmpty {
      canvas.write(
        (keys.text(.filter) + " filter   " + keys.text(.find) + " find").cut(to: room + 2), x: 1,
        role: .faint)
    } else {
      canvas.write("f>", x: 1, role: .key)
      canvas.write(
        PlainText(filter).cut(to: room), x: 4, role: isFilterOff ? .faint : .input)
    }
    if !findText.isEmpty {
      let text = (isOnlyMatches ? "& " : "/ ") + PlainText(findText)
      let x = filter.isEmpty ? 20 : min(room, PlainText(filter).columns + 6)
      canvas.write(text.cut(to: max(0, room + 4 - x)), x: x, role: .match)
    }
  }

  /// The right side: rows that pass, follow state, new rows.
  private var state: [(PlainText, Role)] {
    var parts: [(PlainText, Role)] = []
    if let level {
      let name = PlainText(level.rawValue.uppercased())
      parts.append((folded == 0 ? name : name + " " + Figures.count(folded) + " folded", .info))
    }
    if isFiltering {
      parts.append(("FILTER " + Figures.count(shown) + "/" + Figures.count(count), .info))
      if context > 0 { parts.append(("+" + Figures.count(context) + " around", .muted)) }
      if former > 0 { parts.append(("and " + GapText.former(former), .gap)) }
    } else if isFilterOff {
      parts.append(("FILTER OFF", .warning))
    }
    if let beginning { parts.append(("rows here begin " + beginning, .warning)) }
    if let fetching { parts.append((fetching, .muted)) }
    if isPaused {
      parts.append(("PAUSED +" + Figures.count(new), .warning))
    } else if isFollowing {
      parts.append(("FOLLOW", isPast ? .muted : .positive))
    } else {
      let follow = keys.text(.follow) + " follows"
      parts.append((new > 0 ? "+" + Figures.count(new) + " new  " + follow : follow, .info))
    }
    return parts
  }
}

/// The completions of Tab, above or below the filter bar, and the error in the text.
struct FilterHelp {
  /// Whether a filter is being typed.
  let isTyping: Bool
  let text: String
  let error: QueryError?
  let completion: CompletionList

  /// A marker under the error; nil if the text is longer than the bar and scrolls.
  private func mark(of error: QueryError, width: Int) -> PlainText? {
    let characters = Array(text)
    guard PlainText(text).columns < width, error.offset < characters.count else { return nil }
    let before = PlainText(String(characters[..<error.offset])).columns
    let end = min(characters.count, error.offset + max(1, error.length))
    let columns = PlainText(String(characters[error.offset..<end])).columns
    return PlainText.spaces(before) + PlainText(String(repeating: "^", count: max(1, columns)))
  }

  /// Draws over the rows below the bar.
  func render(below area: Rect, into frame: inout Frame) {
    guard isTyping else { return }
    var lines: [(PlainText, Role, Bool)] = []
    // An unfinished text is no error while completions remain.
    if let error = error, completion.items.isEmpty {
      if let mark = mark(of: error, width: area.width - 6) {
        lines.append((mark, .negative, false))
      }
      lines.append((PlainText(error.description, limit: 300), .negative, false))
    }
    // The chosen one is always among those that are shown.
    let first = max(0, (completion.selected ?? 0) - 7)
    for (index, item) in completion.items.enumerated().dropFirst(first).prefix(8) {
      let count = item.count.map { "  " + Figures.count($0) } ?? ""
      lines.append(
        (PlainText(item.title, limit: 60) + count, .text, index == completion.selected))
    }
    guard !lines.isEmpty else { return }
    let bounds = frame.canvas.bounds
    let width = min(bounds.width - area.x, max(30, (lines.map(\.0.columns).max() ?? 0) + 4))
    var box = Rect(
      x: area.x + 3, y: area.y + 1, width: max(0, min(width, bounds.width - area.x - 3)),
      height: min(lines.count, bounds.height - area.y - 1))
    frame.canvas.clear(box)
    frame.forgetParts()
    for (text, role, isSelected) in lines {
      frame.canvas.inside(box.takeTop(1)) { canvas in
        let background: Role? = isSelected ? .selection : .header
        canvas.fill(canvas.bounds, background: background)
        canvas.write(
          text.cut(to: canvas.bounds.width - 2), x: 1, role: role, background: background)
      }
    }
  }
}
