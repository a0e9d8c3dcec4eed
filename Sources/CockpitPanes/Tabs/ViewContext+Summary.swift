import CockpitText
import CockpitStores
import TerminalCore

extension ViewContext {
  /// What a row says in one line.
  func summary(of parsed: ActionCache.Parsed) -> ActionSummary {
    ActionSummary(of: parsed.action, metadata: parsed.metadata, names: names)
  }
}
