import CockpitPanes
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
}
