import CockpitAnswers
import TerminalCore

/// The comparison that was asked for, and how far it is.
package struct CompareState: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    /// What is being done, such as `asking the bot`.
    case loading(PlainText)
    case ready(ComparedSides)
    case failed(PlainText)
  }

  package var phase: Phase

  package init(_ phase: Phase) { self.phase = phase }

  package var comparison: Comparison? {
    if case .ready(let sides) = phase { sides.comparison } else { nil }
  }
}

/// What the screen asks of the comparison.
package enum CompareRequest: Hashable, Sendable {
  case load(CompareWindow, CompareWindow)
  /// The other side is the first one now.
  case swap
  /// Nobody looks at it any more.
  case stop
}
