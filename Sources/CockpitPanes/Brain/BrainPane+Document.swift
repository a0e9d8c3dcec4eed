import CockpitStores
import TerminalCore

extension BrainPane {
  /// The display options of prompts.
  ///
  /// - Parameter room: lines in sight, to be filled.
  func reading(room: Int?) -> PromptReading {
    PromptReading(
      unfolded: unfolded, folded: folded, room: room, isComparing: isComparing, layouts: layouts)
  }

  /// The document of the displayed prompt; nil if there is none.
  @MainActor func document(_ facts: ViewContext, _ layout: Layout) -> PromptDocument? {
    let area = layout.content(.prompt)
    guard !area.isEmpty, let prompt = inspected(facts) else { return nil }
    return PromptDocument(
      prompt, reading(room: promptHeight(layout)), width: PromptPanel.textWidth(area))
  }

  /// Lines of the prompt that are in sight.
  func promptHeight(_ layout: Layout) -> Int {
    var height = layout.content(.prompt).height - 1
    if isFinding || !findText.isEmpty, height > 2 { height -= 1 }
    return max(1, height > 3 ? height - 1 : height)
  }

  @MainActor func promptHits(_ facts: ViewContext, _ layout: Layout) -> [Int] {
    let width = PromptPanel.textWidth(layout.content(.prompt))
    return document(facts, layout)?.hits(findText, layouts: layouts, width: width) ?? []
  }
}
