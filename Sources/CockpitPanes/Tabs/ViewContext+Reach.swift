import CockpitText
import CockpitStores
import TerminalCore

extension ViewContext {
  /// The start of complete rows of some kinds, for a panel that counts them: `since 10:46`. Empty
  /// if everything the backend keeps is stored, nil if unknown.
  ///
  /// - Parameter kinds: exact names; nil means all kinds.
  @MainActor func reach(of kinds: Set<String>? = nil) -> PlainText? {
    guard let begin = coverageBegin(kinds: kinds) else { return nil }
    return begin == LogCoverage.everything
      ? "" : "since " + clock.shortTime(ms: begin, now: minuteMs)
  }
}
