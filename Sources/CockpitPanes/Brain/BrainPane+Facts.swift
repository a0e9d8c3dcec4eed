import ClankyWire
import CockpitStores
import TerminalCore

extension BrainPane {
  /// The facts of the answer; without an answer those of the last generation, or that the session has loaded.
  @MainActor func usedFacts(_ facts: ViewContext) -> (facts: [UsedFact], isOfGeneration: Bool) {
    guard isOfSession(facts) else {
      return (subject(facts).map { recordedFacts($0, facts) } ?? [], true)
    }
    guard let session = session(facts) else { return ([], false) }
    var used: [UsedFact] = []
    var seen: Set<Int> = []
    func add(_ list: [Fact], _ use: PlainText) {
      for fact in list.prefix(400) {
        if let id = fact.id, !seen.insert(id).inserted { continue }
        used.append(UsedFact(fact: fact, use: use))
      }
    }
    if let context = session.lastGenerationContext {
      if let memory = context.memoryFacts {
        add(memory.guidanceFacts, "guidance")
        add(memory.behavioralFacts, "behaviour")
        add(memory.userFacts, "speaker")
        add(memory.relevantFacts, "relevant")
      }
      add(context.userFacts, "speaker")
      add(context.relevantFacts, "relevant")
      if !used.isEmpty { return (used, true) }
    }
    for profile in session.memory.factProfiles.prefix(50) { add(profile.userFacts, "session") }
    add(session.memory.guildFactProfile?.selfFacts ?? [], "session")
    add(session.memory.guildFactProfile?.loreFacts ?? [], "session")
    return (used, false)
  }
}
