package import ClankyWire

/// Every fact that was fetched, once each, by its id: the same fact of a user is listed under every
/// guild (contract 6.1).
package struct FactTable: Sendable {
  /// A fact, and the guilds whose lists have shown it.
  package struct Entry: Hashable, Sendable {
    package var fact: Fact
    package var guilds: Set<String>
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
      var entry = entries[id] ?? Entry(fact: fact, guilds: [])
      entry.fact = fact
      if let guild { entry.guilds.insert(guild) }
      guard entries[id] != entry else { continue }
      entries[id] = entry
      hasChanged = true
    }
    if hasChanged { revision += 1 }
  }

  /// Forgets a fact that the backend no longer has.
  package mutating func remove(_ id: Int) {
    if entries.removeValue(forKey: id) != nil { revision += 1 }
  }

  /// Forgets everything that was known only from one guild's list and is not among `ids` any more.
  package mutating func keepOnly(_ ids: Set<Int>, of guild: String) {
    var hasChanged = false
    for (id, entry) in entries where entry.guilds.contains(guild) && !ids.contains(id) {
      hasChanged = true
      if entry.guilds.count == 1 {
        entries[id] = nil
      } else {
        entries[id]?.guilds.remove(guild)
      }
    }
    if hasChanged { revision += 1 }
  }
}
