import TerminalCore

/// The result of a request of the setup form.
package enum SetupAnswer: Hashable, Sendable {
  /// The backend answered as expected, with a note.
  case works(PlainText)
  /// What happened, and what to do.
  ///
  /// - Parameter isAboutToken: whether a different token may help.
  case failed(PlainText, advice: PlainText, isAboutToken: Bool = false)
  /// Everything is saved, and the cockpit is connected to it now; where each thing went.
  case saved(PlainText)
  /// Why it could not be saved, or not be used.
  case notSaved(PlainText)
}
