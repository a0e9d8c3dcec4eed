import CockpitPanes
import CockpitStores
import TerminalCore

extension RowsBehind {
  /// What a click on the figure does: shows its rows, and says what they do not.
  @MainActor func effects(_ facts: ViewContext) -> [Effect] {
    switch source {
    case .query(let query): [.rows(query)] + said
    case .none: said
    case .rows(let rows, let things):
      switch facts.activity.log.query(for: rows.compactMap(\.self), nowMs: facts.nowMs) {
      case nil: [.say("none of these " + things + " has its row here")]
      case (let query, let count)?: [.rows(query)] + remark(count, of: rows, things)
      }
    }
  }

  private var said: [Effect] { remark.map { [.say($0)] } ?? [] }

  /// Says where the rows are not exactly those that are counted.
  private func remark(_ count: Int, of rows: [RowID?], _ things: PlainText) -> [Effect] {
    let here = Set(rows.compactMap(\.self)).count
    if count > here {
      return [.say(PlainText("\(count - here) more rows are of the same kind and millisecond"))]
    }
    guard count < rows.count else { return said }
    return [
      .say(PlainText("\(count) of \(rows.count) ") + things + " have a row of their own here")
    ]
  }
}
