import LenientJSON

/// A fact that a reflection found (contract 6.5). The members after the evidence exist only for
/// stored and skipped ones.
package struct ReflectionFact: WireReadable {
  /// The subject.
  package var subject: ReflectionSubject?
  /// The name of that person.
  package var subjectName: String?
  /// The fact.
  package var fact: String?
  /// Its type.
  package var type: FactType?
  /// 0 to 1.
  package var confidence: Double?
  /// The words it rests on.
  package var evidence: String?
  /// The fact it replaces; empty for none.
  package var supersedes: String?
  /// The scope.
  package var scope: FactScope?
  /// The subject it was stored under.
  package var subjectOverride: String?
  /// The user it was stored for.
  package var userID: String?
  /// Stored or skipped.
  package var status: ReflectionFactStatus?
  /// Why.
  package var saveReason: String?
  /// The text that was stored.
  package var storedFact: String?
  /// The subject that was stored.
  package var storedSubject: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    subject: ReflectionSubject? = nil, subjectName: String? = nil, fact: String? = nil,
    type: FactType? = nil, confidence: Double? = nil, evidence: String? = nil,
    supersedes: String? = nil, scope: FactScope? = nil, subjectOverride: String? = nil,
    userID: String? = nil, status: ReflectionFactStatus? = nil, saveReason: String? = nil,
    storedFact: String? = nil, storedSubject: String? = nil
  ) {
    self.subject = subject
    self.subjectName = subjectName
    self.fact = fact
    self.type = type
    self.confidence = confidence
    self.evidence = evidence
    self.supersedes = supersedes
    self.scope = scope
    self.subjectOverride = subjectOverride
    self.userID = userID
    self.status = status
    self.saveReason = saveReason
    self.storedFact = storedFact
    self.storedSubject = storedSubject
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    subject = fields.word("subject")
    subjectName = fields.string("subjectName")
    fact = fields.string("fact")
    type = fields.word("type")
    confidence = fields.double("confidence")
    evidence = fields.string("evidence")
    supersedes = fields.string("supersedes")
    scope = fields.word("scope")
    subjectOverride = fields.string("subjectOverride")
    userID = fields.id("userId")
    status = fields.word("status")
    saveReason = fields.string("saveReason")
    storedFact = fields.string("storedFact")
    storedSubject = fields.string("storedSubject")
  }
}

/// One model call of a reflection (contract 6.5; members as recorded).
package struct ReflectionPass: WireReadable {
  /// Its name.
  package var name: String?
  /// The model's provider.
  package var provider: String?
  /// The model.
  package var model: String?
  /// US dollars.
  package var usdCost: Double?
  /// Tokens.
  package var usage: ReflectionUsage?
  /// The answer of the model.
  package var rawResponseText: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    name: String? = nil, provider: String? = nil, model: String? = nil, usdCost: Double? = nil,
    usage: ReflectionUsage? = nil, rawResponseText: String? = nil
  ) {
    self.name = name
    self.provider = provider
    self.model = model
    self.usdCost = usdCost
    self.usage = usage
    self.rawResponseText = rawResponseText
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    name = fields.string("name")
    provider = fields.string("provider")
    model = fields.string("model")
    usdCost = fields.double("usdCost")
    usage = fields.object("usage")
    rawResponseText = fields.string("rawResponseText")
  }
}

/// Tokens of a model call (contract 6.5; members as recorded).
package struct ReflectionUsage: WireReadable {
  /// Tokens read.
  package var inputTokens: Int?
  /// Tokens written.
  package var outputTokens: Int?
  /// Tokens written to the cache.
  package var cacheWriteTokens: Int?
  /// Tokens read from the cache.
  package var cacheReadTokens: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    inputTokens: Int? = nil, outputTokens: Int? = nil, cacheWriteTokens: Int? = nil,
    cacheReadTokens: Int? = nil
  ) {
    self.inputTokens = inputTokens
    self.outputTokens = outputTokens
    self.cacheWriteTokens = cacheWriteTokens
    self.cacheReadTokens = cacheReadTokens
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    inputTokens = fields.int("inputTokens")
    outputTokens = fields.int("outputTokens")
    cacheWriteTokens = fields.int("cacheWriteTokens")
    cacheReadTokens = fields.int("cacheReadTokens")
  }
}

/// The subject of a reflected fact (contract 6.5).
package struct ReflectionSubject: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The author of a message.
  package static let author = ReflectionSubject(rawValue: "author")
  /// The bot itself.
  package static let bot = ReflectionSubject(rawValue: "bot")
  /// The community.
  package static let lore = ReflectionSubject(rawValue: "lore")
}

/// The outcome of a reflected fact (contract 6.5).
package struct ReflectionFactStatus: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Stored.
  package static let saved = ReflectionFactStatus(rawValue: "saved")
  /// Not stored.
  package static let skipped = ReflectionFactStatus(rawValue: "skipped")
}
