internal import LenientJSON
internal import ClankyWire

/// Finds voice sessions that started and never ended: the bot crashed or was killed. The backend
/// lists only sessions with a recorded start and end (contract 7.1).
struct CutOffSessions {
  /// Sessions with a fetched start and no end, by id.
  private var started: [String: HistorySession] = [:]
  /// The voice channels of all sessions with a fetched start, by id.
  private(set) var channels: [String: String] = [:]
  /// Sessions with a fetched end.
  private var ended: Set<String> = []
  /// Sessions that are live by the last state, and all that were in this run of the program.
  private var live: Set<String> = []
  private var wasLive: Set<String> = []
  /// Number of voice states without a started session: its end may still arrive.
  private var missed: [String: Int] = [:]

  /// After this many states without it a session is gone; a single one may predate its start.
  private static let enough = 2
  /// A session older than this is in every state while it is live, in ms.
  private static let settledMs: Int64 = 30_000

  /// Whether a state without sessions may decide something.
  var isUndecided: Bool { missed.contains { $0.value < Self.enough } }

  /// Takes rows of beginnings and ends, such as those of `/api/actions` for these two kinds.
  ///
  /// - Parameter nowMs: on the backend's clock.
  mutating func take(_ actions: [Action], nowMs: Int64) {
    for action in actions {
      let metadata = action.metadata()
      guard let id = metadata["sessionId"]?.string, !id.isEmpty, id.utf8.count <= 128 else {
        continue
      }
      switch action.label.kind {
      case "voice_session_end": ended.insert(id)
      case "voice_session_start":
        started[id] = HistorySession(
          sessionID: id, guildID: action.guildID,
          mode: metadata["mode"]?.string.map(SessionMode.init(rawValue:)), startedAt: action.time)
        channels[id] = metadata["voiceChannelId"]?.string
        // Unless it was seen to live, in which case its end may be on its way.
        let isSettled = nowMs - action.time.milliseconds >= Self.settledMs
        if isSettled, !wasLive.contains(id) { missed[id] = Self.enough }
      default: break
      }
    }
  }

  /// Processes a voice state.
  ///
  /// - Returns: whether `sessions` may have changed.
  mutating func note(live ids: some Sequence<String>) -> Bool {
    let live = Set(ids)
    var isNews = live != self.live
    self.live = live
    wasLive.formUnion(live)
    for id in live { if missed.removeValue(forKey: id) != nil { isNews = true } }
    for (id, count) in missed where count < Self.enough {
      missed[id] = count + 1
      if count + 1 == Self.enough { isNews = true }
    }
    return isNews
  }

  /// The sessions without an end, from fetched rows and local records.
  ///
  /// - Parameter listed: the ids of sessions that the backend lists as ended.
  @MainActor
  mutating func sessions(
    in records: [String: VoiceSessionRecord], listed: Set<String>
  ) -> [HistorySession] {
    var found = started
    for (id, record) in records where record.hasStartRow && found[id] == nil {
      guard let began = record.startedAt else { continue }
      found[id] = HistorySession(
        sessionID: id, guildID: record.guildID, mode: record.mode.map(SessionMode.init(rawValue:)),
        startedAt: WireTime(milliseconds: began))
    }
    var gone: [HistorySession] = []
    for (id, session) in found {
      let isOver = listed.contains(id) || ended.contains(id) || records[id]?.endedAt != nil
      guard !isOver, !live.contains(id) else {
        missed[id] = nil
        continue
      }
      if missed[id] == nil { missed[id] = 0 }
      if missed[id] == Self.enough { gone.append(session) }
    }
    return gone
  }
}
