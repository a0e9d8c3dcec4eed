import TerminalUI
import CockpitStores
import TerminalCore

extension MemoryPane {
  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    message = nil
    bar = nil
    let layout = layout(facts, in: body, of: screen)
    switch target {
    case .view(let view): return go(to: view)
    case .panel(let panel): if panel != .document { focus = panel }
    case .guild: walkGuilds(by: 1, facts)
    case .subject(let subject): choose(subject)
    case .fact(let id):
      let rows = facts.factView.rows
      guard let index = rows.firstIndex(where: { $0.id == id }) else { return [] }
      let isAgain = focus == .facts && cursor.id == id
      focus = .facts
      cursor.select(line: index, in: facts.factView.list(height: layout.visibleFacts))
      if isAgain {
        return perform(.open, on: facts, body: body, screen: screen) ?? []
      }
      forgetDetail()
    case .order(let order): sort(by: order)
    case .line(let panel, let line):
      let isAgain = (focus == panel || panel == .document) && scrollPositions[panel]?.line == line
      if panel != .document { focus = panel }
      scrollPositions[panel, default: TextCursor()].put(line: line)
      if isAgain { return follow(panel, facts, layout) }
    }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    guard case .panel(let panel) = target else { return }
    let layout = layout(facts, in: body, of: screen)
    switch panel {
    case .facts:
      cursor.scroll(by: lines, in: facts.factView.list(height: layout.visibleFacts))
      forgetDetail()
    case .subjects: subjectScroll = max(0, subjectScroll + lines)
    case .detail, .provenance, .reflections, .document:
      scrollPositions[panel, default: TextCursor()].shift(by: lines)
    }
  }
}
