import CockpitStores
import TerminalCore

extension BrainPane {
  /// The display options of prompts.
  var reading: PromptReading {
    PromptReading(unfolded: unfolded, isComparing: isComparing, layouts: layouts)
  }

  /// The document of the displayed prompt; nil if there is none.
  @MainActor func document(_ facts: ViewContext, _ layout: Layout) -> PromptDocument? {
    let area = layout.content(.prompt)
    guard !area.isEmpty, let prompt = inspected(facts) else { return nil }
    return PromptDocument(prompt, reading, width: PromptPanel.textWidth(area))
  }

  /// Lines of the prompt that are in sight.
  func promptHeight(_ layout: Layout) -> Int {
    var height = layout.content(.prompt).height - 1
    if isFinding || !findText.isEmpty, height > 2 { height -= 1 }
    return max(1, height > 3 ? height - 1 : height)
  }

  @MainActor func promptHits(_ facts: ViewContext, width: Int) -> [Int] {
    guard let prompt = inspected(facts) else { return [] }
    return PromptDocument(prompt, reading, width: width)
      .hits(findText, layouts: layouts, width: width)
  }
}
