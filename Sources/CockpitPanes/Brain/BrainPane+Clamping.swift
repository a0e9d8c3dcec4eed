import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  /// Clamps cursors and scroll positions to the content.
  @MainActor package mutating func clampSelection(_ facts: ViewContext, body: Rect, screen: Size) {
    prepare(facts, body: body, screen: screen)
    let layout = layout(facts, in: body, of: screen)
    switch side {
    case .prompt:
      promptCursor.clamp(
        count: document(facts, layout)?.count ?? 0, height: promptHeight(layout))
    case .detail, .raw:
      let area = layout.content(.prompt)
      guard !area.isEmpty, let lines = sideLines(facts, width: area.width) else { break }
      detail.clamp(lines, height: max(1, area.height))
    }
    factCursor.clamp(
      count: usedFacts(facts).facts.count, height: layout.content(.facts).height)
    let context = layout.content(.context)
    if !context.isEmpty {
      let count = contextLines(facts, width: context.width).count
      contextScroll = max(0, min(contextScroll, count - context.height))
    }
    chainScroll = max(0, min(chainScroll, 200))
  }
}
