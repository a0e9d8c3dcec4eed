import ClankyWire
import CockpitStores
import TerminalUI

extension FactView {
  /// The rows as a cursor list. It starts on the first fact that is not the owner's: those are
  /// masked, and a screen of dots is a poor start.
  ///
  /// - Parameter height: visible rows.
  func list(height: Int) -> CursorList<Int> {
    let rows = rows
    return CursorList(
      count: rows.count, height: height,
      rest: .line { rows.firstIndex { !$0.fact.isOwnerPrivate } ?? 0 }
    ) { rows[$0].id }
  }
}
