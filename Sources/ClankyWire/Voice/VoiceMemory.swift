import LenientJSON

/// Facts loaded into a voice session (contract 5.2.7).
package struct VoiceMemory: WireReadable {
  /// Facts per speaker.
  package var factProfiles: [SpeakerFacts]
  /// Facts of the guild; nil if not loaded.
  package var guildFactProfile: GuildFacts?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    factProfiles: [SpeakerFacts] = [], guildFactProfile: GuildFacts? = nil
  ) {
    self.factProfiles = factProfiles
    self.guildFactProfile = guildFactProfile
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    factProfiles = fields.list("factProfiles", of: SpeakerFacts.init) ?? []
    guildFactProfile = fields.object("guildFactProfile")
  }
}

/// Facts about one speaker (contract 5.2.7 and 6.6).
package struct SpeakerFacts: WireReadable {
  /// Discord user.
  package var userID: String?
  /// Name in the guild.
  package var displayName: String?
  /// When they were loaded.
  package var loadedAt: WireTime?
  /// Their number; only in fact profiles.
  package var factCount: Int?
  /// The facts.
  package var userFacts: [Fact]
  /// Always empty so far; only in fact profiles.
  package var guidanceFacts: [Fact]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    userID: String? = nil, displayName: String? = nil, loadedAt: WireTime? = nil,
    factCount: Int? = nil, userFacts: [Fact] = [], guidanceFacts: [Fact] = []
  ) {
    self.userID = userID
    self.displayName = displayName
    self.loadedAt = loadedAt
    self.factCount = factCount
    self.userFacts = userFacts
    self.guidanceFacts = guidanceFacts
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    userID = fields.id("userId")
    displayName = fields.string("displayName")
    loadedAt = fields.time("loadedAt")
    factCount = fields.int("factCount")
    userFacts = fields.list("userFacts", of: Fact.init) ?? []
    guidanceFacts = fields.list("guidanceFacts", of: Fact.init) ?? []
  }
}

/// Facts about the bot and its community (contract 5.2.7 and 6.6).
package struct GuildFacts: WireReadable {
  /// When they were loaded.
  package var loadedAt: WireTime?
  /// About the bot.
  package var selfFacts: [Fact]
  /// About the community.
  package var loreFacts: [Fact]
  /// Always empty so far; only in fact profiles.
  package var guidanceFacts: [Fact]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    loadedAt: WireTime? = nil, selfFacts: [Fact] = [], loreFacts: [Fact] = [],
    guidanceFacts: [Fact] = []
  ) {
    self.loadedAt = loadedAt
    self.selfFacts = selfFacts
    self.loreFacts = loreFacts
    self.guidanceFacts = guidanceFacts
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    loadedAt = fields.time("loadedAt")
    selfFacts = fields.list("selfFacts", of: Fact.init) ?? []
    loreFacts = fields.list("loreFacts", of: Fact.init) ?? []
    guidanceFacts = fields.list("guidanceFacts", of: Fact.init) ?? []
  }
}
