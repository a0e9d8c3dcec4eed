import LenientJSON

/// Attention at the moment of a generation (contract 5.2.8; some members as recorded).
package struct ConversationContext: WireReadable {
  /// ACTIVE or AMBIENT.
  package var attentionMode: AttentionMode?
  /// Whether the speaker holds the bot's attention.
  package var currentSpeakerActive: Bool?
  /// Whether one person continues with the bot.
  package var singleParticipantAssistantFollowup: Bool?
  /// Whether a reply lies within the window.
  package var recentAssistantReply: Bool?
  /// Whether an address lies within the window.
  package var recentDirectAddress: Bool?
  /// Whether the speaker is the user who addressed the bot.
  package var sameAsRecentDirectAddress: Bool?
  /// Milliseconds since the last reply.
  package var msSinceAssistantReply: Int?
  /// Milliseconds since the last address.
  package var msSinceDirectAddress: Int?
  /// The user giving a command.
  package var activeCommandSpeaker: String?
  /// The domain of the command.
  package var activeCommandDomain: String?
  /// The intent of the command.
  package var activeCommandIntent: String?
  /// Milliseconds until the command is forgotten.
  package var msUntilCommandSessionExpiry: Int?
  /// Whether a follow-up is expected.
  package var pendingCommandFollowupSignal: Bool?
  /// The reply that was cut off; no documented shape.
  package var interruptedAssistantReply: JSONValue?
  /// Whether music plays.
  package var musicActive: Bool?
  /// Whether speech during music counts as addressed.
  package var musicWakeLatched: Bool?
  /// Milliseconds until it no longer does.
  package var msUntilMusicWakeLatchExpiry: Int?
  /// Whether the session is about to end.
  package var sessionTimeoutWarningActive: Bool?
  /// Which deadline is near.
  package var sessionTimeoutWarningReason: TimeoutWarning?
  /// Notes about a watched screen.
  package var streamWatchNotes: StreamNotes?
  /// Summary of older turns; no documented shape.
  package var compactedSessionSummary: JSONValue?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    attentionMode: AttentionMode? = nil, currentSpeakerActive: Bool? = nil,
    singleParticipantAssistantFollowup: Bool? = nil, recentAssistantReply: Bool? = nil,
    recentDirectAddress: Bool? = nil, sameAsRecentDirectAddress: Bool? = nil,
    msSinceAssistantReply: Int? = nil, msSinceDirectAddress: Int? = nil,
    activeCommandSpeaker: String? = nil, activeCommandDomain: String? = nil,
    activeCommandIntent: String? = nil, msUntilCommandSessionExpiry: Int? = nil,
    pendingCommandFollowupSignal: Bool? = nil, interruptedAssistantReply: JSONValue? = nil,
    musicActive: Bool? = nil, musicWakeLatched: Bool? = nil,
    msUntilMusicWakeLatchExpiry: Int? = nil, sessionTimeoutWarningActive: Bool? = nil,
    sessionTimeoutWarningReason: TimeoutWarning? = nil, streamWatchNotes: StreamNotes? = nil,
    compactedSessionSummary: JSONValue? = nil
  ) {
    self.attentionMode = attentionMode
    self.currentSpeakerActive = currentSpeakerActive
    self.singleParticipantAssistantFollowup = singleParticipantAssistantFollowup
    self.recentAssistantReply = recentAssistantReply
    self.recentDirectAddress = recentDirectAddress
    self.sameAsRecentDirectAddress = sameAsRecentDirectAddress
    self.msSinceAssistantReply = msSinceAssistantReply
    self.msSinceDirectAddress = msSinceDirectAddress
    self.activeCommandSpeaker = activeCommandSpeaker
    self.activeCommandDomain = activeCommandDomain
    self.activeCommandIntent = activeCommandIntent
    self.msUntilCommandSessionExpiry = msUntilCommandSessionExpiry
    self.pendingCommandFollowupSignal = pendingCommandFollowupSignal
    self.interruptedAssistantReply = interruptedAssistantReply
    self.musicActive = musicActive
    self.musicWakeLatched = musicWakeLatched
    self.msUntilMusicWakeLatchExpiry = msUntilMusicWakeLatchExpiry
    self.sessionTimeoutWarningActive = sessionTimeoutWarningActive
    self.sessionTimeoutWarningReason = sessionTimeoutWarningReason
    self.streamWatchNotes = streamWatchNotes
    self.compactedSessionSummary = compactedSessionSummary
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    attentionMode = fields.word("attentionMode")
    currentSpeakerActive = fields.bool("currentSpeakerActive")
    singleParticipantAssistantFollowup = fields.bool("singleParticipantAssistantFollowup")
    recentAssistantReply = fields.bool("recentAssistantReply")
    recentDirectAddress = fields.bool("recentDirectAddress")
    sameAsRecentDirectAddress = fields.bool("sameAsRecentDirectAddress")
    msSinceAssistantReply = fields.int("msSinceAssistantReply")
    msSinceDirectAddress = fields.int("msSinceDirectAddress")
    activeCommandSpeaker = fields.string("activeCommandSpeaker")
    activeCommandDomain = fields.string("activeCommandDomain")
    activeCommandIntent = fields.string("activeCommandIntent")
    msUntilCommandSessionExpiry = fields.int("msUntilCommandSessionExpiry")
    pendingCommandFollowupSignal = fields.bool("pendingCommandFollowupSignal")
    interruptedAssistantReply = fields.value("interruptedAssistantReply")
    musicActive = fields.bool("musicActive")
    musicWakeLatched = fields.bool("musicWakeLatched")
    msUntilMusicWakeLatchExpiry = fields.int("msUntilMusicWakeLatchExpiry")
    sessionTimeoutWarningActive = fields.bool("sessionTimeoutWarningActive")
    sessionTimeoutWarningReason = fields.word("sessionTimeoutWarningReason")
    streamWatchNotes = fields.object("streamWatchNotes")
    compactedSessionSummary = fields.value("compactedSessionSummary")
  }
}
