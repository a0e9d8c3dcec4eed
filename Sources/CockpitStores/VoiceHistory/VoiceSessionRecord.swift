internal import LenientJSON
internal import ClankyWire

/// The record of one voice session, live or past: its events in order, and what is derived from
/// them. Derived values are computed on demand and cached until the record changes; an event at the end costs
/// its own processing only, a late one that of the tail.
@MainActor
package final class VoiceSessionRecord {
  package let sessionID: String
  /// Changes with every event added or removed, and with the roster.
  package private(set) var revision = 0
  /// In order; at most `maxEvents`, the oldest go first.
  package private(set) var events: [VoiceEvent] = []
  /// Number of dropped events.
  package private(set) var dropped = 0
  /// The guild, text channel and voice channel, if rows or state reported them.
  package internal(set) var guildID: String?
  package internal(set) var textChannelID: String?
  package internal(set) var voiceChannelID: String?
  /// When the bot joined and left, in ms since 1970; nil if the row is not on record.
  package internal(set) var startedAt: Int64?
  package internal(set) var endedAt: Int64?
  /// Such as `inactivity_timeout`.
  package internal(set) var endReason: String?
  /// The realtime transport, such as `openai_realtime`.
  package internal(set) var mode: String?
  /// Maximum number of users at once, reported by a row or the state; nil if none was (contract
  /// 7.1).
  package private(set) var peakHeadCount: Int?
  /// Names of people by user id, from rows and state.
  package private(set) var roster: [String: String] = [:]
  /// The bot's own user id, once it was heard.
  package private(set) var botID: String?

  /// When each name of the roster was learned: replayed rows arrive late and may contain an older
  /// one.
  private var rosterTimes: [String: Int64] = [:]
  /// When each person was last heard, by user id, in ms since 1970. It outlasts the recogniser of that
  /// person, which is closed after an idle minute.
  package private(set) var lastHeard: [String: Int64] = [:]
  /// Whether the row of the session's beginning is on record.
  package private(set) var hasStartRow = false
  /// The fetched events, apart from the rows of the log; nil if none were.
  package internal(set) var fetched: FetchedEvents?

  /// Called for every learned user name, with its time.
  var onName: (@MainActor (_ userID: String, _ name: String, _ atMs: Int64) -> Void)?

  private(set) var bytes = 0
  /// What the first `fed` events have built.
  private var built = Builders()
  private var fed = 0
  /// The state before the tail, from which a late event has the tail processed again.
  private var settled = Builders()
  private var settledCount = 0
  /// Counts the late events for which all events were processed again: any of them may be in another turn now.
  private(set) var restarts = 0
  private var derivedRevision = -1
  private var derived = Derived()

  /// Limits of one session.
  package static let maxEvents = 20_000
  static let maxBytes = 24 << 20
  /// How many events at the end are reprocessed with each change: late rows fall among them.
  static let tail = 96

  /// Each computed on first access.
  private struct Derived {
    var turns: [VoiceTurnRecord]?
    var places: [VoiceTurnRecord.ID: Int]?
    var blocks: [Lane: [LaneBlock]]?
    var latency: LatencyStats?
    var skipRate: SkipRate?
  }

  private struct Builders {
    var turns = TurnBuilder()
    var lanes = LaneBuilder()

    mutating func feed(_ event: VoiceEvent) {
      let index = turns.feed(event)
      lanes.feed(event, turn: index.map { turns[$0] })
    }

    /// Forgets the first events, and the turns and blocks that ended before the rest.
    mutating func dropFirst(_ count: Int, beforeMs: Int64) {
      turns.dropFirst(count, beforeMs: beforeMs)
      lanes.drop(beforeMs: beforeMs)
    }
  }

  init(sessionID: String) { self.sessionID = sessionID }

  // MARK: reading

  /// When the first and the last event on record were, in ms since 1970.
  package var span: ClosedRange<Int64>? {
    guard let first = events.first, let last = events.last else { return nil }
    return first.timeMs...last.timeMs
  }

  /// The event with this id, if it is still kept.
  package func event(_ id: VoiceEvent.ID) -> VoiceEvent? { place(of: id).map { events[$0] } }

  private func place(of id: VoiceEvent.ID) -> Int? {
    if placesRevision != insertions {
      placesRevision = insertions
      places = Dictionary(
        zip(events.map(\.id), events.indices), uniquingKeysWith: { first, _ in first })
    }
    return places[id]
  }

  private var places: [VoiceEvent.ID: Int] = [:]
  private var placesRevision = -1
  /// Counts the times that places of events changed.
  private var insertions = 0

  /// The turns, oldest first; those without a word of which nothing followed are among them.
  package var turns: [VoiceTurnRecord] {
    derive()
    if let turns = derived.turns { return turns }
    let turns = built.turns.finish(roster: roster, endedAt: endedAt)
    derived.turns = turns
    return turns
  }

  package func turn(_ id: VoiceTurnRecord.ID) -> VoiceTurnRecord? {
    let turns = turns
    if derived.places == nil {
      derived.places = Dictionary(
        zip(turns.map(\.id), turns.indices), uniquingKeysWith: { first, _ in first })
    }
    return derived.places?[id].map { turns[$0] }
  }

  /// The turn that an event belongs to.
  package func turnID(of event: VoiceEvent.ID) -> VoiceTurnRecord.ID? {
    place(of: event).flatMap(builtTurn)?.id
  }

  /// The turn that answered the event at a place: of turns that were answered together the main one.
  func answeredTurnID(at place: Int) -> VoiceTurnRecord.ID? {
    builtTurn(at: place).map { $0.mergedInto ?? $0.id }
  }

  private func builtTurn(at place: Int) -> (
    id: VoiceTurnRecord.ID, mergedInto: VoiceTurnRecord.ID?
  )? {
    derive()
    guard let index = built.turns.turn(ofEvent: place) else { return nil }
    return (built.turns[index].id, built.turns[index].mergedInto)
  }

  /// The stretches of a lane by their beginning.
  package func blocks(in lane: Lane) -> [LaneBlock] {
    derive()
    if let blocks = derived.blocks { return blocks[lane] ?? [] }
    let blocks = built.lanes.finish(isOver: endedAt != nil)
    derived.blocks = blocks
    return blocks[lane] ?? []
  }

  /// Those that touch a range of time (ms since 1970); open ones reach to its end.
  package func blocks(in lane: Lane, from: Int64, to: Int64) -> [LaneBlock] {
    blocks(in: lane).filter {
      $0.start <= to && ($0.end ?? ($0.isOpen ? .max : $0.start)) >= from
    }
  }

  package var latency: LatencyStats {
    derive()
    if let latency = derived.latency { return latency }
    let latency = LatencyStats(turns: turns)
    derived.latency = latency
    return latency
  }

  package var skipRate: SkipRate {
    derive()
    if let rate = derived.skipRate { return rate }
    let rate = SkipRate(turns: turns)
    derived.skipRate = rate
    return rate
  }

  /// Why the bot was silent in this turn, or why it said that.
  package func verdict(_ id: VoiceTurnRecord.ID, nowMs: Int64) -> Verdict? {
    turn(id).map { Verdict(turn: $0, in: self, nowMs: nowMs) }
  }

  /// How the answer of this turn was made.
  package func chain(_ id: VoiceTurnRecord.ID) -> ToolChain? {
    guard let turn = turn(id) else { return nil }
    // Those that are answered together have one answer.
    if let main = turn.mergedInto, main != id, let chain = self.turn(main) {
      return ToolChain(turn: chain, events: chain.events.compactMap { event($0) })
    }
    return ToolChain(turn: turn, events: turn.events.compactMap { event($0) })
  }

  /// The name of a user, if known.
  package func name(_ userID: String?) -> String? { userID.flatMap { roster[$0] } }

  /// Marks of all turns, oldest first.
  package var anomalies: [(turnID: VoiceTurnRecord.ID, anomaly: VoiceTurnRecord.Anomaly)] {
    turns.flatMap { turn in turn.anomalies.map { (turn.id, $0) } }
  }

  // MARK: writing

  /// Puts an event in its place.
  func insert(_ event: VoiceEvent, bytes size: Int) {
    var place = events.count
    while place > 0, VoiceEvent.precedes(event, events[place - 1]) { place -= 1 }
    events.insert(event, at: place)
    if place == events.count - 1, placesRevision == insertions {
      places[event.id] = place  // The usual case: all others stay where they are.
    } else {
      insertions += 1
    }
    bytes += size
    learn(event)
    if place < settledCount {
      // It belongs among the settled events: start over.
      (settled, settledCount) = (Builders(), 0)
      restarts += 1
    }
    if place < fed { (built, fed) = (settled, settledCount) }
    if events.count > Self.maxEvents || (bytes > Self.maxBytes && events.count > 1000) { shrink() }
    revision += 1
  }

  /// A tenth at once, so that this is rare.
  private func shrink() {
    process()  // An event that was dropped cannot be processed later.
    let count = events.count / 10
    events.removeFirst(count)
    insertions += 1
    bytes -= bytes / 10
    dropped += count
    let beginMs = events.first?.timeMs ?? .max
    built.dropFirst(count, beforeMs: beginMs)
    settled.dropFirst(count, beforeMs: beginMs)
    fed -= count
    settledCount -= count
  }

  func assign(rowID: RowID?, actionID: Int?, to id: VoiceEvent.ID) {
    guard let place = events.lastIndex(where: { $0.id == id }) else { return }
    if let rowID, events[place].rowID != rowID {
      events[place].rowID = rowID
      // Whoever follows the rows of turns has one more.
      revision += 1
      if place < settledCount { restarts += 1 }
    }
    if let actionID { events[place].actionID = actionID }
  }

  /// Takes the names that the voice state tells.
  func learn(_ session: VoiceSession) {
    guildID = session.guildID ?? guildID
    textChannelID = session.textChannelID ?? textChannelID
    voiceChannelID = session.voiceChannelID ?? voiceChannelID
    startedAt = session.startedAt?.milliseconds ?? startedAt
    mode = session.mode?.rawValue ?? mode
    let now = (session.lastActivityAt ?? session.startedAt)?.milliseconds ?? .min
    if !session.participants.isEmpty {
      peakHeadCount = max(peakHeadCount ?? 0, session.participants.count)
    }
    for person in session.participants { name(person.userID, person.displayName, now) }
    for person in session.activeCaptures {
      name(person.userID, person.displayName, now)
      heard(person.userID, person.startedAt)
    }
    for asr in session.asrSessions + [session.sharedAsrSession?.session].compactMap(\.self) {
      heard(asr.userID, asr.lastTranscriptAt ?? asr.lastAudioAt)
    }
  }

  private func heard(_ userID: String?, _ time: WireTime?) {
    guard let userID, let time else { return }
    lastHeard[userID] = max(lastHeard[userID] ?? .min, time.milliseconds)
  }

  private func name(_ userID: String?, _ name: String?, _ atMs: Int64) {
    guard let userID, let name, !name.isEmpty, (rosterTimes[userID] ?? .min) <= atMs else { return }
    rosterTimes[userID] = atMs
    guard roster[userID] != name else { return }
    roster[userID] = name
    revision += 1
    onName?(userID, name, atMs)
  }

  private func learn(_ event: VoiceEvent) {
    guildID = guildID ?? event.guildID
    switch event.kind {
    case "voice_session_start":
      startedAt = event.timeMs
      hasStartRow = true
      textChannelID = event.channelID ?? textChannelID
      voiceChannelID = event.string("voiceChannelId") ?? voiceChannelID
    case "voice_session_end":
      endedAt = event.timeMs
      endReason = event.content ?? endReason
    case "voice_turn_out": botID = event.userID ?? botID
    default: break
    }
    if event.name.hasPrefix("voice_"), let mode = event.string("mode") { self.mode = mode }
    if textChannelID == nil { textChannelID = event.channelID }
    if let count = event.int("participantCount"), count >= 0, count < 10_000 {
      peakHeadCount = max(peakHeadCount ?? 0, count)
    }
    let isSpeech = event.lane == .asr
    PersonNames.find(in: event.metadata, user: event.userID, isSpeakers: isSpeech) { id, told in
      name(id, told, event.timeMs)
    }
    if isSpeech || event.kind == "voice_turn_in" || event.name == "voice_turn_finalized" {
      heard(event.userID, WireTime(milliseconds: event.timeMs))
    }
    for heard in event.metadata["heardPerSpeaker"]?.array ?? [] {
      name(heard["userId"]?.string, heard["speakerName"]?.string, event.timeMs)
      self.heard(heard["userId"]?.string, WireTime(milliseconds: event.timeMs))
    }
  }

  private func derive() {
    guard derivedRevision != revision else { return }
    derivedRevision = revision
    derived = Derived()
    process()
  }

  /// Processes the events that were not yet. Afterwards at most two tails are not settled.
  func process() {
    if events.count - settledCount > 2 * Self.tail {
      let end = events.count - Self.tail
      for event in events[settledCount..<end] { settled.feed(event) }
      settledCount = end
    }
    for event in events[fed...] { built.feed(event) }
    fed = events.count
  }
}
