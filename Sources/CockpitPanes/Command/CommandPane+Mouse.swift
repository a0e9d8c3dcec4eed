import CockpitStores
import TerminalCore

extension CommandPane {
  /// The first click selects, the second opens.
  @MainActor package mutating func press(
    _ target: Target, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect] {
    notice = nil
    switch target {
    case .panel(let panel): focus = panel
    case .row(let panel, let line):
      let layout = layout(in: body, of: screen)
      let rows = content(panel, facts, layout).rows
      let height = layout.content(panel).height
      var cursor = cursors[panel] ?? CommandCursor()
      cursor.settle(rows, height: height)
      let isSelected = focus == panel && cursor.place.line == line
      focus = panel
      cursor.select(line, rows, height: height)
      cursors[panel] = cursor
      if isSelected { return open(facts, layout) }
    }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: Facts, body: Rect, screen: Size
  ) {
    guard case .panel(let panel) = target else { return }
    let layout = layout(in: body, of: screen)
    let rows = content(panel, facts, layout).rows
    let height = layout.content(panel).height
    cursors[panel, default: CommandCursor()].scroll(by: lines, rows, height: height)
  }
}
