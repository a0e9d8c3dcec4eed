import CockpitPanes
import CockpitStores

extension CockpitShell {
  /// The derived data that the screen shows.
  package var shown: ShownData {
    ShownData(
      scope: scope, feed: pulse.feedQuery, context: pulse.shownContext,
      folding: tab == .pulse ? pulse.folding : nil, facts: tab == .memory ? memory.query : nil,
      hasVoice: tab == .voice || tab == .brain || waitingWhy != nil || selection.isAwaited,
      hasCosts: tab == .cmd)
  }
}
