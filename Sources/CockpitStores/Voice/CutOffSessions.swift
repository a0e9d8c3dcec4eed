internal import LenientJSON
internal import Networking
internal import ClankyWire

/// Finds voice sessions that never ended: the bot crashed or was killed. The backend lists only sessions with a
/// recorded start and end (contract 7.1), so they are found through their start, and where that is not on
/// record, through any other event of theirs.
struct CutOffSessions {
  /// What the events of a session say about it where its start is not here.
  struct Sighting {
    var guildID: String?
    var firstMs: Int64
    var lastMs: Int64
  }

  /// Sessions with a fetched start and no end, by id.
  private var started: [String: HistorySession] = [:]
  /// Sessions of which some event is known, by id.
  private var seen: [String: Sighting] = [:]
  /// From when on all ends are here, in ms since 1970: an older session may have ended before. nil until they
  /// were fetched.
  private var endsFromMs: Int64?
  /// The voice channels of all sessions with a fetched start, by id.
  private(set) var channels: [String: String] = [:]
  /// Sessions with a fetched end.
  private var ended: Set<String> = []
  /// Sessions that are live by the last state, and all that were in this run of the program.
  private var live: Set<String> = []
  private var wasLive: Set<String> = []
  /// Number of voice states without a session that has no end: its end may still arrive.
  private var missed: [String: Int] = [:]

  /// After this many states without it a session is gone; a single one may predate its start.
  private static let enough = 2
  /// A session older than this is in every state while it is live, in ms.
  private static let settledMs: Int64 = 30_000
  /// How many sessions are remembered through their events; those with the oldest are dropped.
  private static let maxSeen = 200

  /// Whether a state without sessions may decide something.
  var isUndecided: Bool { missed.contains { $0.value < Self.enough } }

  /// Takes the newest rows of beginnings and ends, the answer to `RequestTarget.voiceBounds`.
  ///
  /// - Parameter nowMs: on the backend's clock.
  mutating func takeBounds(_ actions: [Action], nowMs: Int64) {
    // A full answer leaves out older ones.
    let isFull = actions.count >= RequestTarget.voiceBoundsLimit
    let fromMs = isFull ? actions.map(\.time.milliseconds).min() ?? .max : .min
    endsFromMs = min(endsFromMs ?? .max, fromMs)
    for action in actions {
      guard let id = Self.sessionID(of: action) else { continue }
      switch action.label.kind {
      case "voice_session_end": ended.insert(id)
      case "voice_session_start":
        let metadata = action.metadata()
        started[id] = HistorySession(
          sessionID: id, guildID: action.guildID,
          mode: metadata["mode"]?.string.map(SessionMode.init(rawValue:)), startedAt: action.time)
        channels[id] = metadata["voiceChannelId"]?.string
        settle(id, lastMs: action.time.milliseconds, nowMs: nowMs)
      default: break
      }
    }
  }

  /// Takes other rows of voice sessions, the answer to `RequestTarget.voiceSightings`.
  ///
  /// - Parameter nowMs: on the backend's clock.
  mutating func takeSightings(_ actions: [Action], nowMs: Int64) {
    var found: Set<String> = []
    for action in actions where action.label.kind.hasPrefix("voice_") {
      guard let id = Self.sessionID(of: action) else { continue }
      let timeMs = action.time.milliseconds
      see(id, guild: action.guildID, firstMs: timeMs, lastMs: timeMs)
      found.insert(id)
    }
    for id in found {
      if let last = seen[id]?.lastMs { settle(id, lastMs: last, nowMs: nowMs) }
    }
  }

  /// The voice session that a row names; nil for the ids of a provider's own sessions.
  private static func sessionID(of action: Action) -> String? {
    guard let id = action.metadata()["sessionId"]?.string, !id.isEmpty, id.utf8.count <= 128,
      !VoiceEventLog.isProviders(id, name: VoiceEvent.name(of: action.label))
    else { return nil }
    return id
  }

  /// A session whose last event is old is in the state if it is live, unless it was seen to live: then its end
  /// may be on its way.
  private mutating func settle(_ id: String, lastMs: Int64, nowMs: Int64) {
    if nowMs - lastMs >= Self.settledMs, !wasLive.contains(id) { missed[id] = Self.enough }
  }

  private mutating func see(_ id: String, guild: String?, firstMs: Int64, lastMs: Int64) {
    var sighting = seen[id] ?? Sighting(guildID: guild, firstMs: firstMs, lastMs: lastMs)
    sighting.guildID = sighting.guildID ?? guild
    sighting.firstMs = min(sighting.firstMs, firstMs)
    sighting.lastMs = max(sighting.lastMs, lastMs)
    seen[id] = sighting
    guard seen.count > Self.maxSeen,
      let oldest = seen.min(by: { ($0.value.lastMs, $0.key) < ($1.value.lastMs, $1.key) })?.key
    else { return }
    seen[oldest] = nil
  }

  /// When the first and the last known event of a session were, in ms since 1970.
  func sighting(of id: String) -> Sighting? { seen[id] }

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

  /// The sessions without an end, from fetched rows and local records. One without a known start has none here
  /// either.
  ///
  /// - Parameter listed: the ids of sessions that the backend lists as ended.
  @MainActor
  mutating func sessions(
    in records: [String: VoiceSessionRecord], listed: Set<String>
  ) -> [HistorySession] {
    var found = started
    for (id, record) in records where found[id] == nil {
      if let span = record.span {
        see(id, guild: record.guildID, firstMs: span.lowerBound, lastMs: span.upperBound)
      }
      // The state says when a session began whose first row is not here.
      guard let began = record.startedAt, record.hasStartRow || wasLive.contains(id) else {
        continue
      }
      found[id] = HistorySession(
        sessionID: id, guildID: record.guildID, mode: record.mode.map(SessionMode.init(rawValue:)),
        startedAt: WireTime(milliseconds: began))
    }
    // Where ends are not known, a session without a start may have had one.
    if let endsFromMs {
      for (id, sighting) in seen where found[id] == nil && sighting.lastMs >= endsFromMs {
        found[id] = HistorySession(sessionID: id, guildID: sighting.guildID)
      }
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
