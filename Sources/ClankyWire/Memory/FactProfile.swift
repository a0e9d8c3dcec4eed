import LenientJSON

/// The facts the bot would use for a reply (contract 6.6).
package struct FactProfile: WireReadable {
  /// The requested guild.
  package var guildID: String?
  /// The requested user.
  package var userID: String?
  /// The requested channel.
  package var channelID: String?
  /// The requested text.
  package var queryText: String?
  /// Stored facts.
  package var durableProfile: DurableProfile
  /// Recalled conversations.
  package var promptContext: PromptContext
  /// Facts cached by a live voice session of the guild.
  package var activeVoiceSession: ActiveVoiceSession?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guildID: String? = nil, userID: String? = nil, channelID: String? = nil,
    queryText: String? = nil, durableProfile: DurableProfile = DurableProfile(),
    promptContext: PromptContext = PromptContext(), activeVoiceSession: ActiveVoiceSession? = nil
  ) {
    self.guildID = guildID
    self.userID = userID
    self.channelID = channelID
    self.queryText = queryText
    self.durableProfile = durableProfile
    self.promptContext = promptContext
    self.activeVoiceSession = activeVoiceSession
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    guildID = fields.id("guildId")
    userID = fields.id("userId")
    channelID = fields.id("channelId")
    queryText = fields.string("queryText")
    durableProfile = fields.object("durableProfile") ?? DurableProfile()
    promptContext = fields.object("promptContext") ?? PromptContext()
    activeVoiceSession = fields.object("activeVoiceSession")
  }
}

/// Stored facts by subject (contract 6.6).
package struct DurableProfile: WireReadable {
  /// About the user.
  package var userFacts: [Fact]
  /// About the bot.
  package var selfFacts: [Fact]
  /// About the community.
  package var loreFacts: [Fact]
  /// Guidance for the bot's behaviour.
  package var guidanceFacts: [Fact]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    userFacts: [Fact] = [], selfFacts: [Fact] = [], loreFacts: [Fact] = [],
    guidanceFacts: [Fact] = []
  ) {
    self.userFacts = userFacts
    self.selfFacts = selfFacts
    self.loreFacts = loreFacts
    self.guidanceFacts = guidanceFacts
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    userFacts = fields.list("userFacts", of: Fact.init) ?? []
    selfFacts = fields.list("selfFacts", of: Fact.init) ?? []
    loreFacts = fields.list("loreFacts", of: Fact.init) ?? []
    guidanceFacts = fields.list("guidanceFacts", of: Fact.init) ?? []
  }
}

/// Recalled conversations (contract 6.6). There are windows only if both a channel and a text were
/// requested.
package struct PromptContext: WireReadable {
  /// Windows of old messages.
  package var recentConversationHistory: [ConversationWindow]
  /// Summaries of past voice sessions; only from May on.
  package var recentVoiceSessionContext: [VoiceSummary]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    recentConversationHistory: [ConversationWindow] = [],
    recentVoiceSessionContext: [VoiceSummary] = []
  ) {
    self.recentConversationHistory = recentConversationHistory
    self.recentVoiceSessionContext = recentVoiceSessionContext
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    recentConversationHistory =
      fields.list("recentConversationHistory", of: ConversationWindow.init) ?? []
    recentVoiceSessionContext =
      fields.list("recentVoiceSessionContext", of: VoiceSummary.init) ?? []
  }
}

/// The summary of a past voice session (contract 6.6).
package struct VoiceSummary: WireReadable {
  /// The session.
  package var sessionID: String?
  /// Its guild.
  package var guildID: String?
  /// Its channel.
  package var channelID: String?
  /// When it ended.
  package var endedAt: WireTime?
  /// Minutes since then.
  package var ageMinutes: Double?
  /// The summary.
  package var summaryText: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    sessionID: String? = nil, guildID: String? = nil, channelID: String? = nil,
    endedAt: WireTime? = nil, ageMinutes: Double? = nil, summaryText: String? = nil
  ) {
    self.sessionID = sessionID
    self.guildID = guildID
    self.channelID = channelID
    self.endedAt = endedAt
    self.ageMinutes = ageMinutes
    self.summaryText = summaryText
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    sessionID = fields.string("sessionId")
    guildID = fields.id("guildId")
    channelID = fields.id("channelId")
    endedAt = fields.time("endedAt")
    ageMinutes = fields.double("ageMinutes")
    summaryText = fields.string("summaryText")
  }
}

/// Facts cached by a live voice session (contract 6.6).
package struct ActiveVoiceSession: WireReadable {
  /// The session.
  package var sessionID: String?
  /// Where the bot sits.
  package var voiceChannelID: String?
  /// Where it writes.
  package var textChannelID: String?
  /// Members of the channel.
  package var participantCount: Int?
  /// The members.
  package var participants: [VoiceParticipant]
  /// Users with loaded facts; counts only.
  package var cachedUsers: [SpeakerFacts]
  /// Facts about the requested user.
  package var userFactProfile: SpeakerFacts?
  /// Facts about the bot and the community.
  package var guildFactProfile: GuildFacts?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    sessionID: String? = nil, voiceChannelID: String? = nil, textChannelID: String? = nil,
    participantCount: Int? = nil, participants: [VoiceParticipant] = [],
    cachedUsers: [SpeakerFacts] = [], userFactProfile: SpeakerFacts? = nil,
    guildFactProfile: GuildFacts? = nil
  ) {
    self.sessionID = sessionID
    self.voiceChannelID = voiceChannelID
    self.textChannelID = textChannelID
    self.participantCount = participantCount
    self.participants = participants
    self.cachedUsers = cachedUsers
    self.userFactProfile = userFactProfile
    self.guildFactProfile = guildFactProfile
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    sessionID = fields.string("sessionId")
    voiceChannelID = fields.id("voiceChannelId")
    textChannelID = fields.id("textChannelId")
    participantCount = fields.int("participantCount")
    participants = fields.list("participants", of: VoiceParticipant.init) ?? []
    cachedUsers = fields.list("cachedUsers", of: SpeakerFacts.init) ?? []
    userFactProfile = fields.object("userFactProfile")
    guildFactProfile = fields.object("guildFactProfile")
  }
}

/// The body of `/api/memory/owner-private`, only from May on (contract 3.5).
package struct OwnerProfile: WireReadable {
  /// About the owner.
  package var ownerFacts: [Fact]
  /// Guidance for the bot's behaviour towards the owner.
  package var guidanceFacts: [Fact]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    ownerFacts: [Fact] = [], guidanceFacts: [Fact] = []
  ) {
    self.ownerFacts = ownerFacts
    self.guidanceFacts = guidanceFacts
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    ownerFacts = fields.list("ownerFacts", of: Fact.init) ?? []
    guidanceFacts = fields.list("guidanceFacts", of: Fact.init) ?? []
  }
}

/// The body of `/api/memory/owner-private` as it is wrapped on the wire (contract 3.5).
package struct OwnerProfileReply: WireReadable {
  /// The facts.
  package var ownerProfile: OwnerProfile

  /// Memberwise.
  package init(ownerProfile: OwnerProfile = OwnerProfile()) { self.ownerProfile = ownerProfile }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    ownerProfile = fields.object("ownerProfile") ?? OwnerProfile()
  }
}
