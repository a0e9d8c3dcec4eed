import TerminalUI
import CockpitStores
import TerminalCore

extension VoicePane {
  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    message = nil
    switch target {
    case .view(let view): return show(view, facts)
    case .session(let id): choose(id)
    case .panel(let panel): focus = panel
    case .lane(let lane):
      if focus == .lanes, lanes.lane == lane {
        if lanes.collapsed.remove(lane) == nil { lanes.collapsed.insert(lane) }
      }
      focus = .lanes
      lanes.lane = lane
    case .line(let panel, let line):
      return press(panel, line: line, facts, layout(facts, in: body, of: screen))
    }
    return []
  }

  /// The first click selects, the second opens.
  @MainActor private mutating func press(
    _ panel: Panel, line: Int, _ facts: ViewContext, _ layout: Layout
  ) -> [Effect] {
    focus = panel
    guard let area = layout.panels[panel] else { return [] }
    var content = contentArea(area, hasBox: layout.hasBoxes)
    let before = cursors[panel] ?? ListCursor()
    let shown = self.content(panel, facts, size: content.size, isFull: layout.isFull)
    _ = content.takeTop(Self.waterfallRows(shown, height: content.height))
    guard shown.lines.indices.contains(line) else { return [] }
    let item = shown.lines[line].item
    if let item, before.id == item, !before.isResting { return open(panel, facts, layout) }
    // Once it does not follow, a transcript has all its lines: the clicked one is found by its item.
    cursors[panel, default: ListCursor()].isResting = false
    let lines = self.content(panel, facts, size: content.size, isFull: layout.isFull).lines
    var cursor = before
    cursor.select(
      line: line + lines.count - shown.lines.count,
      in: lines.list(height: content.height, end: panel.end))
    cursors[panel] = cursor
    chosen(panel, cursor, facts)
    return []
  }

  @MainActor package mutating func wheel(
    _ count: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    guard case .panel(let panel) = target, panel != .lanes else { return }
    let layout = layout(facts, in: body, of: screen)
    guard let area = layout.panels[panel] else { return }
    var content = contentArea(area, hasBox: layout.hasBoxes)
    var cursor = cursors[panel] ?? ListCursor()
    cursors[panel, default: ListCursor()].isResting = false
    let shown = self.content(panel, facts, size: content.size, isFull: layout.isFull)
    _ = content.takeTop(Self.waterfallRows(shown, height: content.height))
    cursor.scroll(by: count, in: shown.lines.list(height: content.height, end: panel.end))
    cursors[panel] = cursor
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, body: Rect, screen: Size) {
    if let sessionID, facts.voice.state != nil, facts.voice.session(sessionID) == nil, pastID == nil
    {
      // The session has ended: the first of the others is shown.
      self.sessionID = nil
      turnID = nil
    }
  }
}
