import CockpitStores
import TerminalUI

extension FactView {
  /// The rows as a cursor sees them. It begins on the first fact that is not the owner's: those are masked,
  /// and a screen of dots is no beginning.
  ///
  /// - Parameter height: rows in sight.
  func list(height: Int) -> CursorList<Int> {
    let rows = rows
    return CursorList(
      count: rows.count, height: height,
      rest: .line { rows.firstIndex { !$0.fact.isOwnerPrivate } ?? 0 }
    ) { rows[$0].id }
  }
}
