import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  /// Lays out and compares what the next frames show; drawing caches nothing.
  @MainActor package mutating func prepare(_ facts: ViewContext, body: Rect, screen: Size) {
    prepareSubject(facts)
    prepareChains(facts)
    let layout = layout(facts, in: body, of: screen)
    switch side {
    case .prompt: preparePrompt(facts, layout)
    case .raw(let panel):
      guard let raw = rawValue(panel, facts) else { break }
      layouts.prepareRaw(raw.key, raw.make)
    case .detail: break
    }
  }

  /// Prepares the chains of the displayed answer and of the selected call's answer.
  @MainActor private mutating func prepareChains(_ facts: ViewContext) {
    let call = selectedCall(facts).flatMap { answerID(of: $0.row, facts) }
    let rows = [answer, call, chainID(facts)].compactMap { id -> RowID? in
      if case .row(let row)? = id { row } else { nil }
    }
    chains.prepare(rows, in: facts.activity.log)
  }

  @MainActor private mutating func preparePrompt(_ facts: ViewContext, _ layout: Layout) {
    let area = layout.content(.prompt)
    guard !area.isEmpty, let prompt = inspected(facts) else { return }
    let width = PromptPanel.textWidth(area)
    // Beginnings of parts are shown where lines would stand empty, which all of them may need.
    for text in prompt.texts(isComparing: isComparing)
    where !isComparing || unfolded.contains(.part(text.key)) {
      let id = TextID(owner: prompt.owner, part: text.key)
      guard isComparing else {
        layouts.prepareWrapped(id, width: width, text.text)
        if !findText.isEmpty {
          layouts.prepareHits(of: findText, in: id, width: width, text.text)
        }
        continue
      }
      guard let owner = prompt.previousOwner else { continue }
      let old = prompt.previous?[text.key]?.text ?? ""
      layouts.prepareDiff(
        (TextID(owner: owner, part: text.key), old), (id, text.text), width: width)
    }
  }
}
