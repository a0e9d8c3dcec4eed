import TerminalUI
import CockpitDomain
import Networking
import CockpitStores
import TerminalCore

extension CommandPane {
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let layout = layout(facts, in: body, of: frame.layoutSize)
    CommandSummary(facts: facts).render(in: layout.summary, into: &frame)
    for divider in layout.dividers {
      frame.canvas.inside(divider) { canvas in
        canvas.verticalRule(x: 0, from: 1)
        canvas.symbol(.horizontal, x: 0, y: 0, role: .border)
      }
    }
    for panel in Panel.allCases where !layout[panel].isEmpty {
      render(panel, facts, layout, into: &frame)
    }
  }

  @MainActor private func render(
    _ panel: Panel, _ facts: ViewContext, _ layout: Layout, into frame: inout Frame
  ) {
    // This program's own figures stay current; the others stop at the end of the data.
    let isOwn = [.connection, .actions, .log].contains(panel)
    let facts = isOwn ? facts : facts.atDataEnd(of: .activity)
    let isPast = !isOwn && facts.dataEndMs(.activity) != nil
    var content = content(panel, facts, layout)
    if isPast, panel == .system || panel == .cost, let asOf = facts.asOf(.activity) {
      content.trailing = asOf
    }
    defer { if isPast { frame.canvas.fade(layout.content(panel)) } }
    let number = (Panel.allCases.firstIndex(of: panel) ?? 0) + 1
    let area = PanelFrame(
      title: content.title, trailing: content.trailing,
      place: layout.isSingle ? (number, Panel.allCases.count) : nil, isFocused: focus == panel,
      hasBox: layout.hasBoxes, titleTarget: content.titleFigure.map(Frame.Target.figure),
      trailingTarget: content.trailingFigure.map(Frame.Target.figure)
    ).draw(in: layout[panel], .command(.panel(panel)), into: &frame)
    guard !area.isEmpty else { return }
    guard !content.rows.isEmpty else {
      frame.canvas.inside(area) { canvas in
        let lines = content.placeholder.wrapped(to: max(1, area.width), limit: area.height)
        for (y, line) in lines.enumerated() { canvas.write(line, y: y, role: .muted) }
      }
      return
    }
    let cursor = (cursors[panel] ?? ListCursor())
      .settled(in: content.rows.list(height: area.height))
    CommandRows(
      rows: content.rows, cursor: cursor, panel: panel, isFocused: focus == panel
    ).render(in: area, into: &frame)
  }
}
