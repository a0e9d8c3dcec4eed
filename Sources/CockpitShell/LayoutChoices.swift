import CockpitPanes
import CockpitStores
import CockpitText

/// The user's initial layout (`[layout]` of the configuration).
package struct LayoutChoices: Hashable, Sendable {
  /// The time format of PULSE.
  package var time: ClockFormat.Style?
  /// Whether long text is wrapped in details.
  package var wraps: Bool?
  /// Whether the last row shows key hints when it is otherwise empty.
  package var hasHints = true
  /// Whether wide screens have PULSE's side column.
  package var hasSidebar = true

  /// How much PULSE's feed shows.
  package var level = FeedLevel.normal

  package init() {}
}

extension CockpitShell {
  /// Applies the user's initial layout.
  package mutating func adopt(_ choices: LayoutChoices) {
    layout = choices
    if let time = choices.time { pulse.timeStyle = time }
    if let wraps = choices.wraps {
      pulse.detail.isWrapping = wraps
      brain.detail.isWrapping = wraps
    }
    hasHints = choices.hasHints
    pulse.hasSidebar = choices.hasSidebar
    pulse.level = choices.level
  }
}
