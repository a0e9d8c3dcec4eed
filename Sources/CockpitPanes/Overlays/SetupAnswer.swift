import TerminalCore

/// How a request of the setup form went.
package enum SetupAnswer: Hashable, Sendable {
  /// The backend answered as it should; what there is to say about it.
  case works(PlainText)
  /// What happened, and what to do.
  case failed(PlainText, advice: PlainText)
  /// Everything is saved, and the cockpit is connected to it now; where each thing went.
  case saved(PlainText)
  /// Why it could not be saved, or not be used.
  case notSaved(PlainText)
}
