import CockpitStores
import TerminalCore

/// The line that says what is shown: filter or find while they are typed, and how many rows pass,
/// whether the view follows, and how many rows are new.
struct FilterBar {
  var pane: PulsePane

  @MainActor func render(_ facts: Facts, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    frame.mark(area, .hint(.filter))
    frame.canvas.inside(area) { canvas in
      let state = state(facts)
      var right = canvas.bounds.width
      for (text, role) in state.reversed() {
        guard right - text.columns - 2 > 14 || pane.bar == nil else { break }
        right -= text.columns + 2
        canvas.write(text, x: right + 1, role: role, attributes: role == .muted ? [] : .bold)
      }
      let room = max(0, right - 4)
      switch pane.bar {
      case .filter:
        canvas.write("f>", x: 1, role: .key, attributes: .bold)
        canvas.inside(Rect(x: 4, width: room, height: 1)) {
          pane.filterField.render(
            into: &$0, placeholder: "kind:llm_* cost>0.01 since:15m   Tab completes",
            isFocused: true)
        }
      case .find:
        canvas.write(" /", x: 1, role: .key, attributes: .bold)
        canvas.inside(Rect(x: 4, width: room, height: 1)) {
          pane.findField.render(into: &$0, placeholder: "find text", isFocused: true)
        }
      case nil:
        idle(facts.keys, room: room, into: &canvas)
      }
    }
  }

  private func idle(_ keys: KeyTable, room: Int, into canvas: inout Canvas) {
    if pane.query.isEmpty {
      canvas.write(
        (keys.text(.filter) + " filter   " + keys.text(.find) + " find").cut(to: room + 2), x: 1,
        role: .faint)
    } else {
      canvas.write("f>", x: 1, role: .key)
      canvas.write(
        PlainText(pane.query.text).cut(to: room), x: 4, role: pane.isFilterOff ? .faint : .input)
    }
    if !pane.findText.isEmpty {
      let text = (pane.isOnlyMatches ? "& " : "/ ") + PlainText(pane.findText)
      let x = pane.query.isEmpty ? 20 : min(room, PlainText(pane.query.text).columns + 6)
      canvas.write(text.cut(to: max(0, room + 4 - x)), x: x, role: .match)
    }
  }

  /// The right side: rows that pass, follow state, new rows.
  @MainActor private func state(_ facts: Facts) -> [(PlainText, Role)] {
    var parts: [(PlainText, Role)] = []
    if pane.isFiltering {
      parts.append(
        (
          "FILTER " + Figures.count(facts.feed.count) + "/"
            + Figures.count(facts.activity.log.count), .info
        ))
    } else if pane.isFilterOff {
      parts.append(("FILTER OFF", .warning))
    }
    let new = pane.newCount(facts)
    if pane.isPaused {
      parts.append(("PAUSED +" + Figures.count(new), .warning))
    } else if pane.isFollowing {
      parts.append(("FOLLOW", .positive))
    } else {
      let follow = facts.keys.text(.follow) + " follows"
      parts.append((new > 0 ? "+" + Figures.count(new) + " new  " + follow : follow, .info))
    }
    return parts
  }
}

/// What Tab offers, above or below the filter bar, and what is wrong with the text.
struct FilterHelp {
  var pane: PulsePane

  /// Draws over the rows below the bar.
  func render(below area: Rect, into frame: inout Frame) {
    guard pane.bar == .filter else { return }
    var lines: [(PlainText, Role, Bool)] = []
    // What is being typed is not yet wrong while something can still follow it.
    if let error = pane.queryError, pane.completion.items.isEmpty {
      lines.append((PlainText(error.description, limit: 300), .negative, false))
    }
    // The chosen one is always among those that are shown.
    let first = max(0, (pane.completion.selected ?? 0) - 7)
    for (index, item) in pane.completion.items.enumerated().dropFirst(first).prefix(8) {
      let count = item.count.map { "  " + Figures.count($0) } ?? ""
      lines.append(
        (PlainText(item.title, limit: 60) + count, .text, index == pane.completion.selected))
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
