import LenientJSON

/// The body of `/api/voice/asr-sessions` (contract 3.3.1).
package struct AsrSessionList: WireReadable {
  /// The rows.
  package var sessions: [AsrSessionRow]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    sessions: [AsrSessionRow] = [], omitted: Int = 0
  ) {
    self.sessions = sessions
    self.omitted = omitted
  }

  /// nil if the value is no object with that list.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let list = fields.page("sessions", of: AsrSessionRow.init)
    else {
      return nil
    }
    sessions = list.rows
    omitted = list.omitted
  }
}

/// A thin view of a recogniser session (contract 3.3.1).
package struct AsrSessionRow: WireReadable {
  /// The voice session; empty when it was not readable.
  package var sessionID: String
  /// Discord user.
  package var userID: String?
  /// Name in the guild.
  package var displayName: String?
  /// Whether it is connected.
  package var connected: Bool?
  /// When it was connected.
  package var createdAt: WireTime?
  /// When it last answered.
  package var lastTranscriptAt: WireTime?
  /// Computed even when no timer runs: not to be shown as a promise.
  package var idleTimerEndsAt: WireTime?
  /// Why it was closed, in practice `idle_ttl`.
  package var closedReason: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    sessionID: String = "", userID: String? = nil, displayName: String? = nil,
    connected: Bool? = nil, createdAt: WireTime? = nil, lastTranscriptAt: WireTime? = nil,
    idleTimerEndsAt: WireTime? = nil, closedReason: String? = nil
  ) {
    self.sessionID = sessionID
    self.userID = userID
    self.displayName = displayName
    self.connected = connected
    self.createdAt = createdAt
    self.lastTranscriptAt = lastTranscriptAt
    self.idleTimerEndsAt = idleTimerEndsAt
    self.closedReason = closedReason
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    sessionID = fields.id("sessionId") ?? ""
    userID = fields.id("userId")
    displayName = fields.string("displayName")
    connected = fields.bool("connected")
    createdAt = fields.time("createdAt")
    lastTranscriptAt = fields.time("lastTranscriptAt")
    idleTimerEndsAt = fields.time("idleTimerEndsAt")
    closedReason = fields.string("closedReason")
  }
}
