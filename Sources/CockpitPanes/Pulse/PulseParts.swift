import CockpitStores
import ClankyWire

/// Mouse targets of PULSE.
package enum PulseTarget: Hashable, Sendable {
  case chip(ChipGroup)
  /// A row of the feed, by its stable identity.
  case row(RowID)
  /// A line of the table, from 0.
  case tableLine(Int)
  /// A line of the detail, counted from the top of its content.
  case detailLine(Int)
  /// A whole panel: the wheel scrolls it, a click focuses it.
  case panel(PulsePanel)
}

/// The parts of PULSE that can have the focus.
package enum PulsePanel: Int, CaseIterable, Hashable, Sendable {
  case feed, detail, chips, rate
}

/// The kinds of input in PULSE.
package enum PulseInput: Hashable, Sendable {
  case filter, find
}
