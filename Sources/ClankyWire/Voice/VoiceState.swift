import LenientJSON

/// The body of `/api/voice/state` and of `voice_state`, and `runtime.voice` of the stats (contract
/// 5.2).
package struct VoiceState: WireReadable {
  /// Number of live sessions, by the count of the backend.
  package var activeCount: Int?
  /// The live sessions, one per guild at most.
  package var sessions: [VoiceSession]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    activeCount: Int? = nil, sessions: [VoiceSession] = [], omitted: Int = 0
  ) {
    self.activeCount = activeCount
    self.sessions = sessions
    self.omitted = omitted
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    activeCount = fields.int("activeCount")
    let list = fields.rows("sessions", of: VoiceSession.init)
    sessions = list.rows
    omitted = list.omitted
  }
}

extension VoiceState {
  /// The backend's dialect; nil if no session reveals it (contract 9.8).
  package var dialect: BackendDialect? {
    sessions.lazy.compactMap(\.streamWatch.dialect).first
  }
}
