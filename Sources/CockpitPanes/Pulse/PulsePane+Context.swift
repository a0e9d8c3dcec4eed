import CockpitStores
import TerminalCore

/// Rows around a hit of the filter that the filter hides.
extension PulsePane {
  /// Rows that one press adds on either side.
  private static let contextStep = 3
  private static let maxContext = 60

  /// The rows that are shown although the filter hides them.
  package var shownContext: Set<RowID> {
    guard !context.isEmpty, contextQuery == feedQuery else { return [] }
    return Set(context.values.joined())
  }

  /// Shows more or fewer rows around the selected hit.
  @MainActor mutating func changeContext(by step: Int, _ facts: ViewContext) {
    guard !facts.isMerged else {
      message =
        "the rows around a hit are of one source: " + facts.keys.text(.nextSource)
        + " shows one alone"
      return
    }
    guard isFiltering else {
      message = "there is no filter that hides rows"
      return
    }
    if contextQuery != feedQuery { (context, contextQuery) = ([:], feedQuery) }
    guard let selected = selectedRow(facts)?.id else { return }
    let hit = context.first { $0.value.contains(selected) }?.key ?? selected
    let log = facts.activity.log
    guard !facts.feed.isContext(hit), let place = log.index(of: hit) else { return }
    let shown = context[hit]?.count ?? 0
    guard step > 0 || shown > 0 else {
      message = "no rows around this hit are shown"
      return
    }
    if cursor == nil { cursor = selected }
    holdView(facts)
    // As many on either side as there are; those that the filter shows anyway are passed over.
    let wanted = min(Self.maxContext, max(0, (shown + 1) / 2 + step * Self.contextStep))
    let rows = around(place, wanted, facts)
    context[hit] = rows.isEmpty ? nil : rows
    if step > 0, rows.count == shown { message = "no more rows around this hit are hidden here" }
    wantsSight = true
    // A selected row of the context may be gone.
    if !rows.contains(selected), selected != hit { cursor = hit }
  }

  @MainActor private func around(_ place: Int, _ wanted: Int, _ facts: ViewContext) -> [RowID] {
    let log = facts.activity.log
    return [-1, 1].flatMap { direction -> [RowID] in
      var rows: [RowID] = []
      var index = place + direction
      // Not farther than a screen or two.
      while rows.count < wanted, index >= 0, index < log.count, abs(index - place) <= 200 {
        let row = log.rowID(at: index)
        if log.row(row)?.isIn(facts.scope) ?? false,
          facts.feed.index(of: row, in: log) == nil || facts.feed.isContext(row)
        {
          rows.append(row)
        }
        index += direction
      }
      return rows
    }
  }
}
