/// Where the story stands.
struct StoryCursors {
  /// Faults the story itself asks for (scenario `faults`).
  var requestedFaults: [DemoFault] = []
  /// The forced outcome of the next join request.
  var nextJoinReason: String?
  /// What goes wrong with the next save of settings.
  var nextSave: DemoFault.Save?
  var textCursor = 0
  var voiceCursor: [String: Int] = [:]
  var tourCursor = 0
  var tourRound = 0
  var faultCursor = 0
  var musicCursor = 0
  var watchCursor = 0
  var hostileCursor = 0
  var sessionCount = 0
  var episodeCursor = 0
  var floodDebt = 0.0
}
