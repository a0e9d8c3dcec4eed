import CockpitStores
import TerminalCore

extension PulsePane {
  /// Selects a row that another tab cites, and opens its detail. A filter that hides it is switched
  /// off, and `\` brings it back.
  @MainActor package mutating func reveal(_ own: RowID, _ facts: ViewContext) {
    let row = facts.feedID(own)
    guard let found = facts.activity.log.row(own) else {
      message = "the row is not retained any more"
      return
    }
    guard found.isIn(facts.scope) else {
      message = "that row is not of this guild; :guild off shows the rows of all"
      return
    }
    if feedQuery.pipeline != nil {
      isFilterOff = true
      message = "the filter makes a table and is off"
    } else if isFiltering, facts.feed.index(of: own, in: facts.activity.log) == nil {
      isFilterOff = true
      message = "the filter hid this row and is off"
    }
    isPaused = false
    pausedAtMs = nil
    holdNew(facts)
    unfold(row, facts)
    cursor = row
    anchor = row
    wantsSight = facts.lines.index(of: row, in: facts.activity.log) == nil
    focus = .feed
    isDetailOpen = true
    detail.show(row)
  }
}
