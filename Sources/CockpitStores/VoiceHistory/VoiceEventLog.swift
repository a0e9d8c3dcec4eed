internal import LenientJSON
internal import ClankyWire

/// The events of voice sessions, each row parsed once and assigned to its session on arrival.
///
/// Live rows come from the activity log, past ones from the backend's replays (contract 7.1); the
/// same action from both is one event.
@MainActor
package final class VoiceEventLog {
  /// By session id.
  package private(set) var records: [String: VoiceSessionRecord] = [:]
  /// Changes with every event, and with every new fact about a session.
  package private(set) var revision = 0
  /// Rows that belong to no session on record, the newest at the end: those of the media
  /// subprocess carry neither session nor guild (contract 4.3).
  package private(set) var unassigned: [VoiceEvent] = []

  /// Changes when a session is seen for the first time, and when it is seen to begin or to end.
  package private(set) var boundsRevision = 0

  /// A name and when it was learned, in ms since 1970.
  package struct LearnedName {
    package var name: String
    package var atMs: Int64
  }

  /// Names by user id learned since `takeNames`.
  private var newNames: [String: LearnedName] = [:]

  private var nextID: VoiceEvent.ID = 1
  private var cursor = LogCursor()
  /// Events by fingerprint, per session.
  private var known: [String: [Int: [VoiceEvent.ID]]] = [:]
  private var placesOfRows: [RowID: (sessionID: String, event: VoiceEvent.ID)] = [:]
  private var liveIDs: Set<String> = []
  private var lastUse: [String: Int] = [:]

  /// Sessions that are remembered; live ones are never among those that go.
  package static let maxSessions = 24
  static let maxUnassigned = 500
  /// How far outside a session's time a row without session id may lie, in ms: the provider
  /// connection is made before the session reports its start.
  static let slackMs: Int64 = 5000

  package init() {}

  /// The session and event that a row of the activity log became.
  package func place(of row: RowID) -> (sessionID: String, event: VoiceEvent.ID)? {
    placesOfRows[row]
  }

  /// The names by user id learned since the last call: rows of past sessions are the only source of
  /// names of users who are not in voice now (contract 9.1).
  package func takeNames() -> [String: LearnedName] {
    defer { newNames = [:] }
    return newNames
  }

  /// Takes over the names of a log that was read for a summary only.
  func learnNames(from other: VoiceEventLog) {
    for (id, told) in other.takeNames() where (newNames[id]?.atMs ?? .min) <= told.atMs {
      newNames[id] = told
    }
  }

  // MARK: Ingesting

  /// Takes the names, channels and times that the voice state tells.
  func learn(_ state: VoiceState) {
    liveIDs = Set(state.sessions.map(\.sessionID))
    var isNew = false
    for session in state.sessions where !session.sessionID.isEmpty {
      isNew = isNew || records[session.sessionID] == nil
      let record = record(for: session.sessionID)
      let before = record.revision
      record.learn(session)
      if record.revision != before { revision += 1 }
    }
    if isNew { placeUnassigned() }
  }

  /// Processes the new rows of the log, parsing at most `rowBudget`.
  ///
  /// - Returns: whether all rows were processed.
  func follow(_ log: ActionLog, rowBudget: Int) -> Bool {
    var budget = rowBudget
    _ = cursor.changes(in: log, budget: 0)
    while cursor.end < log.endRow {
      let row = cursor.end
      guard let view = log.row(row), !view.isGap, Self.isWanted(view.kind) else {
        _ = cursor.next(in: log)
        continue
      }
      guard budget > 0 else { return false }
      budget -= 1
      take(
        Source(
          timeMs: view.timeMs, label: view.label, userID: view.userID, channelID: view.channelID,
          guildID: view.guildID, messageID: view.messageID,
          content: view.content(limit: VoiceEvent.maxContent), metadata: view.metadata(),
          costUSD: view.costUSD, rowID: row, actionID: view.actionID,
          bytes: view.withRaw { $0.count }),
        of: nil)
      _ = cursor.next(in: log)
    }
    return true
  }

  /// How many rows of the log were not read yet; 0 if none of them can belong to a voice session.
  func unreadRows(in log: ActionLog) -> Int {
    let begin = max(cursor.end, log.firstRow)
    guard begin < log.endRow else { return 0 }
    let isWaiting = (begin..<log.endRow).contains { id in
      log.row(id).map { !$0.isGap && Self.isWanted($0.kind) } ?? false
    }
    return isWaiting ? log.endRow - begin : 0
  }

  /// The content of a replay.
  struct Replay {
    /// Events of the session.
    var events = 0
    /// Rows that could not be read.
    var unreadable = 0
    /// The time of the newest of the events, in ms since 1970.
    var lastMs: Int64?
    /// The time of the oldest row of the list, whichever session it belongs to.
    var oldestRowMs: Int64?
    /// Whether the list did not break off.
    var isComplete = true
    /// Rows of the list.
    var rows = 0
  }

  /// Takes in the stored rows of one session. The backend finds them by their text (contract 7.1): those
  /// that only mention the id are left out.
  @discardableResult
  func replay(_ json: UnsafeRawBufferPointer, of sessionID: String) -> Replay {
    _ = record(for: sessionID)
    var result = Replay()
    let outcome = ActionRows.split(json) { range in
      guard let action = try? Action(json: UnsafeRawBufferPointer(rebasing: json[range])) else {
        result.unreadable += 1  // One bad row costs the row.
        return
      }
      let timeMs = action.time.milliseconds
      result.oldestRowMs = min(result.oldestRowMs ?? timeMs, timeMs)
      let metadata = action.metadata()
      guard metadata["sessionId"]?.string == sessionID else { return }
      result.events += 1
      result.lastMs = max(result.lastMs ?? timeMs, timeMs)
      take(
        Source(
          timeMs: action.time.milliseconds, label: action.label, userID: action.userID,
          channelID: action.channelID, guildID: action.guildID, messageID: action.messageID,
          content: action.content.map { String($0.prefix(VoiceEvent.maxContent)) },
          metadata: metadata, costUSD: action.costUSD, rowID: nil, actionID: action.id,
          bytes: range.count),
        of: sessionID)
    }
    revision += 1
    result.unreadable += outcome.badRows
    result.isComplete = outcome.isComplete
    result.rows = outcome.rows + outcome.badRows
    return result
  }

  // MARK: sorting

  private struct Source {
    var timeMs: Int64
    var label: ActionLabel
    var userID: String?
    var channelID: String?
    var guildID: String?
    var messageID: String?
    var content: String?
    var metadata: JSONValue
    var costUSD: Double?
    var rowID: RowID?
    var actionID: Int?
    var bytes: Int
  }

  private static let companions: Set<String> = [
    "llm_call", "llm_error", "llm_tool_call", "asr_call", "asr_error", "tts_call", "tts_error",
    "search_call", "search_error", "music_player", "speech",
  ]

  static func isWanted(_ kind: String) -> Bool {
    kind.hasPrefix("voice_") || companions.contains(kind)
  }

  private func take(_ source: Source, of session: String?) {
    let isVoice = source.label.kind.hasPrefix("voice_")
    let trimmed = Self.trim(source.metadata)
    let name = VoiceEvent.name(of: source.label)
    let event = VoiceEvent(
      id: nextID, timeMs: source.timeMs, kind: source.label.kind, name: name,
      lane: Lane(name: name, kind: source.label.kind),
      severity: source.label.severity, userID: source.userID, channelID: source.channelID,
      guildID: source.guildID, messageID: source.messageID, content: source.content,
      metadata: trimmed.value, isTrimmed: trimmed.isTrimmed, costUSD: source.costUSD,
      rowID: source.rowID, actionID: source.actionID)
    guard isVoice || Self.mayBeVoice(event) else { return }
    nextID += 1
    if let session = session ?? ownSession(event, createsIt: isVoice) ?? sessionAround(event) {
      place(event, in: session, bytes: trimmed.bytes(of: source.bytes))
    } else if isVoice || event.string("source")?.contains("voice") == true {
      unassigned.append(event)
      if unassigned.count > 2 * Self.maxUnassigned {
        unassigned.removeFirst(unassigned.count - Self.maxUnassigned)
      }
      revision += 1
    }
  }

  /// Whether a row that is no `voice_` kind may belong to a voice session: text turns in the same
  /// channel have the same kinds, but a message and their own sources.
  private static func mayBeVoice(_ event: VoiceEvent) -> Bool {
    if event.messageID != nil || event.string("messageId") != nil { return false }
    if event.kind == "music_player" { return true }
    guard let source = event.string("source") else { return event.kind.hasPrefix("search") }
    return ["voice", "realtime", "stream_watch", "tts", "asr"].contains { source.contains($0) }
  }

  /// The voice session that the row names; ids of the provider's own sessions are none.
  private func ownSession(_ event: VoiceEvent, createsIt: Bool) -> String? {
    guard let id = event.string("sessionId"), id.utf8.count <= 128 else { return nil }
    if records[id] != nil { return id }
    guard createsIt, !Self.isProviders(id, name: event.name) else { return nil }
    _ = record(for: id)
    return id
  }

  /// Whether an id is that of a session at the voice provider.
  ///
  /// - Parameter name: of the event that names it.
  nonisolated static func isProviders(_ id: String, name: String) -> Bool {
    id.hasPrefix("sess_") || name.hasSuffix("_session_updated")
      || name.hasSuffix("_session_created")
  }

  /// The session that was live where and when the row was written.
  private func sessionAround(_ event: VoiceEvent) -> String? {
    let alive = records.values.filter { isAlive($0, at: event.timeMs) }
    func latest(_ found: [VoiceSessionRecord]) -> String? {
      found.max { (start($0), $0.sessionID) < (start($1), $1.sessionID) }?.sessionID
    }
    if let channel = event.channelID {
      let here = alive.filter { $0.textChannelID == channel || $0.voiceChannelID == channel }
      if !here.isEmpty { return latest(here) }
    }
    guard event.kind.hasPrefix("voice_") || event.kind == "music_player" else { return nil }
    if let guild = event.guildID { return latest(alive.filter { $0.guildID == guild }) }
    return event.channelID == nil && alive.count == 1 ? alive[0].sessionID : nil
  }

  private func start(_ record: VoiceSessionRecord) -> Int64 {
    record.startedAt ?? record.span?.lowerBound ?? .max
  }

  private func isAlive(_ record: VoiceSessionRecord, at timeMs: Int64) -> Bool {
    let start = start(record)
    guard start != .max, timeMs >= start - Self.slackMs else { return false }
    if let end = record.endedAt { return timeMs <= end + Self.slackMs }
    if liveIDs.contains(record.sessionID) { return true }
    return timeMs <= (record.span?.upperBound ?? start) + 60_000
  }

  private func place(_ event: VoiceEvent, in session: String, bytes: Int) {
    let record = record(for: session)
    let print = event.fingerprint
    let twins = known[session]?[print] ?? []
    for id in twins {
      guard let twin = record.event(id) else { continue }
      if let action = event.actionID, twin.actionID == action {
        // Known already: only the row may be news.
        if twin.rowID == nil, let row = event.rowID { pair(row, id, record) }
        return
      }
      let isOther = event.actionID != nil && twin.actionID != nil
      if !isOther, (twin.rowID == nil) != (event.rowID == nil) {
        record.assign(rowID: event.rowID, actionID: event.actionID, to: id)
        if let row = event.rowID { placesOfRows[row] = (session, id) }
        return
      }
    }
    known[session, default: [:]][print, default: []].append(event.id)
    if let row = event.rowID { placesOfRows[row] = (session, event.id) }
    let wasEmpty = record.events.isEmpty
    record.insert(event, bytes: bytes)
    revision += 1
    if wasEmpty || event.kind == "voice_session_start" || event.kind == "voice_session_end" {
      boundsRevision += 1
    }
    lastUse[session] = revision
    if wasEmpty { placeUnassigned() }
    if placesOfRows.count > 4 * VoiceSessionRecord.maxEvents { forgetPlaces() }
  }

  private func pair(_ row: RowID, _ id: VoiceEvent.ID, _ record: VoiceSessionRecord) {
    record.assign(rowID: row, actionID: nil, to: id)
    placesOfRows[row] = (record.sessionID, id)
  }

  private func forgetPlaces() {
    let newest = placesOfRows.keys.max() ?? 0
    placesOfRows = placesOfRows.filter { $0.key > newest - 2 * VoiceSessionRecord.maxEvents }
  }

  /// Rows that arrived before the session was known.
  private func placeUnassigned() {
    let waiting = unassigned
    unassigned = []
    for event in waiting {
      if let session = ownSession(event, createsIt: false) ?? sessionAround(event) {
        place(event, in: session, bytes: 512)
      } else {
        unassigned.append(event)
      }
    }
  }

  private func record(for id: String) -> VoiceSessionRecord {
    if let record = records[id] { return record }
    let record = VoiceSessionRecord(sessionID: id)
    record.onName = { [weak self] userID, name, atMs in
      guard let self, (newNames[userID]?.atMs ?? .min) <= atMs else { return }
      newNames[userID] = LearnedName(name: name, atMs: atMs)
    }
    records[id] = record
    revision += 1
    lastUse[id] = revision
    if records.count > Self.maxSessions,
      let oldest = records.keys.filter({ !liveIDs.contains($0) && $0 != id })
        .min(by: { (lastUse[$0] ?? 0) < (lastUse[$1] ?? 0) })
    {
      records[oldest] = nil
      known[oldest] = nil
      placesOfRows = placesOfRows.filter { $0.value.sessionID != oldest }
    }
    return record
  }

  // MARK: trimming

  private struct Trimmed {
    var value: JSONValue
    var isTrimmed = false
    var left = 0

    /// Estimated memory of the event: a parsed tree takes several times its text.
    func bytes(of raw: Int) -> Int { 256 + 4 * (isTrimmed ? max(256, raw - left) : raw) }
  }

  /// Drops prompts and other long values that are not used here.
  private static func trim(_ metadata: JSONValue) -> Trimmed {
    guard case .object(let object) = metadata else { return Trimmed(value: .null) }
    var result = Trimmed(value: .null)
    var kept: [JSONObject.Member] = []
    for member in object.members {
      if VoiceEvent.heavyKeys.contains(member.key), member.value != .null {
        result.isTrimmed = true
        result.left += 1024
      } else if case .string(let text) = member.value, text.utf8.count > 4 * VoiceEvent.maxContent {
        result.isTrimmed = true
        result.left += text.utf8.count - VoiceEvent.maxContent
        kept.append(
          .init(key: member.key, value: .string(String(text.prefix(VoiceEvent.maxContent)))))
      } else {
        kept.append(member)
      }
    }
    result.value = .object(JSONObject(members: kept))
    return result
  }
}
