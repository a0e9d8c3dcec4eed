import LenientJSON

/// One message given to the model (contract 5.2.8).
package struct ContextMessage: WireReadable {
  /// `user` or `assistant`.
  package var role: String?
  /// Its text.
  package var content: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    role: String? = nil, content: String? = nil
  ) {
    self.role = role
    self.content = content
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    role = fields.string("role")
    content = fields.string("content")
  }
}

/// The event that caused a turn (contract 5.2.8; members as recorded).
package struct RuntimeEventContext: WireReadable {
  /// Such as `membership`.
  package var category: String?
  /// Such as `join`.
  package var eventType: String?
  /// The acting user.
  package var actorUserID: String?
  /// Name of the actor.
  package var actorDisplayName: String?
  /// Such as `other`.
  package var actorRole: String?
  /// The sound, of an effect.
  package var soundName: String?
  /// The emoji, of an effect.
  package var emoji: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    category: String? = nil, eventType: String? = nil, actorUserID: String? = nil,
    actorDisplayName: String? = nil, actorRole: String? = nil, soundName: String? = nil,
    emoji: String? = nil
  ) {
    self.category = category
    self.eventType = eventType
    self.actorUserID = actorUserID
    self.actorDisplayName = actorDisplayName
    self.actorRole = actorRole
    self.soundName = soundName
    self.emoji = emoji
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    category = fields.string("category")
    eventType = fields.string("eventType")
    actorUserID = fields.id("actorUserId")
    actorDisplayName = fields.string("actorDisplayName")
    actorRole = fields.string("actorRole")
    soundName = fields.string("soundName")
    emoji = fields.string("emoji")
  }
}

/// A voice effect sent by a user (contract 5.2.8).
package struct EffectEvent: WireReadable {
  /// The sender.
  package var displayName: String?
  /// The type of effect.
  package var effectType: String?
  /// The sound.
  package var soundName: String?
  /// The emoji.
  package var emoji: String?
  /// Milliseconds since then.
  package var ageMs: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    displayName: String? = nil, effectType: String? = nil, soundName: String? = nil,
    emoji: String? = nil, ageMs: Int? = nil
  ) {
    self.displayName = displayName
    self.effectType = effectType
    self.soundName = soundName
    self.emoji = emoji
    self.ageMs = ageMs
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    displayName = fields.string("displayName")
    effectType = fields.string("effectType")
    soundName = fields.string("soundName")
    emoji = fields.string("emoji")
    ageMs = fields.int("ageMs")
  }
}

/// Facts given to the model (contract 5.2.8).
package struct MemoryFacts: WireReadable {
  /// Guidance for the bot's behaviour.
  package var guidanceFacts: [Fact]
  /// How users want to be treated.
  package var behavioralFacts: [Fact]
  /// About the speaker.
  package var userFacts: [Fact]
  /// About others and the community.
  package var relevantFacts: [Fact]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guidanceFacts: [Fact] = [], behavioralFacts: [Fact] = [], userFacts: [Fact] = [],
    relevantFacts: [Fact] = []
  ) {
    self.guidanceFacts = guidanceFacts
    self.behavioralFacts = behavioralFacts
    self.userFacts = userFacts
    self.relevantFacts = relevantFacts
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    guidanceFacts = fields.list("guidanceFacts", of: Fact.init) ?? []
    behavioralFacts = fields.list("behavioralFacts", of: Fact.init) ?? []
    userFacts = fields.list("userFacts", of: Fact.init) ?? []
    relevantFacts = fields.list("relevantFacts", of: Fact.init) ?? []
  }
}

/// Deadlines of the session (contract 5.2.8).
package struct SessionTiming: WireReadable {
  /// Whether the session is about to end.
  package var timeoutWarningActive: Bool?
  /// Which deadline is near.
  package var timeoutWarningReason: TimeoutWarning?
  /// Seconds to the hard deadline.
  package var maxSecondsRemaining: Int?
  /// Seconds to the idle deadline.
  package var inactivitySecondsRemaining: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    timeoutWarningActive: Bool? = nil, timeoutWarningReason: TimeoutWarning? = nil,
    maxSecondsRemaining: Int? = nil, inactivitySecondsRemaining: Int? = nil
  ) {
    self.timeoutWarningActive = timeoutWarningActive
    self.timeoutWarningReason = timeoutWarningReason
    self.maxSecondsRemaining = maxSecondsRemaining
    self.inactivitySecondsRemaining = inactivitySecondsRemaining
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    timeoutWarningActive = fields.bool("timeoutWarningActive")
    timeoutWarningReason = fields.word("timeoutWarningReason")
    maxSecondsRemaining = fields.int("maxSecondsRemaining")
    inactivitySecondsRemaining = fields.int("inactivitySecondsRemaining")
  }
}

/// Which tools were offered to the model (contract 5.2.8).
package struct GenerationTools: WireReadable {
  /// Playing sounds.
  package var soundboard: Bool?
  /// Searching the web.
  package var webSearch: Bool?
  /// Browsing.
  package var browserBrowse: Bool?
  /// Watching a screen.
  package var screenShare: Bool?
  /// Reading and writing facts.
  package var memory: Bool?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    soundboard: Bool? = nil, webSearch: Bool? = nil, browserBrowse: Bool? = nil,
    screenShare: Bool? = nil, memory: Bool? = nil
  ) {
    self.soundboard = soundboard
    self.webSearch = webSearch
    self.browserBrowse = browserBrowse
    self.screenShare = screenShare
    self.memory = memory
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    soundboard = fields.bool("soundboard")
    webSearch = fields.bool("webSearch")
    browserBrowse = fields.bool("browserBrowse")
    screenShare = fields.bool("screenShare")
    memory = fields.bool("memory")
  }
}

/// The model used (contract 5.2.8).
package struct LlmConfig: WireReadable {
  /// The provider.
  package var provider: String?
  /// Its name.
  package var model: String?
  /// Sampling temperature.
  package var temperature: Double?
  /// Most tokens of a reply.
  package var maxOutputTokens: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    provider: String? = nil, model: String? = nil, temperature: Double? = nil,
    maxOutputTokens: Int? = nil
  ) {
    self.provider = provider
    self.model = model
    self.temperature = temperature
    self.maxOutputTokens = maxOutputTokens
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    provider = fields.string("provider")
    model = fields.string("model")
    temperature = fields.double("temperature")
    maxOutputTokens = fields.int("maxOutputTokens")
  }
}
