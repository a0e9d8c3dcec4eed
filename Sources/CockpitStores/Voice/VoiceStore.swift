internal import LenientJSON
package import ClankyWire
import Observation

/// The live voice sessions, as of the last voice state, and the records of live and past ones.
@MainActor
@Observable
package final class VoiceStore {
  /// The last voice state; nil until one arrives.
  package private(set) var state: VoiceState?
  /// Number of live sessions. Every state brings new ages; observers of this property alone are not
  /// notified of those.
  package private(set) var sessionCount = 0
  /// How often the set of live sessions changed.
  package private(set) var liveChanges = 0
  /// When it came, on the monotonic clock, in ns: the wire's ages count from here.
  package private(set) var receivedNs: UInt64 = 0
  /// Why the last voice state could not be read, if it could not.
  package private(set) var problem: String?
  /// Earlier prompts and budgets of the live sessions.
  package private(set) var brain = BrainHistory()
  /// The bytes of the last voice state; empty until one arrives.
  @ObservationIgnored package private(set) var payload: [UInt8] = []

  /// Changes with every event of a voice session; panes watch this and read the records.
  package private(set) var eventRevision = 0
  /// Past sessions, newest end first: those that the backend has listed, and those that have begun and
  /// never ended, by their last event. Empty until it did.
  package private(set) var history: [HistorySession] = []
  /// Those of them that have no end: the bot crashed or was killed, and nothing says when.
  package private(set) var cutOff: Set<String> = []
  /// As the backend listed them.
  @ObservationIgnored private var listed: [HistorySession] = []
  @ObservationIgnored private var unfinished = CutOffSessions()
  @ObservationIgnored private var knownBounds = 0
  /// Why the earlier events of a live session could not be fetched, by session id.
  package private(set) var earlierProblems: [String: String] = [:]
  /// Whether the list has arrived at least once.
  package private(set) var isHistoryLoaded = false
  /// Why the last list could not be read.
  package private(set) var historyProblem: String?
  /// Elements of the list that were no sessions.
  package private(set) var historyOmitted = 0
  /// Summaries of past sessions, by session id, as far as they were fetched.
  package private(set) var summaries: [String: SessionSummary] = [:]
  /// Past sessions whose events were stored.
  private(set) var replayed: Set<String> = []

  @ObservationIgnored
  package let log = VoiceEventLog()

  package init() {}

  /// Takes the payload of a `voice_state` event or the body of `/api/voice/state`. Bytes that equal the last
  /// ones are not decoded again: an idle backend repeats itself every 3 s.
  ///
  /// - Returns: whether it differs from the one before.
  @discardableResult
  package func apply(_ json: UnsafeRawBufferPointer, atNs now: UInt64) -> Bool {
    guard !json.hasSameBytes(as: payload) else {
      if problem != nil { problem = nil }
      applyRepeated(atNs: now)
      return false
    }
    receivedNs = now
    do throws(JSONError) {
      guard let new = VoiceState(try JSONValue.parse(json)) else {
        problem = "a voice state is not an object"
        return true
      }
      payload.removeAll(keepingCapacity: true)
      payload.append(contentsOf: json)
      take(new)
    } catch {
      problem = error.description
    }
    return true
  }

  private func take(_ new: VoiceState) {
    notePrompts(of: new)
    let live = new.sessions.map(\.sessionID)
    if state?.sessions.map(\.sessionID) != live { liveChanges += 1 }
    state = new
    if sessionCount != new.sessions.count { sessionCount = new.sessions.count }
    if problem != nil { problem = nil }
    log.learn(new)
    if unfinished.note(live: live) { mergeHistory() }
    eventsChanged()
  }

  /// The last voice state was repeated: its ages are current.
  package func applyRepeated(atNs now: UInt64) {
    receivedNs = now
    if unfinished.isUndecided,
      unfinished.note(live: (state?.sessions ?? []).lazy.map(\.sessionID))
    {
      mergeHistory()
    }
  }

  /// Whether the last voice state has a session, whose ages keep growing.
  package var hasSessions: Bool { state?.sessions.isEmpty == false }

  /// Measuring and comparing prompts is slow: do it only for new ones.
  private func notePrompts(of new: VoiceState) {
    let before = state?.sessions ?? []
    let same = new.sessions.filter { session in
      before.contains {
        $0.sessionID == session.sessionID && $0.promptState == session.promptState
          && $0.conversation.modelContext.generation == session.conversation.modelContext.generation
      }
    }
    guard same.count < new.sessions.count else { return }
    let known = Set(same.map(\.sessionID))
    brain.note(
      VoiceState(sessions: new.sessions.filter { !known.contains($0.sessionID) }),
      stillLive: same.map(\.sessionID))
  }

  /// Passes on the names of users in voice.
  func teachNames(to connection: ConnectionStore, atMs: Int64) {
    if let state { connection.learn(state, atMs: atMs) }
  }

  // MARK: sessions

  /// The live sessions in the order of the backend.
  package var sessions: [VoiceSession] { state?.sessions ?? [] }

  package func session(_ id: String) -> VoiceSession? { sessions.first { $0.sessionID == id } }
  package func isLive(_ id: String) -> Bool { session(id) != nil }

  /// The record of a session, live or past; nil if there is none.
  package func record(_ id: String) -> VoiceSessionRecord? {
    _ = eventRevision
    return log.records[id]
  }

  /// The session and turn that a row of the activity log belongs to; nil if it belongs to none.
  package func record(containing row: RowID) -> (
    record: VoiceSessionRecord, turnID: VoiceTurnRecord.ID
  )? {
    _ = eventRevision
    guard let place = log.place(of: row), let record = log.records[place.sessionID],
      let turn = record.turnID(of: place.event)
    else { return nil }
    return (record, turn)
  }

  /// The session that ended last, and when, in ms since 1970: with its last event where nothing says that it ended.
  /// nil if a session is live, or none is on record.
  package func lastEnded(
    in scope: GuildScope = .all
  ) -> (record: VoiceSessionRecord, atMs: Int64)? {
    _ = eventRevision
    guard let state, !state.sessions.contains(where: { scope.holds($0.guildID) }) else {
      return nil
    }
    return log.records.values.compactMap { record in
      guard scope.holds(record.guildID) else { return nil }
      return (record.endedAt ?? record.span?.upperBound).map { (record, $0) }
    }.max { ($0.1, $0.0.sessionID) < ($1.1, $1.0.sessionID) }
  }

  /// The people of a live session; nil if it is not live.
  package func people(_ id: String) -> PeopleView? {
    session(id).map { PeopleView(session: $0, heard: record(id)?.lastHeard ?? [:]) }
  }

  // MARK: events

  /// Processes the new rows of the log, parsing at most `rowBudget`. Call it from views of voice
  /// sessions, so that rows are parsed only when needed.
  ///
  /// - Returns: whether all rows were processed.
  @discardableResult
  package func follow(_ actions: ActionLog, rowBudget: Int = .max) -> Bool {
    defer { eventsChanged() }
    return log.follow(actions, rowBudget: rowBudget)
  }

  /// How many rows of the log were not read yet; 0 if none of them can belong to a voice session.
  package func unreadRows(in actions: ActionLog) -> Int { log.unreadRows(in: actions) }

  /// Whether a row of this kind may belong to a voice session.
  package static func mayRead(_ kind: String) -> Bool { VoiceEventLog.isWanted(kind) }

  func eventsChanged() {
    if eventRevision != log.revision { eventRevision = log.revision }
    guard knownBounds != log.boundsRevision else { return }
    knownBounds = log.boundsRevision
    mergeHistory()
  }

  // MARK: history

  /// Takes the body of `/api/voice/history/sessions`.
  package func applyHistory(_ json: UnsafeRawBufferPointer) {
    do throws(JSONError) {
      guard let rows = try JSONParser.parse(json, sparesRows: true).array else {
        historyProblem = "the history of voice sessions is not a list"
        return
      }
      listed = rows.compactMap(HistorySession.init)
      historyOmitted = rows.count - listed.count
      mergeHistory()
      let kept = Set(history.map(\.sessionID)).union(replayed)
      summaries = summaries.filter { kept.contains($0.key) }
      isHistoryLoaded = true
      historyProblem = nil
    } catch {
      historyProblem = error.description
    }
  }

  /// Takes the answer to `RequestTarget.voiceBounds`.
  ///
  /// - Parameter nowMs: on the backend's clock.
  package func applyBounds(_ json: UnsafeRawBufferPointer, nowMs: Int64) {
    unfinished.takeBounds(Action.list(json), nowMs: nowMs)
    mergeHistory()
  }

  /// Takes the answer to `RequestTarget.voiceSightings`.
  ///
  /// - Parameter nowMs: on the backend's clock.
  package func applySightings(_ json: UnsafeRawBufferPointer, nowMs: Int64) {
    unfinished.takeSightings(Action.list(json), nowMs: nowMs)
    mergeHistory()
  }

  /// The last known event of a past session, in ms since 1970; nil if there is none.
  package func lastEventMs(of id: String) -> Int64? {
    _ = eventRevision
    return [
      summaries[id]?.lastEventMs, log.records[id]?.span?.upperBound,
      unfinished.sighting(of: id)?.lastMs,
    ].compactMap(\.self).max()
  }

  /// The first known event of a past session, in ms since 1970; nil if there is none.
  package func firstEventMs(of id: String) -> Int64? {
    _ = eventRevision
    return [
      summaries[id]?.firstEventMs, log.records[id]?.span?.lowerBound,
      unfinished.sighting(of: id)?.firstMs,
    ].compactMap(\.self).min()
  }

  /// What is known of how a session was cut off: its first and last event, and its start.
  package func cutOffEvidence(of id: String) -> CutOffEvidence {
    CutOffEvidence(
      hasStart: history.first { $0.sessionID == id }?.startedAt != nil,
      firstMs: firstEventMs(of: id), lastMs: lastEventMs(of: id),
      // A replay begins with the first event on record.
      isFirstOnRecord: summaries[id].map { $0.problem == nil && $0.rows > 0 } ?? false,
      mayHaveLater: mayHaveLater(id))
  }

  /// The voice channel of a past session; nil if no row names it.
  package func channelID(of id: String) -> String? {
    _ = eventRevision
    return log.records[id]?.voiceChannelID ?? summaries[id]?.voiceChannelID
      ?? unfinished.channels[id]
  }

  /// Whether a later event than that may be missing here.
  package func mayHaveLater(_ id: String) -> Bool {
    let record = log.records[id]
    if let fetched = record?.fetched, fetched.isCapped, let last = fetched.lastMs {
      return (record?.span?.upperBound ?? last) <= last
    }
    return summaries[id]?.isCapped ?? (record == nil)
  }

  /// Puts the sessions without an end among those that the backend lists.
  private func mergeHistory() {
    // Before the first voice state the live sessions are unknown.
    var gone: [HistorySession] = []
    if state != nil {
      gone = unfinished.sessions(in: log.records, listed: Set(listed.lazy.map(\.sessionID)))
    }
    // The fetched events of a session may begin with its start.
    for index in gone.indices where gone[index].startedAt == nil {
      gone[index].startedAt = summaries[gone[index].sessionID]?.startedAtMs.map(
        WireTime.init(milliseconds:))
    }
    let ids = Set(gone.map(\.sessionID))
    func end(_ session: HistorySession) -> Int64 {
      (ids.contains(session.sessionID) ? lastEventMs(of: session.sessionID) : nil)
        ?? (session.endedAt ?? session.startedAt)?.milliseconds ?? .min
    }
    var merged = listed
    for session in gone.sorted(by: { (end($0), $0.sessionID) > (end($1), $1.sessionID) }) {
      let place = merged.firstIndex { end($0) < end(session) } ?? merged.endIndex
      merged.insert(session, at: place)
    }
    if merged != history { history = merged }
    if ids != cutOff { cutOff = ids }
  }

  func noteHistory(problem: String) { historyProblem = problem }
  func noteEarlier(problem: String, of id: String) { earlierProblems[id] = problem }
  func note(_ summary: SessionSummary) {
    summaries[summary.sessionID] = summary
    if cutOff.contains(summary.sessionID) { mergeHistory() }
  }
  func keepReplay(of id: String) { replayed.insert(id) }
}
