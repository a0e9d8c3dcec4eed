import LenientJSON

/// The body of `/api/memory/search` (contract 6.2). Without a query or a guild it is empty and its
/// limit is 0.
package struct SearchResult: WireReadable {
  /// The text that was searched.
  package var queryText: String?
  /// The guild that was searched.
  package var guildID: String?
  /// The channel that was preferred.
  package var channelID: String?
  /// The limit as it was sent, not as it was applied.
  package var limit: Int?
  /// The hits, best first.
  package var results: [SearchFact]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    queryText: String? = nil, guildID: String? = nil, channelID: String? = nil,
    limit: Int? = nil, results: [SearchFact] = [], omitted: Int = 0
  ) {
    self.queryText = queryText
    self.guildID = guildID
    self.channelID = channelID
    self.limit = limit
    self.results = results
    self.omitted = omitted
  }

  /// nil if the value is no object with that list.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let list = fields.page("results", of: SearchFact.init)
    else {
      return nil
    }
    queryText = fields.string("queryText")
    guildID = fields.id("guildId")
    channelID = fields.id("channelId")
    limit = fields.int("limit")
    results = list.rows
    omitted = list.omitted
  }
}

extension SearchResult {
  /// Whether meaning was compared and not only words: then scores are not comparable with those of
  /// a search that could not (contract 6.2).
  package var usedEmbeddings: Bool { results.contains { ($0.semanticScore ?? 0) != 0 } }
}

/// A hit of a memory search: a fact and how well it fits (contract 6.2).
package struct SearchFact: WireReadable {
  /// The fact.
  package var fact: Fact
  /// The score it is ranked by.
  package var score: Double?
  /// Nearness of meaning; 0 on every row means that no embeddings were available.
  package var semanticScore: Double?
  /// Nearness of words.
  package var lexicalScore: Double?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    fact: Fact = Fact(), score: Double? = nil, semanticScore: Double? = nil,
    lexicalScore: Double? = nil
  ) {
    self.fact = fact
    self.score = score
    self.semanticScore = semanticScore
    self.lexicalScore = lexicalScore
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    fact = Fact(json) ?? Fact()
    score = fields.double("score")
    semanticScore = fields.double("semanticScore")
    lexicalScore = fields.double("lexicalScore")
  }
}
