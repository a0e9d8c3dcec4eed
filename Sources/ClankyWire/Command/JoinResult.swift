import LenientJSON

/// The body of `POST /api/voice/join` (contract 3.4.1); status 200 also when it failed.
package struct JoinResult: WireReadable {
  /// Whether the bot is in the channel now.
  package var ok: Bool?
  /// The reason code.
  package var reason: JoinReason?
  /// The guild.
  package var guildID: String?
  /// The channel joined.
  package var voiceChannelID: String?
  /// Where the bot will write.
  package var textChannelID: String?
  /// The user it followed.
  package var requesterUserID: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    ok: Bool? = nil, reason: JoinReason? = nil, guildID: String? = nil,
    voiceChannelID: String? = nil, textChannelID: String? = nil, requesterUserID: String? = nil
  ) {
    self.ok = ok
    self.reason = reason
    self.guildID = guildID
    self.voiceChannelID = voiceChannelID
    self.textChannelID = textChannelID
    self.requesterUserID = requesterUserID
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    ok = fields.bool("ok")
    reason = fields.word("reason")
    guildID = fields.id("guildId")
    voiceChannelID = fields.id("voiceChannelId")
    textChannelID = fields.id("textChannelId")
    requesterUserID = fields.id("requesterUserId")
  }
}

/// The result of a join request (contract 3.4.1).
package struct JoinReason: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// In the channel now.
  package static let joined = JoinReason(rawValue: "joined")
  /// No change.
  package static let alreadyInChannel = JoinReason(rawValue: "already_in_channel")
  /// The bot is in no guild.
  package static let noGuildAvailable = JoinReason(rawValue: "no_guild_available")
  /// The bot is not in the guild.
  package static let guildNotFound = JoinReason(rawValue: "guild_not_found")
  /// The requester is in no voice channel.
  package static let requesterNotInVoice = JoinReason(rawValue: "requester_not_in_voice")
  /// The requester is a bot.
  package static let requesterIsBot = JoinReason(rawValue: "requester_is_bot")
  /// No user is in voice.
  package static let noVoiceMembersFound = JoinReason(rawValue: "no_voice_members_found")
  /// There is no text channel to write in.
  package static let textChannelUnavailable = JoinReason(rawValue: "text_channel_unavailable")
  /// The bot did not act.
  package static let joinNotHandled = JoinReason(rawValue: "join_not_handled")
  /// The bot acted but is not in the channel.
  package static let voiceJoinUnconfirmed = JoinReason(rawValue: "voice_join_unconfirmed")
  /// The bot returned nothing usable.
  package static let voiceJoinUnknown = JoinReason(rawValue: "voice_join_unknown")
  /// The backend has no voice at all (status 503).
  package static let voiceJoinUnavailable = JoinReason(rawValue: "voice_join_unavailable")
}

extension JoinReason {
  /// What happened and what to do about it, in one sentence. An unknown reason is quoted and is
  /// untrusted text.
  package var sentence: String {
    switch self {
    case .joined: "The bot joined the voice channel."
    case .alreadyInChannel: "The bot is already in that voice channel."
    case .noGuildAvailable: "The bot is in no guild, or Discord is not ready yet; try again later."
    case .guildNotFound: "The bot is not in that guild; choose another one."
    case .requesterNotInVoice:
      "That member is in no voice channel; have them join one first, the bot follows them."
    case .requesterIsBot: "That member is a bot; choose a person to follow."
    case .noVoiceMembersFound:
      "Nobody is in a voice channel; have somebody join one first, the bot follows them."
    case .textChannelUnavailable:
      "The bot found no text channel it may write in; choose one or give it permission."
    case .joinNotHandled: "The bot did not act on the request; check that voice is enabled."
    case .voiceJoinUnconfirmed:
      "The bot tried to join but is not in the channel; look at the voice errors."
    case .voiceJoinUnknown:
      "The bot gave no usable answer; look at the voice state before retrying."
    case .voiceJoinUnavailable: "This backend cannot join voice."
    default: "The bot answered \u{201C}\(rawValue)\u{201D}."
    }
  }
}

/// The body of `POST /api/voice/join`, every member optional (contract 3.4.1). The voice channel
/// cannot be chosen: the bot goes where the requester is, or else the first member it finds.
package struct JoinRequest: Hashable, Sendable {
  /// The guild; without it the backend picks one.
  package var guildID: String?
  /// The member to follow.
  package var requesterUserID: String?
  /// Where the bot should write.
  package var textChannelID: String?
  /// The origin recorded in the action log.
  package var source: String?

  /// Memberwise.
  package init(
    guildID: String? = nil, requesterUserID: String? = nil, textChannelID: String? = nil,
    source: String? = nil
  ) {
    self.guildID = guildID
    self.requesterUserID = requesterUserID
    self.textChannelID = textChannelID
    self.source = source
  }

  /// The body to send, with `Content-Type: application/json`.
  package var body: JSONValue {
    .body([
      ("guildId", guildID.map(JSONValue.string)),
      ("requesterUserId", requesterUserID.map(JSONValue.string)),
      ("textChannelId", textChannelID.map(JSONValue.string)),
      ("source", source.map(JSONValue.string)),
    ])
  }
}
