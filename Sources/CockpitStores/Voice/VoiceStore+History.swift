package import Networking
package import ClankyWire

extension VoiceStore {
  /// Takes the body of `/api/voice/history/sessions/:id/events` and keeps the events: the session
  /// can be opened.
  package func applyReplay(_ json: UnsafeRawBufferPointer, of sessionID: String) {
    guard var summary = Self.counted(json, of: sessionID, note: note) else { return }
    let replay = log.replay(json, of: sessionID)
    summary.note(replay)
    if let record = log.records[sessionID] {
      record.fetched = FetchedEvents(isCapped: summary.isCapped, lastMs: replay.lastMs)
      summary.summarise(record)
    }
    keepReplay(of: sessionID)
    note(summary)
    eventsChanged()
  }

  /// Applies the same body to a live session: its events before the stored rows.
  ///
  /// - Returns: whether it could be read.
  @discardableResult
  package func applyEarlier(_ json: UnsafeRawBufferPointer, of sessionID: String) -> Bool {
    var problem: String?
    guard let counted = Self.counted(json, of: sessionID, note: { problem = $0.problem }) else {
      earlierFailed(problem ?? "the events cannot be read", of: sessionID)
      return false
    }
    let replay = log.replay(json, of: sessionID)
    log.records[sessionID]?.fetched = FetchedEvents(
      isCapped: counted.isCapped, lastMs: replay.lastMs)
    eventsChanged()
    return true
  }

  /// The request for a session's events after the first `SessionSummary.cap`, where a replay ends:
  /// they are among the newest rows of these kinds (contract 7.1). nil if none are missing.
  package func restTarget(of sessionID: String, nowMs: Int64) -> RequestTarget? {
    guard let record = log.records[sessionID], let fetched = record.fetched, fetched.isCapped,
      fetched.restFromMs == nil, let last = fetched.lastMs
    else { return nil }
    let hours = Double(max(0, nowMs - last) + 60_000) / 3_600_000
    return .actions(
      limit: ActionsRoute.rowLimit, sinceHours: hours, kinds: Self.restKinds, guild: record.guildID)
  }

  /// The kinds of a replay, except the session start, which is already there.
  private static let restKinds = [
    "voice_runtime", "voice_turn_in", "voice_turn_out", "voice_error", "voice_session_end",
  ]

  /// Takes the answer to that.
  package func applyRest(_ json: UnsafeRawBufferPointer, of sessionID: String) {
    guard let record = log.records[sessionID], var fetched = record.fetched else { return }
    let rest = log.replay(json, of: sessionID)
    guard rest.isComplete else { return }
    // A full answer has the newest rows: its oldest millisecond may lack some.
    fetched.restFromMs =
      rest.rows < ActionsRoute.rowLimit ? fetched.lastMs : rest.oldestRowMs.map { $0 + 1 }
    if let begin = fetched.restFromMs, let last = fetched.lastMs, begin <= last {
      fetched.isCapped = false
    }
    record.fetched = fetched
    if var summary = summaries[sessionID] {
      summary.unreadable += rest.unreadable
      summary.rows = record.events.count + summary.unreadable
      summary.isCapped = fetched.isCapped
      summary.summarise(record)
      note(summary)
    }
    eventsChanged()
  }

  /// Applies the same body for its summary only; the events are dropped.
  package func applySummary(_ json: UnsafeRawBufferPointer, of sessionID: String) {
    guard var summary = Self.counted(json, of: sessionID, note: note) else { return }
    let log = VoiceEventLog()
    summary.note(log.replay(json, of: sessionID))
    if let record = log.records[sessionID] {
      summary.summarise(record, seen: self.log.records[sessionID])
      self.log.learnNames(from: log)
    }
    note(summary)
  }

  /// The sessions without an end in the answers to `RequestTarget.voiceBounds` and `voiceSightings`, newest
  /// first, each with what is known of its end.
  ///
  /// - Parameters:
  ///   - known: sessions that are live, or ended according to another answer.
  ///   - nowMs: on the backend's clock, at the request: sessions that just started are left out.
  package static func unfinished(
    bounds: UnsafeRawBufferPointer, sightings: UnsafeRawBufferPointer?, besides known: Set<String>,
    nowMs: Int64
  ) -> [(session: HistorySession, evidence: CutOffEvidence)] {
    var sessions = CutOffSessions()
    sessions.takeBounds(Action.list(bounds), nowMs: nowMs)
    if let sightings { sessions.takeSightings(Action.list(sightings), nowMs: nowMs) }
    return sessions.sessions(in: [:], listed: known).map { session in
      let seen = sessions.sighting(of: session.sessionID)
      return (
        session,
        CutOffEvidence(
          hasStart: session.startedAt != nil, firstMs: seen?.firstMs, lastMs: seen?.lastMs,
          isFirstOnRecord: false, mayHaveLater: true)
      )
    }.sorted { lhs, rhs in
      func key(_ pair: (session: HistorySession, evidence: CutOffEvidence)) -> (Int64, String) {
        (
          pair.evidence.lastMs ?? pair.session.startedAt?.milliseconds ?? 0,
          pair.session.sessionID
        )
      }
      return key(lhs) > key(rhs)
    }
  }

  /// Whether the backend's limit was reached; nil if the body is no list, which is reported.
  private static func counted(
    _ json: UnsafeRawBufferPointer, of sessionID: String, note: (SessionSummary) -> Void
  ) -> SessionSummary? {
    var summary = SessionSummary(sessionID: sessionID)
    let isList = json.first { !$0.isSpace } == UInt8(ascii: "[")
    let outcome = ActionRows.split(json) { _ in }
    guard isList, outcome.isComplete else {
      summary.problem = "the backend's answer is not a list of events"
      note(summary)
      return nil
    }
    summary.isCapped = outcome.rows + outcome.badRows >= SessionSummary.cap
    return summary
  }

  /// Whether the events of a past session are recorded, as far as the backend has them.
  package func hasReplay(_ id: String) -> Bool { replayed.contains(id) && record(id) != nil }

  /// Records why the earlier events of a live session could not be fetched.
  package func earlierFailed(_ reason: String, of sessionID: String) {
    noteEarlier(problem: reason, of: sessionID)
  }

  /// Records why the list of past sessions could not be fetched; the previous list stays.
  package func historyFailed(_ reason: String) { noteHistory(problem: reason) }

  /// Records why the events of a past session could not be fetched; known events stay.
  package func replayFailed(_ reason: String, of sessionID: String) {
    var summary = SessionSummary(sessionID: sessionID)
    summary.problem = reason
    note(summary)
  }
}

extension Action {
  /// The actions of a list. One bad row costs the row.
  static func list(_ json: UnsafeRawBufferPointer) -> [Action] {
    var actions: [Action] = []
    _ = ActionRows.split(json) { range in
      if let action = try? Action(json: UnsafeRawBufferPointer(rebasing: json[range])) {
        actions.append(action)
      }
    }
    return actions
  }
}

extension UInt8 {
  /// White space of JSON (RFC 8259, section 2).
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0A).contains(self) || self == 0x0D }
}
