import CockpitHistory
import CockpitText
import TerminalCore

extension CockpitModel {
  /// How recording goes, where that is worth a place in the header.
  var recordingNote: PlainText? {
    guard let state = recorder?.state else { return nil }
    if state.lostRows > 0 {
      return "REC ! " + Figures.count(state.lostRows) + " lost"
    }
    switch state.activity {
    case .paused: return "REC ! paused"
    case .failed: return "REC ! off"
    case .starting, .recording, .other, .stopped: return nil
    }
  }
}
