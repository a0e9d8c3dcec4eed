import CockpitPanes
import TerminalCore

/// How a request of the setup form went.
package enum SetupAnswer: Hashable, Sendable {
  /// The backend answered as it should; what there is to say about it.
  case works(PlainText)
  /// What happened, and what to do.
  ///
  /// - Parameter isAboutToken: whether another token is what helps.
  case failed(PlainText, advice: PlainText, isAboutToken: Bool = false)
  /// Everything is saved, and the cockpit is connected to it now; where each thing went.
  case saved(PlainText)
  /// Why it could not be saved, or not be used.
  case notSaved(PlainText)
}
