internal import LenientJSON
package import ClankyWire

/// A fact for export, with the names of its ids.
package struct FactRecord: Hashable, Sendable {
  package var fact: Fact
  package var subjectName: String?
  package var guildName: String?
  /// Match scores of a search hit.
  package var scores: Scores?

  package struct Scores: Hashable, Sendable {
    package var score: Double?
    package var semantic: Double?
    package var lexical: Double?

    package init(score: Double?, semantic: Double?, lexical: Double?) {
      self.score = score
      self.semantic = semantic
      self.lexical = lexical
    }
  }

  package init(
    fact: Fact, subjectName: String? = nil, guildName: String? = nil, scores: Scores? = nil
  ) {
    self.fact = fact
    self.subjectName = subjectName
    self.guildName = guildName
    self.scores = scores
  }

  /// One line of JSON without its end, printable ASCII only, with the exact texts (promise P1b).
  /// The keys are those of the backend's stored rows (contract 6.1), all of them always there.
  package var json: [UInt8] {
    var line = JSONObjectWriter()
    line.int("id", fact.id)
    line.string("created_at", fact.createdAt?.iso)
    line.string("updated_at", fact.updatedAt?.iso)
    line.string("scope", fact.scope?.rawValue)
    line.string("guild_id", fact.guildID)
    line.string("guild_name", guildName)
    line.string("channel_id", fact.channelID)
    line.string("user_id", fact.userID)
    line.string("subject", fact.subject)
    line.string("subject_name", subjectName)
    line.string("fact", fact.fact)
    line.string("fact_type", fact.factType?.rawValue)
    line.string("evidence_text", fact.evidenceText)
    line.string("source_message_id", fact.sourceMessageID)
    line.double("confidence", fact.confidence)
    line.value("metadata", fact.isLegacy.map { .body([("isLegacy", .bool($0))]) } ?? .null)
    if let scores {
      line.double("score", scores.score)
      line.double("semantic_score", scores.semantic)
      line.double("lexical_score", scores.lexical)
    }
    return line.finish()
  }
}
