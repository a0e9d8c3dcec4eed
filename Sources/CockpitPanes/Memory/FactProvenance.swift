import ClankyWire
import CockpitStores
import TerminalCore

extension FactLines {
  /// Where the fact comes from and what used it, as far as the rows that are kept tell.
  var provenance: [MemoryLine] {
    [MemoryLine.heading(MemoryPane.provenanceHeading)]
  }
}
