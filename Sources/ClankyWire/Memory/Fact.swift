import LenientJSON

/// A fact in the bot's memory (contract 6.1).
///
/// The wire spells it in four ways: stored rows in snake_case, session facts in camelCase (contract
/// 5.2.7), profile facts with the rarer members under `metadata` (contract 6.6), and search rows
/// (contract 6.2). All are read into this type; missing members are nil.
package struct Fact: WireReadable {
  /// Identity of the stored fact.
  package var id: Int?
  /// When it was first stored.
  package var createdAt: WireTime?
  /// When it was last changed.
  package var updatedAt: WireTime?
  /// The scope; nil before May.
  package var scope: FactScope?
  /// Its guild; nil for user and owner facts from May on.
  package var guildID: String?
  /// Where it was learned.
  package var channelID: String?
  /// The user it is about; nil before May.
  package var userID: String?
  /// Normally a Discord user id, else one of `FactSubject`.
  package var subject: String?
  /// Name of the subject; only in generation contexts.
  package var subjectLabel: String?
  /// The fact.
  package var fact: String?
  /// Its type.
  package var factType: FactType?
  /// The words it rests on.
  package var evidenceText: String?
  /// The message it rests on; not always a Discord id.
  package var sourceMessageID: String?
  /// 0 to 1; 0 for facts written by the memory tool.
  package var confidence: Double?
  /// Whether it comes from an older store; nil before May.
  package var isLegacy: Bool?
  /// The backend's dialect; nil if this value does not reveal it (contract 9.8).
  package var dialect: BackendDialect?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    id: Int? = nil, createdAt: WireTime? = nil, updatedAt: WireTime? = nil,
    scope: FactScope? = nil, guildID: String? = nil, channelID: String? = nil,
    userID: String? = nil, subject: String? = nil, subjectLabel: String? = nil,
    fact: String? = nil, factType: FactType? = nil, evidenceText: String? = nil,
    sourceMessageID: String? = nil, confidence: Double? = nil, isLegacy: Bool? = nil,
    dialect: BackendDialect? = nil
  ) {
    self.id = id
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.scope = scope
    self.guildID = guildID
    self.channelID = channelID
    self.userID = userID
    self.subject = subject
    self.subjectLabel = subjectLabel
    self.fact = fact
    self.factType = factType
    self.evidenceText = evidenceText
    self.sourceMessageID = sourceMessageID
    self.confidence = confidence
    self.isLegacy = isLegacy
    self.dialect = dialect
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    let metadata = fields.nested("metadata", as: JSONFields.init)
    id = fields.int("id")
    createdAt = fields.time("created_at", "createdAt") ?? metadata?.time("createdAt")
    updatedAt = fields.time("updated_at", "updatedAt") ?? metadata?.time("updatedAt")
    scope = fields.word("scope")
    guildID = fields.id("guild_id", "guildId") ?? metadata?.id("guildId")
    channelID = fields.id("channel_id", "channelId") ?? metadata?.id("channelId")
    userID = fields.id("user_id", "userId")
    subject = fields.string("subject")
    subjectLabel = fields.string("subjectLabel")
    fact = fields.string("fact")
    factType = fields.word("fact_type", "factType")
    evidenceText =
      fields.string("evidence_text", "evidenceText") ?? metadata?.string("evidenceText")
    sourceMessageID =
      fields.id("source_message_id", "sourceMessageId") ?? metadata?.id("sourceMessageId")
    confidence = fields.double("confidence")
    isLegacy = metadata?.flag("isLegacy")
    dialect = BackendDialect.ofFact(json)
  }
}

extension Fact {
  /// The special subject: the bot itself, its community or its owner; nil for a user.
  package var specialSubject: FactSubject? { subject.flatMap(FactSubject.init(special:)) }
}
