import LenientJSON

/// The facts the bot would put into a prompt right now (contract 6.7).
package struct RuntimeSnapshot: WireReadable {
  /// The requested guild.
  package var guildID: String?
  /// The requested channel.
  package var channelID: String?
  /// The requested user.
  package var userID: String?
  /// The requested text.
  package var queryText: String?
  /// Text or voice.
  package var mode: SnapshotMode?
  /// The users whose facts were looked up.
  package var participants: [SnapshotParticipant]
  /// Sizes of the lists by name, such as `userFactCount`.
  package var counts: [String: Int]
  /// The facts.
  package var slice: MemorySlice
  /// Recalled conversations.
  package var promptContext: PromptContext
  /// Facts cached by a live voice session.
  package var activeVoiceSession: ActiveVoiceSession?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guildID: String? = nil, channelID: String? = nil, userID: String? = nil,
    queryText: String? = nil, mode: SnapshotMode? = nil,
    participants: [SnapshotParticipant] = [], counts: [String: Int] = [:],
    slice: MemorySlice = MemorySlice(), promptContext: PromptContext = PromptContext(),
    activeVoiceSession: ActiveVoiceSession? = nil
  ) {
    self.guildID = guildID
    self.channelID = channelID
    self.userID = userID
    self.queryText = queryText
    self.mode = mode
    self.participants = participants
    self.counts = counts
    self.slice = slice
    self.promptContext = promptContext
    self.activeVoiceSession = activeVoiceSession
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    guildID = fields.id("guildId")
    channelID = fields.id("channelId")
    userID = fields.id("userId")
    queryText = fields.string("queryText")
    mode = fields.word("mode")
    participants = fields.list("participants", of: SnapshotParticipant.init) ?? []
    counts = fields.counts("counts")
    slice = fields.object("slice") ?? MemorySlice()
    promptContext = fields.object("promptContext") ?? PromptContext()
    activeVoiceSession = fields.object("activeVoiceSession")
  }
}

/// A user whose facts were looked up (contract 6.7).
package struct SnapshotParticipant: WireReadable {
  /// Discord user.
  package var userID: String?
  /// Name.
  package var displayName: String?
  /// Why.
  package var source: ParticipantSource?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    userID: String? = nil, displayName: String? = nil, source: ParticipantSource? = nil
  ) {
    self.userID = userID
    self.displayName = displayName
    self.source = source
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    userID = fields.id("userId")
    displayName = fields.string("displayName")
    source = fields.word("source")
  }
}

/// The facts of a snapshot (contract 6.7).
package struct MemorySlice: WireReadable {
  /// Facts per participant.
  package var participantProfiles: [ParticipantProfile]
  /// About the user.
  package var userFacts: [Fact]
  /// Others that fit.
  package var relevantFacts: [Fact]
  /// About the bot.
  package var selfFacts: [Fact]
  /// About the community.
  package var loreFacts: [Fact]
  /// Guidance for the bot's behaviour.
  package var guidanceFacts: [Fact]
  /// How users want to be treated.
  package var behavioralFacts: [Fact]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    participantProfiles: [ParticipantProfile] = [], userFacts: [Fact] = [],
    relevantFacts: [Fact] = [], selfFacts: [Fact] = [], loreFacts: [Fact] = [],
    guidanceFacts: [Fact] = [], behavioralFacts: [Fact] = []
  ) {
    self.participantProfiles = participantProfiles
    self.userFacts = userFacts
    self.relevantFacts = relevantFacts
    self.selfFacts = selfFacts
    self.loreFacts = loreFacts
    self.guidanceFacts = guidanceFacts
    self.behavioralFacts = behavioralFacts
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    participantProfiles = fields.list("participantProfiles", of: ParticipantProfile.init) ?? []
    userFacts = fields.list("userFacts", of: Fact.init) ?? []
    relevantFacts = fields.list("relevantFacts", of: Fact.init) ?? []
    selfFacts = fields.list("selfFacts", of: Fact.init) ?? []
    loreFacts = fields.list("loreFacts", of: Fact.init) ?? []
    guidanceFacts = fields.list("guidanceFacts", of: Fact.init) ?? []
    behavioralFacts = fields.list("behavioralFacts", of: Fact.init) ?? []
  }
}

/// Facts about one participant (contract 6.7).
package struct ParticipantProfile: WireReadable {
  /// Discord user.
  package var userID: String?
  /// Name.
  package var displayName: String?
  /// Whether this is the requested user.
  package var isPrimary: Bool?
  /// The facts.
  package var facts: [Fact]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    userID: String? = nil, displayName: String? = nil, isPrimary: Bool? = nil, facts: [Fact] = []
  ) {
    self.userID = userID
    self.displayName = displayName
    self.isPrimary = isPrimary
    self.facts = facts
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    userID = fields.id("userId")
    displayName = fields.string("displayName")
    isPrimary = fields.bool("isPrimary")
    facts = fields.list("facts", of: Fact.init) ?? []
  }
}

/// For which kind of reply a snapshot is made (contract 6.7).
package struct SnapshotMode: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A written reply.
  package static let text = SnapshotMode(rawValue: "text")
  /// A spoken reply.
  package static let voice = SnapshotMode(rawValue: "voice")
}

/// Why a user is part of a snapshot (contract 6.7).
package struct ParticipantSource: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// It was in the request.
  package static let request = ParticipantSource(rawValue: "request")
  /// It wrote one of the recent messages.
  package static let recentMessage = ParticipantSource(rawValue: "recent_message")
  /// It is in the voice channel.
  package static let activeVoiceSession = ParticipantSource(rawValue: "active_voice_session")
  /// The requested user.
  package static let primaryUser = ParticipantSource(rawValue: "primary_user")
}
