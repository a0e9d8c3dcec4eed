import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  @MainActor mutating func performInFacts(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
  ) -> Bool {
    if command == .open {
      let used = usedFacts(facts).facts
      guard used.indices.contains(factCursor.line) else { return true }
      show(used[factCursor.line].fact)
      return true
    }
    guard let move = command.listMove else { return false }
    factCursor.step(move, page: layout.content(.facts).height)
    return true
  }

  mutating func show(_ fact: Fact) {
    wantedFact = FactReference(id: fact.id, subject: fact.subject, fact: fact.fact ?? "")
  }

  @MainActor mutating func stepSession(_ command: KeyAction, _ facts: ViewContext) -> Bool {
    guard command == .left || command == .right else { return false }
    let ids = facts.liveSessions.map(\.sessionID)
    guard ids.count > 1, let index = ids.firstIndex(of: session(facts)?.sessionID ?? "") else {
      return true
    }
    look(at: ids[(index + (command == .right ? 1 : ids.count - 1)) % ids.count])
    return true
  }

  mutating func look(at session: String) {
    sessionID = session
    version = nil
    promptCursor = TextCursor()
    factCursor = TextCursor()
    contextScroll = 0
  }

  /// Follows the newest session and call again.
  package mutating func forgetSelection() {
    (sessionID, cursor, anchor, answer, version) = (nil, nil, nil, nil, nil)
    newest = nil
  }
}
