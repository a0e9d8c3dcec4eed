package import ClankyWire

/// Filter and order of the list of facts.
package struct FactViewQuery: Hashable, Sendable {
  /// The source of the list.
  package enum Source: Hashable, Sendable {
    case facts
    /// The hits of the last semantic search, with their scores.
    case search
  }

  package enum Order: String, CaseIterable, Hashable, Sendable {
    case updated, created, confidence, subject, type, score
  }

  package var source = Source.facts
  /// nil means all guilds.
  package var guild: String?
  /// nil means all subjects.
  package var subject: String?
  /// Words and fields such as `type:preference conf>0.8 scope:user`; see `FactFilter`.
  package var filter = ""
  /// Text to find; with `onlyMatches` the other facts are left out.
  package var find = ""
  package var onlyMatches = false
  /// Only these facts, by id: those of an answer. nil means all.
  package var among: Set<Int>?
  package var order = Order.updated
  package var isReversed = false

  package init() {}
}

/// The facts that match a query, in its order: what the list draws. `sync` updates it once per
/// frame, like `FilteredLog`.
package struct FactView: Sendable {
  package struct Row: Hashable, Sendable {
    package var id: Int
    package var fact: Fact
    /// nil outside a search.
    package var score: Double?
    package var semanticScore: Double?
    package var lexicalScore: Double?
    /// Whether the text that is looked for is in it.
    package var isHit: Bool
    /// Whether it is a draft of a fact that is in no list.
    package var isStray: Bool

    package init(
      id: Int, fact: Fact, score: Double? = nil, semanticScore: Double? = nil,
      lexicalScore: Double? = nil, isHit: Bool = false, isStray: Bool = false
    ) {
      self.id = id
      self.fact = fact
      self.score = score
      self.semanticScore = semanticScore
      self.lexicalScore = lexicalScore
      self.isHit = isHit
      self.isStray = isStray
    }
  }

  package private(set) var query = FactViewQuery()
  package private(set) var rows: [Row] = []
  /// Number of rows that contain the search text; 0 without one.
  package private(set) var hitCount = 0
  /// Why the filter cannot be read, as one sentence; then the last one that could be is applied.
  package private(set) var problem: String?

  /// How often a filter with `age` or a time of day is re-evaluated, in ms.
  static let refreshMs: Int64 = 5_000

  private var order = FactOrder()
  private var filter = FactFilter.everything
  private var seen: Seen?
  /// The facts that pass guild, subject and filter, in order.
  private var passed: [FactOrder.Item] = []
  /// The indices in `passed` that contain the search text; nil without one.
  private var hits: [Int]?
  private var needle = FoldedText()
  private var subjectNames: [String: FoldedText] = [:]

  /// The inputs of the current rows, except the search text.
  private struct Seen: Equatable {
    var query: FactViewQuery
    var table: Int
    var strays: [FactDraft]
    var search: SearchResult?
    var names: Int
    var nowMs: Int64
    var zone: QueryZone
  }

  package init() {}

  /// Updates the rows from the store and the query; true if they changed.
  ///
  /// - Parameters:
  ///   - strays: drafts of unlisted facts, to be shown among the others.
  ///   - nowMs: now, in ms since 1970 on the backend's clock, for `age<7d` and the like; defaults
  ///     to the newest known change.
  ///   - zone: of the filter's times of day and dates.
  @MainActor @discardableResult
  package mutating func sync(
    with store: MemoryStore, query: FactViewQuery, strays: [FactDraft] = [],
    names: any NameDirectory = NoNames(), nowMs: Int64? = nil, zone: QueryZone = .utc
  ) -> Bool {
    readFilter(query.filter)
    var base = query
    base.find = ""
    base.onlyMatches = false
    let search = query.source == .search ? store.search.value : nil
    var now = Seen(
      query: base, table: store.facts.revision, strays: strays, search: search,
      names: names.revision,
      nowMs: nowMs ?? newest(store.facts), zone: zone)
    if let seen, !filter.movesWithTime || abs(now.nowMs - seen.nowMs) < Self.refreshMs {
      now.nowMs = seen.nowMs
    }
    let isSame = now == seen
    guard !isSame || query != self.query else { return false }
    let lookedFor = needle
    needle = FoldedText(query.find)
    if !isSame {
      if seen?.names != now.names { subjectNames = [:] }
      order.update(store.facts, strays, search, query, names)
      seen = now
      choose(query, names, now.nowMs, zone)
      hits = nil
    }
    // A fact that contains the longer text contains the shorter one too.
    let isNarrower = hits != nil && !lookedFor.isEmpty && needle.hasPrefix(lookedFor)
    find(isNarrower ? hits : nil, names)
    build(
      query, isSame: isSame && query.onlyMatches == self.query.onlyMatches && !query.onlyMatches)
    self.query = query
    return true
  }

  /// A filter that is being typed is often unreadable for a moment: the rows then stay.
  private mutating func readFilter(_ text: String) {
    guard text != query.filter || seen == nil else { return }
    do {
      filter = try FactFilter.parse(text)
      problem = nil
    } catch {
      problem = error.description
    }
  }

  private func newest(_ table: FactTable) -> Int64 {
    guard filter.movesWithTime else { return 0 }
    return table.entries.values.lazy.compactMap { $0.fact.updatedAt?.milliseconds }.max() ?? 0
  }

  private mutating func choose(
    _ query: FactViewQuery, _ names: any NameDirectory, _ nowMs: Int64, _ zone: QueryZone
  ) {
    if query.guild == nil, query.subject == nil, query.among == nil, filter.terms.isEmpty {
      passed = order.items
      return
    }
    var subjectNames = subjectNames
    passed = order.items.filter { item in
      if let among = query.among, !among.contains(item.id) { return false }
      if let guild = query.guild, item.fact.guildID != guild, !item.guilds.contains(guild) {
        return false
      }
      if let subject = query.subject, item.fact.subject != subject { return false }
      guard !filter.terms.isEmpty else { return true }
      return filter.matches(
        FactMatch(
          fact: item.fact, guilds: item.guilds, words: item.words,
          subjectName: Self.name(item.fact.subject, names, &subjectNames), names: names,
          nowMs: nowMs, zone: zone))
    }
    self.subjectNames = subjectNames
  }

  private mutating func find(_ candidates: [Int]?, _ names: any NameDirectory) {
    guard !needle.isEmpty else {
      hits = nil
      return
    }
    var subjectNames = subjectNames
    var isNamed: [String: Bool] = [:]
    var found: [Int] = []
    func test(_ index: Int) {
      // In place: a copy of a whole row costs more than looking through its words.
      if passed[index].words.contains(needle) {
        found.append(index)
      } else if let subject = passed[index].fact.subject {
        let known = isNamed[subject]
        let isHit = known ?? Self.name(subject, names, &subjectNames)?.contains(needle) ?? false
        if known == nil { isNamed[subject] = isHit }
        if isHit { found.append(index) }
      }
    }
    if let candidates { candidates.forEach(test) } else { passed.indices.forEach(test) }
    hits = found
    self.subjectNames = subjectNames
  }

  /// - Parameter isSame: whether the rows are unchanged and only the hits may differ.
  private mutating func build(_ query: FactViewQuery, isSame: Bool) {
    hitCount = hits?.count ?? 0
    if query.onlyMatches, let hits {
      rows = hits.map { row(passed[$0], isHit: true) }
      return
    }
    if !isSame || rows.count != passed.count {
      rows = passed.map { row($0, isHit: false) }
    } else {
      for index in rows.indices where rows[index].isHit { rows[index].isHit = false }
    }
    for index in hits ?? [] { rows[index].isHit = true }
  }

  private func row(_ item: FactOrder.Item, isHit: Bool) -> Row {
    Row(
      id: item.id, fact: item.fact, score: item.scores?.score,
      semanticScore: item.scores?.semanticScore, lexicalScore: item.scores?.lexicalScore,
      isHit: isHit, isStray: item.isStray)
  }

  private static func name(
    _ subject: String?, _ names: any NameDirectory, _ known: inout [String: FoldedText]
  ) -> FoldedText? {
    guard let subject else { return nil }
    if let name = known[subject] { return name.isEmpty ? nil : name }
    let name = FoldedText(FactOrder.name(of: subject, names) ?? "")
    known[subject] = name
    return name.isEmpty ? nil : name
  }
}
