internal import ClankyWire

/// The facts of a table or a search in the order of a query, recomputed only when one of them
/// changes.
struct FactOrder: Sendable {
  struct Item: Sendable {
    var id: Int
    var fact: Fact
    var guilds: Set<String>
    var words: FoldedText
    /// Scores, for a hit of a search.
    var scores: SearchFact?
    /// Whether it is a draft of a fact that is in no list.
    var isStray = false
  }

  private(set) var items: [Item] = []
  private var seen: Seen?

  private struct Seen: Equatable {
    var table: Int
    var strays: [FactDraft]
    var search: SearchResult?
    var source: FactViewQuery.Source
    var order: FactViewQuery.Order
    var isReversed: Bool
    var names: Int
  }

  mutating func update(
    _ table: FactTable, _ strays: [FactDraft], _ search: SearchResult?, _ query: FactViewQuery,
    _ names: any NameDirectory
  ) {
    let now = Seen(
      table: table.revision, strays: strays, search: search, source: query.source,
      order: query.order,
      isReversed: query.isReversed, names: query.order == .subject ? names.revision : 0)
    guard now != seen else { return }
    seen = now
    var found: [Item] = []
    if query.source == .search {
      for hit in search?.results ?? [] {
        guard let id = hit.fact.id else { continue }
        // A search row of March lacks members that the listed fact has (contract 6.2).
        let entry = table[id]
        found.append(
          Item(
            id: id, fact: entry?.fact ?? hit.fact,
            guilds: entry?.guilds ?? Set([search?.guildID].compactMap(\.self)),
            words: entry?.words ?? FactTable.Entry.words(of: hit.fact), scores: hit))
      }
    } else {
      found.reserveCapacity(table.count)
      for (id, entry) in table.entries {
        found.append(Item(id: id, fact: entry.fact, guilds: entry.guilds, words: entry.words))
      }
      for draft in strays {
        // Only the text of the draft is left.
        var fact = draft.base
        fact.id = draft.factID
        fact.fact = draft.edit.fact
        var guilds: Set<String> = []
        if case .guild(let guild) = draft.edit.target { guilds = [guild] }
        found.append(
          Item(
            id: draft.factID, fact: fact, guilds: guilds,
            words: FactTable.Entry.words(of: fact), isStray: true))
      }
    }
    items = Self.sorted(found, query, names)
  }

  /// The display name of a subject: its friendly name or the user's name.
  static func name(of subject: String, _ names: any NameDirectory) -> String? {
    switch FactSubject(special: subject) {
    case .bot: "self"
    case .lore: "lore"
    case .owner: "owner"
    case nil: names.userName(subject)
    }
  }

  /// Numbers descending, text ascending; ties by newest change, then by higher id.
  private static func sorted(
    _ items: [Item], _ query: FactViewQuery, _ names: any NameDirectory
  ) -> [Item] {
    let sign: Double = query.isReversed ? 1 : -1
    var words: [Int: String] = [:]
    switch query.order {
    case .subject:
      var known: [String: String] = [:]
      for item in items {
        let subject = item.fact.subject ?? ""
        let word = known[subject] ?? FoldedText(name(of: subject, names) ?? subject).text
        known[subject] = word
        words[item.id] = word
      }
    case .type:
      for item in items { words[item.id] = item.fact.factType?.rawValue ?? "" }
    case .updated, .created, .confidence, .score: break
    }
    struct Key {
      var index: Int
      var number: Double
      var word: String
      var changed: Double
      var id: Int
    }
    var keys = items.indices.map { index in
      let item = items[index]
      let created = item.fact.createdAt.map { Double($0.milliseconds) }
      let changed = item.fact.updatedAt.map { Double($0.milliseconds) } ?? created
      let number: Double? =
        switch query.order {
        case .updated: changed
        case .created: created
        case .confidence: item.fact.confidence
        case .score: item.scores?.score
        case .subject, .type: 0
        }
      return Key(
        index: index, number: number.map { $0 * sign } ?? .infinity, word: words[item.id] ?? "",
        changed: changed ?? -.infinity, id: item.id)
    }
    let isReversed = query.isReversed
    keys.sort { left, right in
      if left.number != right.number { return left.number < right.number }
      if left.word != right.word { return (left.word < right.word) != isReversed }
      if left.changed != right.changed { return left.changed > right.changed }
      return left.id > right.id
    }
    return keys.map { items[$0.index] }
  }
}
