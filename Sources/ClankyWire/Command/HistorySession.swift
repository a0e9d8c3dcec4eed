import LenientJSON

/// A past voice session with both its ends on record (contract 7.1).
package struct HistorySession: WireReadable {
  /// Identity; empty when it was not readable.
  package var sessionID: String
  /// Its guild; nil if it is not known.
  package var guildID: String?
  /// The realtime transport.
  package var mode: SessionMode?
  /// When it began.
  package var startedAt: WireTime?
  /// When it ended.
  package var endedAt: WireTime?
  /// Its length, in seconds.
  package var durationSeconds: Int?
  /// Why it ended, such as `inactivity_timeout`; not a closed list.
  package var endReason: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    sessionID: String = "", guildID: String? = nil, mode: SessionMode? = nil,
    startedAt: WireTime? = nil, endedAt: WireTime? = nil, durationSeconds: Int? = nil,
    endReason: String? = nil
  ) {
    self.sessionID = sessionID
    self.guildID = guildID
    self.mode = mode
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.durationSeconds = durationSeconds
    self.endReason = endReason
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    sessionID = fields.id("sessionId") ?? ""
    guildID = fields.id("guildId")
    mode = fields.word("mode")
    startedAt = fields.time("startedAt")
    endedAt = fields.time("endedAt")
    durationSeconds = fields.int("durationSeconds")
    endReason = fields.string("endReason")
  }

  /// Its length in ms: from its beginning to its end, or to its last event where it has none; nil if
  /// nothing says it.
  ///
  /// - Parameter lastEventMs: when the last event was that is known, in ms since 1970.
  package func lengthMs(lastEventMs: Int64? = nil) -> Double? {
    if let startedAt,
      let end = endedAt?.milliseconds ?? (durationSeconds == nil ? lastEventMs : nil)
    {
      return Double(max(0, end - startedAt.milliseconds))
    }
    return durationSeconds.map { Double($0) * 1000 }
  }
}
