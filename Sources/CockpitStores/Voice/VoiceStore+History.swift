internal import ClankyWire

extension VoiceStore {
  /// Takes the body of `/api/voice/history/sessions/:id/events` and keeps the events: the session
  /// can be opened.
  package func applyReplay(_ json: UnsafeRawBufferPointer, of sessionID: String) {
    guard var summary = Self.counted(json, of: sessionID, note: note) else { return }
    summary.note(log.replay(json, of: sessionID))
    if let record = log.records[sessionID] { summary.summarise(record) }
    keepReplay(of: sessionID)
    note(summary)
    noticeEvents()
  }

  /// Takes the same body for what follows from it alone: the events are let go again.
  package func applySummary(_ json: UnsafeRawBufferPointer, of sessionID: String) {
    guard var summary = Self.counted(json, of: sessionID, note: note) else { return }
    let log = VoiceEventLog()
    summary.note(log.replay(json, of: sessionID))
    if let record = log.records[sessionID] { summary.summarise(record) }
    note(summary)
  }

  /// Whether the backend's limit was reached; nil when the body is no list, which is noted.
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

  /// Whether the events of a past session are on record, as far as the backend gives them.
  package func hasReplay(_ id: String) -> Bool { replayed.contains(id) && record(id) != nil }

  /// Takes why the list of past sessions could not be had; what came before stays.
  package func historyFailed(_ reason: String) { noteHistory(problem: reason) }

  /// Takes why the events of a past session could not be had; what was known of it stays.
  package func replayFailed(_ reason: String, of sessionID: String) {
    var summary = SessionSummary(sessionID: sessionID)
    summary.problem = reason
    note(summary)
  }
}

extension UInt8 {
  /// White space of JSON (RFC 8259, section 2).
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0A).contains(self) || self == 0x0D }
}
