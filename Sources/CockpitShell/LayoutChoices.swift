import CockpitPanes
import CockpitText

/// What the screen begins with, where the user has chosen (`[layout]` of the configuration).
package struct LayoutChoices: Hashable, Sendable {
  /// How PULSE writes times.
  package var time: ClockFormat.Style?
  /// Whether long text is wrapped in details.
  package var wraps: Bool?
  /// Whether the last row hints at keys while nothing else needs it.
  package var hasHints = true
  /// Whether wide screens have PULSE's side column.
  package var hasSidebar = true

  package init() {}
}

extension CockpitShell {
  /// Takes over what the user has chosen for the start.
  package mutating func adopt(_ choices: LayoutChoices) {
    layout = choices
    if let time = choices.time { pulse.timeStyle = time }
    if let wraps = choices.wraps {
      pulse.detail.isWrapping = wraps
      brain.detail.isWrapping = wraps
    }
    hasHints = choices.hasHints
    pulse.hasSidebar = choices.hasSidebar
  }
}
