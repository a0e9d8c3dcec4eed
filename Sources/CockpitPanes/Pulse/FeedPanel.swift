import ClankyLink
import ClankyWire
import CockpitStores
import TerminalCore

/// The live feed: one line for each row that passes the filter, newest first.
struct FeedPanel {
  var pane: PulsePane
  var hasBox: Bool

  /// Draws the feed into `area` and marks every row for the mouse.
  @MainActor func render(_ facts: Facts, in area: Rect, into frame: inout Frame) {
    let isFocused = pane.focus == .feed && pane.bar == nil
    frame.mark(area, .pulse(.panel(.feed)))
    guard hasBox else {
      rows(facts, in: area, into: &frame)
      return
    }
    let shown = facts.feed.count
    let count: PlainText =
      facts.hasActivity ? Figures.count(shown) + (shown == 1 ? " row  " : " rows  ") : ""
    frame.canvas.panel(
      facts.dataEndMs(.activity) == nil ? "live feed" : "feed", trailing: count + "newest first",
      in: area, isFocused: isFocused
    ) { _ in }
    rows(facts, in: area.inset(by: 1), into: &frame)
  }

  /// What decides which rows are in sight and how they look, besides what is in them.
  struct View: Equatable {
    /// Where the rows stand.
    var area: Rect
    /// The index of the top row.
    var first: Int
    /// The rows at both ends, and how many lines below the first the last is. Where they are the same, so
    /// are all rows between: one that came between would have moved the last.
    var top: RowID
    var bottom: RowID
    var height: Int
    var count: Int
    var style: FeedRow.Style
    /// The line of the selected row; nil when none is in sight.
    var selected: Int?
  }

  @MainActor private func rows(_ facts: Facts, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    guard facts.feed.count > 0 else {
      frame.canvas.inside(area) { emptyState(facts, into: &$0) }
      return
    }
    let view = view(facts, in: area)
    frame.feedView = view
    placeCursor(in: view, into: &frame)
    for line in 0..<min(area.height, facts.feed.count - view.first) {
      guard let row = row(at: line, of: view, facts, into: &frame) else { continue }
      let lineArea = Rect(x: area.x, y: area.y + line, width: area.width, height: 1)
      frame.mark(lineArea, .pulse(.row(row)))
    }
  }

  /// Draws another place in the feed over a frame that shows the same rows otherwise.
  ///
  /// - Returns: whether it is another place in the same view; else nothing was drawn.
  @MainActor func move(_ facts: Facts, in area: Rect, over frame: inout Frame) -> Bool {
    guard let old = frame.feedView, facts.feed.count > 0 else { return false }
    let new = view(facts, in: hasBox ? area.inset(by: 1) : area)
    var moved = old
    moved.selected = new.selected
    // Rows may have come above those in sight.
    if (old.top, old.bottom) == (new.top, new.bottom) {
      (moved.first, moved.count) = (new.first, new.count)
    }
    guard moved == new else { return false }
    frame.feedView = new
    placeCursor(in: new, into: &frame)
    for line in [old.selected, new.selected] {
      guard let line else { continue }
      _ = row(at: line, of: new, facts, into: &frame)
    }
    return true
  }

  /// On the selected row; on the newest in sight where none is selected.
  private func placeCursor(in view: View, into frame: inout Frame) {
    guard pane.focus == .feed else { return }
    frame.canvas.placeCursor(x: view.area.x, y: view.area.y + (view.selected ?? 0))
  }

  @MainActor private func view(_ facts: Facts, in area: Rect) -> View {
    let first = firstIndex(facts, height: area.height)
    let line = pane.cursorIndex(facts) - first
    let isInSight = (0..<area.height).contains(line) && (pane.cursor != nil || pane.isDetailOpen)
    let last = max(first, min(first + area.height, facts.feed.count) - 1)
    return View(
      area: area, first: first, top: facts.feed.rowID(at: first),
      bottom: facts.feed.rowID(at: last), height: last - first, count: facts.feed.count,
      style: FeedRow.Style(
        pane, facts, width: area.width, height: area.height,
        oldestMs: facts.feed.row(at: last, in: facts.activity.log)?.timeMs),
      selected: isInSight ? line : nil)
  }

  /// Draws the row in a line of the view; nil when there is none.
  @MainActor private func row(
    at line: Int, of view: View, _ facts: Facts, into frame: inout Frame
  ) -> RowID? {
    guard let row = facts.feed.row(at: view.first + line, in: facts.activity.log) else {
      return nil
    }
    let area = Rect(x: view.area.x, y: view.area.y + line, width: view.area.width, height: 1)
    frame.canvas.inside(area) { canvas in
      FeedRow(row: row, style: view.style, isSelected: line == view.selected)
        .render(facts, into: &canvas)
    }
    return row.id
  }

  /// The top row: where the reader left it. A view that reaches beyond the oldest row moves up, but
  /// never over rows that arrived since it was held: they stay out of sight until it follows again.
  @MainActor func firstIndex(_ facts: Facts, height: Int) -> Int {
    let anchor = pane.anchorIndex(facts)
    let last = max(0, facts.feed.count - height)
    guard anchor > last, let newSince = pane.newSince else { return min(anchor, last) }
    var first = last
    while first < anchor, facts.feed.rowID(at: first) >= newSince { first += 1 }
    return first
  }

  @MainActor private func emptyState(_ facts: Facts, into canvas: inout Canvas) {
    let total = facts.activity.log.count
    var lines: [(PlainText, Role)] = []
    if total > 0 {
      lines.append((PlainText("0 of \(Figures.count(total)) rows pass the filter"), .warning))
      lines.append(
        ("Esc clears it, " + facts.keys.text(.filterToggle) + " switches it off and on", .muted))
    } else if let sentence = ConnectionWords(
      status: facts.status, monotonicNs: facts.monotonicNs
    ).sentence {
      lines.append((sentence, .warning))
    } else if facts.status.overall == .live {
      lines.append(
        ("Connected. The bot has done nothing yet; its next action appears here.", .muted))
    } else {
      lines.append(("Connecting…", .muted))
    }
    var y = min(1, canvas.bounds.height - 1)
    for (text, role) in lines {
      for part in text.wrapped(to: max(1, canvas.bounds.width - 2)) {
        canvas.write(part, x: 1, y: y, role: role)
        y += 1
      }
    }
  }
}
