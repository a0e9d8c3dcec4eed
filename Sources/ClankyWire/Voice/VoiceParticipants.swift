import LenientJSON

/// A user in the voice channel (contract 5.2.1).
package struct VoiceParticipant: WireReadable {
  /// Discord user.
  package var userID: String?
  /// Name in the guild.
  package var displayName: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    userID: String? = nil, displayName: String? = nil
  ) {
    self.userID = userID
    self.displayName = displayName
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    userID = fields.id("userId")
    displayName = fields.string("displayName")
  }
}

/// Audio of one speaker that is being captured (contract 5.2.1).
package struct VoiceCapture: WireReadable {
  /// Discord user.
  package var userID: String?
  /// Name in the guild.
  package var displayName: String?
  /// When the capture began.
  package var startedAt: WireTime?
  /// Its age when the state was sent, in milliseconds.
  package var ageMs: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    userID: String? = nil, displayName: String? = nil, startedAt: WireTime? = nil,
    ageMs: Int? = nil
  ) {
    self.userID = userID
    self.displayName = displayName
    self.startedAt = startedAt
    self.ageMs = ageMs
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    userID = fields.id("userId")
    displayName = fields.string("displayName")
    startedAt = fields.time("startedAt")
    ageMs = fields.int("ageMs")
  }
}

/// A join or leave (contract 5.2.1); in the generation context without user and time (contract
/// 5.2.8).
package struct MembershipEvent: WireReadable {
  /// Discord user.
  package var userID: String?
  /// Name in the guild.
  package var displayName: String?
  /// Join or leave.
  package var eventType: MembershipKind?
  /// When it happened.
  package var at: WireTime?
  /// Its age when the state was sent, in milliseconds.
  package var ageMs: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    userID: String? = nil, displayName: String? = nil, eventType: MembershipKind? = nil,
    at: WireTime? = nil, ageMs: Int? = nil
  ) {
    self.userID = userID
    self.displayName = displayName
    self.eventType = eventType
    self.at = at
    self.ageMs = ageMs
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    userID = fields.id("userId")
    displayName = fields.string("displayName")
    eventType = fields.word("eventType")
    at = fields.time("at")
    ageMs = fields.int("ageMs")
  }
}

/// Sounds played in the session (contract 5.2.1).
package struct VoiceSoundboard: WireReadable {
  /// Sounds played.
  package var playCount: Int?
  /// When the last one was played.
  package var lastPlayedAt: WireTime?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    playCount: Int? = nil, lastPlayedAt: WireTime? = nil
  ) {
    self.playCount = playCount
    self.lastPlayedAt = lastPlayedAt
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    playCount = fields.int("playCount")
    lastPlayedAt = fields.time("lastPlayedAt")
  }
}

/// Turns waiting for a joint transcription (contract 5.2.1).
package struct BatchAsr: WireReadable {
  /// Turns not yet transcribed.
  package var pendingTurns: Int?
  /// Messages given along as context.
  package var contextMessages: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    pendingTurns: Int? = nil, contextMessages: Int? = nil
  ) {
    self.pendingTurns = pendingTurns
    self.contextMessages = contextMessages
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    pendingTurns = fields.int("pendingTurns")
    contextMessages = fields.int("contextMessages")
  }
}

/// A tool the realtime provider may call (contract 5.2.1).
package struct BrainTool: WireReadable {
  /// Name of the tool.
  package var name: String?
  /// Function or MCP.
  package var toolType: ToolType?
  /// The MCP server it belongs to.
  package var serverName: String?
  /// The description given to the model.
  package var description: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    name: String? = nil, toolType: ToolType? = nil, serverName: String? = nil,
    description: String? = nil
  ) {
    self.name = name
    self.toolType = toolType
    self.serverName = serverName
    self.description = description
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    name = fields.string("name")
    toolType = fields.word("toolType")
    serverName = fields.string("serverName")
    description = fields.string("description")
  }
}
