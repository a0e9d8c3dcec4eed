import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    switch findField.press(press) {
    case .accept:
      isFinding = false
      findText = findField.text
      promptCursor.put(line: promptCursor.line - 1)  // a hit under the cursor counts
      find(1, facts, layout(facts, in: body, of: screen))
    case .cancel:
      isFinding = false
      findText = ""
    case .edited:
      findText = findField.text
    default: break
    }
    return []
  }

  package func typingHint(_ keys: KeyTable) -> PlainText? { isTyping ? keys.findingHint : nil }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) -> [Effect] {
    guard isFinding else {
      message = "a paste is text: press " + facts.keys.text(.find) + " first, then paste"
      return []
    }
    findField.paste(text)
    findText = findField.text
    return []
  }

  @MainActor mutating func find(_ step: Int, _ facts: ViewContext, _ layout: Layout) {
    guard !findText.isEmpty else {
      message = "press " + facts.keys.text(.find) + " and type what to find in the prompt"
      return
    }
    side = .prompt
    focus = .prompt
    guard let prompt = inspected(facts) else {
      message = "there is no prompt to search"
      return
    }
    // Folded parts are searched too, and opened where something is found.
    let needle = PlainText(findText, limit: 200)
    for part in prompt.content.parts where !unfolded.contains(.part(part.key)) {
      let isHit = PlainText.lines(part.text, limit: 20_000).contains {
        !$0.ranges(of: needle).isEmpty
      }
      if isHit { unfolded.insert(.part(part.key)) }
    }
    let hits = promptHits(facts, layout)
    let line = promptCursor.line
    let next = step > 0 ? hits.first { $0 > line } : hits.last { $0 < line }
    guard let hit = next ?? (step > 0 ? hits.first : hits.last) else {
      message = "no hit for \"" + PlainText(findText, limit: 60) + "\""
      promptCursor.put(line: max(0, line))
      return
    }
    if next == nil { message = step > 0 ? "from the top again" : "from the end again" }
    promptCursor.put(line: hit)
  }
}
