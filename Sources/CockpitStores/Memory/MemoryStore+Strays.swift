internal import ClankyWire

/// Drafts that no row of a fact leads to.
extension MemoryStore {
  /// Drafts of facts that are in no list although the lists are complete, by fact id.
  package var strayDrafts: [FactDraft] {
    drafts.values.filter { isGone($0) != nil }.sorted { $0.factID < $1.factID }
  }

  /// Whether the fact of a draft was deleted on the backend; false if the backend lists only part
  /// of its facts. nil if the fact exists or this is unknown.
  package func isGone(_ draft: FactDraft) -> Bool? {
    guard facts[draft.factID] == nil else { return nil }
    switch draft.edit.target {
    case .ownerPrivate:
      guard case .loaded = ownerPrivate else { return nil }
      return coverage[Self.ownerKey]?.isComplete == true
    case .guild(let guild):
      guard let guilds else { return nil }
      // The facts of a guild that the bot has left may be listed by another one.
      let coverage = coverage(of: guilds.contains(guild) ? guild : nil)
      guard coverage.fetchedAtMs != nil else { return nil }
      return coverage.isComplete || coverage.isLoading
    }
  }
}
