import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  @MainActor mutating func performInFacts(
    _ command: CockpitCommand, _ facts: Facts, _ layout: Layout
  ) -> Bool {
    if command == .open {
      let used = usedFacts(facts).facts
      guard used.indices.contains(factLine) else { return true }
      show(used[factLine].fact)
      return true
    }
    return Self.scroll(&factLine, command, page: layout.content(.facts).height)
  }

  mutating func show(_ fact: Fact) {
    wantedFact = FactReference(id: fact.id, subject: fact.subject, fact: fact.fact ?? "")
  }

  @MainActor mutating func stepSession(_ command: CockpitCommand, _ facts: Facts) -> Bool {
    guard command == .left || command == .right else { return false }
    let ids = (facts.voice.state?.sessions ?? []).map(\.sessionID)
    guard ids.count > 1, let index = ids.firstIndex(of: session(facts)?.sessionID ?? "") else {
      return true
    }
    look(at: ids[(index + (command == .right ? 1 : ids.count - 1)) % ids.count])
    return true
  }

  mutating func look(at session: String) {
    sessionID = session
    version = nil
    promptLine = 0
    promptScroll = 0
    factLine = 0
    contextScroll = 0
  }
}
