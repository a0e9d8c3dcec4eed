import CockpitStores
import CockpitText
import TerminalCore

extension Progress {
  /// How a requested operation stands, for the prompt that asked for it.
  ///
  /// - Parameter ended: the result in words.
  @MainActor func words(
    _ facts: ViewContext, ended: (Value) -> (PlainText, Role)
  ) -> (PlainText, Role) {
    switch self {
    case .none: ("Asking…", .info)
    case .underWay(let since):
      (
        "Under way for " + Figures.duration(ms: Double(max(0, facts.nowMs - since)))
          + "; it goes on when this is closed.", .info
      )
    case .failed(let failure, _): (PlainText(failure.sentence, limit: 400), .negative)
    case .ended(let value, _): ended(value)
    }
  }
}
