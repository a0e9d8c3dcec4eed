import TerminalUI
import CockpitStores
import TerminalCore

extension CommandPane {
  /// The first click selects, the second opens.
  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    message = nil
    switch target {
    case .panel(let panel): focus = panel
    case .row(let panel, let line):
      let layout = layout(facts, in: body, of: screen)
      let rows = content(panel, facts, layout).rows
      let height = layout.content(panel).height
      var cursor = (cursors[panel] ?? ListCursor()).settled(in: rows.list(height: height))
      let isSelected = focus == panel && cursor.line == line
      focus = panel
      cursor.select(line: line, in: rows.list(height: height))
      cursors[panel] = cursor
      if isSelected { return open(facts, layout) }
    }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    guard case .panel(let panel) = target else { return }
    let layout = layout(facts, in: body, of: screen)
    let rows = content(panel, facts, layout).rows
    let height = layout.content(panel).height
    cursors[panel, default: ListCursor()].scroll(by: lines, in: rows.list(height: height))
  }
}
