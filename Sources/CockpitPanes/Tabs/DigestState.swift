import CockpitAnswers
import TerminalCore

/// The digest that was asked for, and how far it is.
package struct DigestState: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    /// What is being done, such as `asking the bot`.
    case loading(PlainText)
    case ready(Digest)
    case failed(PlainText)
  }

  package var phase: Phase
  /// The beginning of its time, in ms since 1970.
  package var fromMs: Int64

  package init(_ phase: Phase, fromMs: Int64) {
    self.phase = phase
    self.fromMs = fromMs
  }

  /// nil while it is made.
  package var digest: Digest? { if case .ready(let digest) = phase { digest } else { nil } }
}

/// What the screen asks of the digest.
package enum DigestRequest: Hashable, Sendable {
  /// Make one; without a time (ms since 1970) since the user last looked.
  case load(fromMs: Int64?)
  /// Nobody looks at it any more.
  case stop
}
