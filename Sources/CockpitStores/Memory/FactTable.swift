package import ClankyWire

/// Every fact that was fetched, once each, by its id: the same fact of a user is listed under every
/// guild (contract 6.1).
package struct FactTable: Sendable {
  /// A fact, and the guilds whose lists contain it.
  package struct Entry: Hashable, Sendable {
    package fileprivate(set) var fact: Fact
    package fileprivate(set) var guilds: Set<String>
    /// Its text, folded for searching.
    fileprivate(set) var words: FoldedText

    fileprivate init(_ fact: Fact) {
      self.fact = fact
      guilds = []
      words = Self.words(of: fact)
    }

    static func words(of fact: Fact) -> FoldedText {
      var words = FoldedText(fact.fact ?? "")
      for text in [fact.evidenceText, fact.factType?.rawValue, fact.subject, fact.subjectLabel] {
        guard let text else { continue }
        words.separate()
        words.append(text)
      }
      return words
    }
  }

  package private(set) var entries: [Int: Entry] = [:]
  /// Changes when an entry does: views compare it.
  package private(set) var revision = 0

  package init() {}

  package var count: Int { entries.count }
  package subscript(id: Int) -> Entry? { entries[id] }

  /// Takes facts that a guild's list has shown; nil for the owner's private list.
  package mutating func merge(_ facts: [Fact], guild: String?) {
    var hasChanged = false
    for fact in facts {
      guard let id = fact.id else { continue }
      if let known = entries[id], known.fact == fact,
        FactContent(known.fact) == FactContent(fact)
      {
        guard let guild, !known.guilds.contains(guild) else { continue }
        entries[id]?.guilds.insert(guild)
      } else {
        var entry = Entry(fact)
        entry.guilds = entries[id]?.guilds ?? []
        if let guild { entry.guilds.insert(guild) }
        entries[id] = entry
      }
      hasChanged = true
    }
    if hasChanged { revision += 1 }
  }

  /// Forgets a fact that the backend no longer has.
  package mutating func remove(_ id: Int) {
    if entries.removeValue(forKey: id) != nil { revision += 1 }
  }

  /// Removes facts that a guild's list no longer contains, except those of the subjects in
  /// `sparing`, whose listing is incomplete. A fact without a guild is in the list of each
  /// (contract 6.1), so it is removed altogether.
  ///
  /// - Parameter isAlone: only this guild's list ended, for example because the bot left it: then
  ///   facts without a guild stay in the lists of the others.
  package mutating func keepOnly(
    _ ids: Set<Int>, of guild: String, sparing: Set<String> = [], isAlone: Bool = false
  ) {
    var hasChanged = false
    for (id, entry) in entries where entry.guilds.contains(guild) && !ids.contains(id) {
      if let subject = entry.fact.subject, sparing.contains(subject) { continue }
      hasChanged = true
      if entry.guilds.count == 1 || (entry.fact.guildID == nil && !isAlone) {
        entries[id] = nil
      } else {
        entries[id]?.guilds.remove(guild)
      }
    }
    if hasChanged { revision += 1 }
  }
}
