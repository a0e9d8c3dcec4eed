package import ClankyWire

/// How the list of facts is narrowed and ordered.
package struct FactViewQuery: Hashable, Sendable {
  /// What the list is made of.
  package enum Source: Hashable, Sendable {
    case facts
    /// The hits of the last semantic search, with their scores.
    case search
  }

  package enum Order: String, CaseIterable, Hashable, Sendable {
    case updated, created, confidence, subject, type, score
  }

  package var source = Source.facts
  /// Nil shows the facts of all guilds.
  package var guild: String?
  /// Nil shows all subjects.
  package var subject: String?
  /// Words and fields such as `type:preference conf>0.8 scope:user`; see `FactFilter`.
  package var filter = ""
  /// Text to find; with `onlyMatches` the other facts are left out.
  package var find = ""
  package var onlyMatches = false
  package var order = Order.updated
  package var isReversed = false

  package init() {}
}

/// The facts that pass a query, in its order: what the list draws. Kept up to date by `sync`, once
/// for each frame, like `FilteredLog`.
package struct FactView: Sendable {
  package struct Row: Hashable, Sendable {
    package var id: Int
    package var fact: Fact
    /// Nil outside a search.
    package var score: Double?
    package var semanticScore: Double?
    package var lexicalScore: Double?
    /// Whether the text that is looked for is in it.
    package var isHit: Bool

    package init(
      id: Int, fact: Fact, score: Double? = nil, semanticScore: Double? = nil,
      lexicalScore: Double? = nil, isHit: Bool = false
    ) {
      self.id = id
      self.fact = fact
      self.score = score
      self.semanticScore = semanticScore
      self.lexicalScore = lexicalScore
      self.isHit = isHit
    }
  }

  package private(set) var query = FactViewQuery()
  package private(set) var rows: [Row] = []
  /// Why the filter cannot be read, as one sentence; then it is not applied.
  package private(set) var problem: String?

  package init() {}

  /// Follows the store and the query; true when the rows have changed.
  @MainActor @discardableResult
  package mutating func sync(
    with store: MemoryStore, query: FactViewQuery, names: any NameDirectory = NoNames()
  ) -> Bool { false }
}
