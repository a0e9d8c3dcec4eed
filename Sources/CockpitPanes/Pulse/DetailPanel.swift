import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The detail of the selected row: fields, prompts, metadata tree, raw JSON.
struct DetailPanel {
  var pane: PulsePane
  var hasBox: Bool

  /// The width of the content for a panel of this width.
  static func contentWidth(_ area: Rect, hasBox: Bool) -> Int { area.width - (hasBox ? 4 : 2) }
  static func contentHeight(_ area: Rect, hasBox: Bool) -> Int { area.height - (hasBox ? 2 : 1) }

  /// The lines of the selected row; nil if none is selected.
  @MainActor static func lines(
    _ pane: PulsePane, _ facts: ViewContext, in area: Rect, hasBox: Bool
  ) -> [DetailLine]? {
    guard let row = pane.selectedRow(facts) else { return nil }
    if let gap = row.gap { return gapLines(gap, width: contentWidth(area, hasBox: hasBox)) }
    guard let parsed = facts.actions.action(for: row) else { return nil }
    return DetailContent(
      row: row, action: parsed.action, metadata: parsed.metadata, view: pane.detail,
      width: contentWidth(area, hasBox: hasBox), names: facts.names, clock: facts.clock,
      nowMs: pane.pausedAtMs ?? facts.nowMs
    ).lines
  }

  private static func gapLines(_ gap: IDGapRow, width: Int) -> [DetailLine] {
    GapText(gap).explanation.wrapped(to: max(8, width)).map { DetailLine([.init($0)]) }
  }

  @MainActor func render(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    frame.mark(area, .pulse(.panel(.detail)))
    let isFocused = pane.focus == .detail && pane.bar == nil
    let pages = DetailView.Page.allCases.count
    let trailing =
      pane.detail.page.title + PlainText(" \(pane.detail.page.rawValue + 1)/\(pages)")
    var title: PlainText = "detail"
    if let row = pane.selectedRow(facts), row.gap == nil {
      title = PlainText(row.label.title, limit: max(4, area.width / 2))
      if let id = row.actionID { title += PlainText("  #\(id)") }
      if facts.isMerged, let name = facts.sources?.current.name {
        title = PlainText(name, limit: 16) + "  " + title
      }
    }
    let content: Rect
    if hasBox {
      frame.canvas.panel(title, trailing: trailing, in: area, isFocused: isFocused) { _ in }
      content = Rect(
        x: area.x + 2, y: area.y + 1, width: max(0, area.width - 4), height: max(0, area.height - 2)
      )
    } else {
      frame.canvas.inside(area) {
        $0.rule(title, trailing: trailing, y: 0, isFocused: isFocused)
      }
      content = Rect(
        x: area.x + 1, y: area.y + 1, width: max(0, area.width - 2), height: max(0, area.height - 1)
      )
    }
    guard !content.isEmpty else { return }
    guard let lines = Self.lines(pane, facts, in: area, hasBox: hasBox) else {
      frame.canvas.inside(content) { $0.write("no row selected", role: .muted) }
      return
    }
    let first = min(pane.detail.scroll, max(0, lines.count - content.height))
    for (offset, line) in lines.dropFirst(first).prefix(content.height).enumerated() {
      let index = first + offset
      let lineArea = Rect(x: content.x, y: content.y + offset, width: content.width, height: 1)
      frame.mark(lineArea, .pulse(.detailLine(index)))
      frame.canvas.inside(lineArea) { canvas in
        let isUnderCursor = isFocused && index == pane.detail.line
        if isUnderCursor {
          canvas.fill(canvas.bounds, background: .selection)
          canvas.placeCursor()
        }
        var x = 2 * line.indent
        if line.fold != nil {
          canvas.symbol(
            line.isOpen ? .unfolded : .folded, x: x, y: 0, role: .focus,
            background: isUnderCursor ? .selection : nil)
          x += 2
        }
        for span in line.spans {
          let room = canvas.bounds.width - x
          guard room > 0 else { break }
          x =
            canvas.write(
              span.text.cut(to: room), x: x, role: span.role,
              background: isUnderCursor ? .selection : nil) + 1
        }
      }
    }
    // It may have been drawn in place of the feed that has the keys.
    if frame.canvas.cursor == nil { frame.canvas.placeCursor(x: content.x, y: content.y) }
    let rest = lines.count - first - content.height
    if rest > 0, hasBox {
      let more = PlainText(" \(rest) more ")
      frame.canvas.write(
        more, x: area.x + area.width - more.columns - 2, y: area.y + area.height - 1, role: .faint)
    } else if rest > 0 {
      // Without a frame the mark stands at the end of the last line.
      let more = PlainText(" +\(rest)")
      frame.canvas.write(
        more, x: content.maxX - more.columns, y: content.maxY - 1, role: .muted)
    }
  }
}
