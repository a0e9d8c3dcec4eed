import CockpitPanes
import CockpitStores
import TerminalCore

extension CockpitShell {
  /// Stands for another source now: the open tab and what was typed go along, what stands on rows does not.
  package mutating func takeOver(from other: CockpitShell) {
    tab = other.tab
    size = other.size
    hasHints = other.hasHints
    lineHistory = other.lineHistory
    pulse.filterHistory = other.pulse.filterHistory
    pending = []
    note(nil)
  }

  /// Puts another PULSE in its place.
  ///
  /// - Returns: the one that was there.
  package mutating func exchange(pulse new: PulsePane) -> PulsePane {
    defer { pulse = new }
    return pulse
  }

  /// The row under the cursor of PULSE is the choice that the other tabs stand on.
  package mutating func chooseRow() {
    selection = Selection()
    selection.moved = pulse.cursor == nil ? nil : .pulse
  }

  /// Follows the newest row of PULSE again.
  package mutating func followFeed() { pulse.follow() }

  /// Shows the rows that a filter finds.
  @MainActor package mutating func showRows(_ query: String, _ facts: ViewContext) {
    _ = followed([.rows(query)], withKeys(facts))
  }

  /// What is wrong with the bot that is worst off, after its name; nil where no bot is sick.
  @MainActor func alertOfAll(_ facts: ViewContext) -> Alert? {
    facts.sources?.bySickness.first?.alert(columns: alertColumns, rows: alertLimit).map {
      Alert(lines: $0.lines, role: $0.role)
    }
  }

  /// Lists what is wrong with the source that is shown.
  package mutating func openTriage() { layers.push(TriageList()) }

  /// Whether all sources are listed.
  package var isFleetOpen: Bool { layers.first(FleetList.self) != nil }

  /// The same as `shown` for one of several sources whose feeds are shown as one.
  package func shown(ofSource source: Int) -> ShownData {
    var shown = shown
    shown.folding = tab == .pulse ? pulse.folding(ofSource: source) : nil
    return shown
  }
}
