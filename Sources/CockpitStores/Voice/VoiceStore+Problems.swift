extension VoiceStore {
  /// Takes why the list of past sessions could not be had; what came before stays.
  package func historyFailed(_ reason: String) { noteHistory(problem: reason) }

  /// Takes why the events of a past session could not be had.
  package func replayFailed(_ reason: String, of sessionID: String) {
    var replay = Replay(sessionID: sessionID)
    replay.problem = reason
    note(replay)
  }
}
