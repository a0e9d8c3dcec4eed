package import ClankyWire

extension MemoryStore {
  /// Where a fact is edited and deleted: the owner's own by a separate route, others under their
  /// guild, or under one whose list contains them (contract 6.3). nil if no guild is known.
  package func target(of fact: Fact) -> FactTarget? {
    if fact.scope == .owner { return .ownerPrivate }
    if let guild = fact.guildID { return .guild(guild) }
    if fact.specialSubject == .owner { return .ownerPrivate }
    if let id = fact.id, let guild = facts[id]?.guilds.min() { return .guild(guild) }
    return (search.value?.guildID ?? guilds?.first).map(FactTarget.guild)
  }

  /// A fact that is listed, or was found by the last search.
  package func fact(_ id: Int) -> Fact? {
    facts[id]?.fact ?? search.value?.results.first { $0.fact.id == id }?.fact
  }
}

extension FactTarget {
  /// The guild, or `owner`: as the journal names it.
  var journalName: String {
    switch self {
    case .guild(let guild): guild
    case .ownerPrivate: MemoryStore.ownerKey
    }
  }
}
