import CockpitText
import CockpitStores
import TerminalCore

extension ViewContext {
  /// The one-line summary of a row.
  func summary(of parsed: ActionCache.Parsed, tellsTrigger: Bool = false) -> ActionSummary {
    ActionSummary(
      of: parsed.action, metadata: parsed.metadata, names: names, tellsTrigger: tellsTrigger)
  }
}
