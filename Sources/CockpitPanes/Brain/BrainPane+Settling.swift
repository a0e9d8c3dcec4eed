import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  /// Brings cursors and scroll positions into what there is to show.
  @MainActor package mutating func settle(_ facts: Facts, body: Rect, screen: Size) {
    prepare(facts, body: body, screen: screen)
    let layout = layout(in: body, of: screen)
    switch side {
    case .prompt:
      let height = promptHeight(layout)
      let count = document(facts, layout)?.count ?? 0
      promptLine = min(max(0, promptLine), max(0, count - 1))
      if promptLine < promptScroll { promptScroll = promptLine }
      if promptLine >= promptScroll + height { promptScroll = promptLine - height + 1 }
      promptScroll = max(0, min(promptScroll, count - height))
    case .detail, .raw:
      let area = layout.content(.prompt)
      guard !area.isEmpty, let lines = sideLines(facts, width: area.width) else { break }
      detail.settle(lines, height: max(1, area.height))
    }
    let factHeight = layout.content(.facts).height
    factLine = min(max(0, factLine), max(0, usedFacts(facts).facts.count - 1))
    if factLine < factScroll { factScroll = factLine }
    if factHeight > 0, factLine >= factScroll + factHeight {
      factScroll = factLine - factHeight + 1
    }
    let context = layout.content(.context)
    if !context.isEmpty {
      let count = contextLines(facts, width: context.width).count
      contextScroll = max(0, min(contextScroll, count - context.height))
    }
    chainScroll = max(0, min(chainScroll, 200))
  }
}
