import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// The live feed: one line for each row that passes the filter, newest first.
struct FeedPanel {
  var pane: PulsePane
  var hasBox: Bool

  /// Draws the feed into `area` and marks every row for the mouse.
  @MainActor func render(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    let isFocused = pane.focus == .feed && pane.bar == nil
    frame.mark(area, .pulse(.panel(.feed)))
    guard hasBox else {
      rows(facts, in: area, into: &frame)
      return
    }
    let box = FeedBox(
      shown: facts.isMerged
        ? facts.sources?.shownRows.shown : facts.hasActivity ? facts.feed.presentCount : nil,
      former: facts.isMerged ? 0 : facts.feed.formerCount,
      isLive: facts.isMerged || facts.dataEndMs(.activity) == nil, isOfSeveral: facts.isMerged,
      isPast: facts.replay != nil,
      isFocused: isFocused)
    frame.draw(box, in: area)
    rows(facts, in: area.inset(by: 1), into: &frame)
  }

  @MainActor private func rows(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let shown = facts.lines
    guard shown.count > 0 else {
      frame.canvas.inside(area) { canvas in
        canvas.clear(canvas.bounds)
        emptyState(facts, into: &canvas)
      }
      return
    }
    let first = firstIndex(facts, height: area.height)
    let lines = min(area.height, shown.count - first)
    let style = FeedRow.Style(
      pane, facts, width: area.width, height: area.height,
      oldestMs: shown.row(at: first + lines - 1, in: facts.activity.log)?.timeMs)
    let selected = selectedLine(facts, first: first)
    // On the selected row, or on the newest visible one.
    if pane.focus == .feed {
      let line = selected.flatMap { (0..<area.height).contains($0) ? $0 : nil }
      frame.canvas.placeCursor(x: area.x, y: area.y + (line ?? 0))
    }
    let below = min(TurnGutter.lookahead, shown.count - first - lines)
    let marks = shown.marks(
      ofLines: first..<first + lines + (style.columns.lanes > 0 ? below : 0))
    let gutter = TurnGutter(
      marks, shown: lines, lanes: style.columns.lanes,
      selected: selected.flatMap { marks.indices.contains($0) ? marks[$0].bracket?.turn : nil })
    let letters = Dictionary(
      pane.marks.map { ($0.value.row, $0.key) }, uniquingKeysWith: { min($0, $1) })
    let merged = shown.merged?.rows(first..<first + lines)
    for line in 0..<area.height {
      let lineArea = Rect(x: area.x, y: area.y + line, width: area.width, height: 1)
      if let merged {
        guard let id = merged[safe: line]?.id, let row = facts.feedRow(id) else {
          frame.canvas.clear(lineArea)
          continue
        }
        FeedRow(
          row: row, style: style, isSelected: line == selected, mark: marks[line],
          letter: letters[id], tag: facts.tag(ofRow: id), feedID: id
        )
        .draw(facts.facts(ofRow: id), in: lineArea, into: &frame)
        continue
      }
      guard line < lines, let row = shown.row(at: first + line, in: facts.activity.log) else {
        // What the box brought along from the frame before.
        frame.canvas.clear(lineArea)
        continue
      }
      FeedRow(
        row: row, style: style, isSelected: line == selected, mark: marks[line],
        gutter: gutter.lines[line], letter: letters[row.id], isContext: facts.feed.isContext(row.id)
      )
      .draw(facts, in: lineArea, into: &frame)
    }
  }

  /// The line of the selected row, counted from the top one; nil if no row is selected.
  @MainActor private func selectedLine(_ facts: ViewContext, first: Int) -> Int? {
    pane.cursor != nil || pane.isDetailOpen ? pane.cursorIndex(facts) - first : nil
  }

  /// The top row: where the user left it. A view that reaches beyond the oldest row moves up, but
  /// never over rows that arrived since it was held: they stay hidden until it follows again.
  @MainActor func firstIndex(_ facts: ViewContext, height: Int) -> Int {
    let anchor = pane.anchorIndex(facts)
    let last = max(0, facts.lines.count - height)
    guard anchor > last, pane.newSince != nil else { return min(anchor, last) }
    var first = last
    while first < anchor, pane.isNew(facts.lines.rowID(at: first), facts) { first += 1 }
    return first
  }

  @MainActor private func emptyState(_ facts: ViewContext, into canvas: inout Canvas) {
    let total = facts.activity.log.count(in: facts.scope)
    var lines: [(PlainText, Role)] = []
    if total > 0, !pane.isFiltering, pane.level != .everything {
      let level = PlainText(pane.level.rawValue)
      lines.append(("The " + Figures.count(total) + " rows here are folded: " + level, .warning))
      lines.append((facts.keys.text(.level) + " shows more", .muted))
    } else if total > 0 {
      lines.append((PlainText("0 of \(Figures.count(total)) rows pass the filter"), .warning))
      lines.append(
        ("Esc clears it, " + facts.keys.text(.filterToggle) + " switches it off and on", .muted))
    } else if let name = facts.scopeName, !facts.activity.log.isEmpty {
      lines.append(
        (
          "No row of " + name + " is among the " + Figures.count(facts.activity.log.count)
            + " here.",
          .warning
        ))
      lines.append((":guild off shows all guilds", .muted))
    } else if let sentence = ConnectionWords(
      status: facts.status, monotonicNs: facts.monotonicNs
    ).sentence {
      lines.append((sentence, .warning))
    } else if let replay = facts.replay {
      lines.append(
        ("No row up to " + facts.clock.time(ms: replay.atMs) + " is on record.", .warning))
    } else if facts.status.overall == .live {
      lines.append(
        (
          facts.isGateway
            ? "Connected. Nothing has happened there yet; what happens next appears here."
            : "Connected. The bot has done nothing yet; its next action appears here.", .muted
        ))
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

/// The box of the feed. The rows in it are of the frame before: they are drawn anew, which for those that have not
/// changed means nothing.
private struct FeedBox: FramePart {
  /// nil while nothing is known.
  var shown: Int?
  /// Rows of a log that was replaced.
  var former: Int
  var isLive: Bool
  var isOfSeveral: Bool
  var isPast: Bool
  var isFocused: Bool

  func render(in area: Rect, into frame: inout Frame) {
    let count: PlainText =
      shown.map {
        Figures.count($0) + ($0 == 1 ? " row  " : " rows  ")
          + (former > 0 ? "and " + GapText.former(former) + "  " : "")
      } ?? ""
    frame.canvas.panel(
      isOfSeveral ? "all sources" : isPast ? "feed replay" : isLive ? "live feed" : "feed",
      trailing: count + "newest first",
      in: area,
      isFocused: isFocused
    ) { _ in }
  }
}
