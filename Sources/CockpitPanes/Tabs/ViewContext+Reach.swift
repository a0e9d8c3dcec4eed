import CockpitText
import CockpitStores
import TerminalCore

extension ViewContext {
  /// From when on a panel that counts rows of some kinds has all of them: `since 10:46`. Empty where
  /// that is all that the backend keeps, nil while nothing is known.
  ///
  /// - Parameter kinds: exact names; nil for all kinds.
  @MainActor func reach(of kinds: Set<String>? = nil) -> PlainText? {
    guard let begin = activity.coverage.beginMs(kinds: kinds) else { return nil }
    return begin == LogCoverage.everything
      ? "" : "since " + clock.shortTime(ms: begin, now: minuteMs)
  }
}
