internal import ClankyWire

/// Searches the displayed text of rows: kind and event, content, names. Rows stay in place.
package struct LogFind {
  package enum Direction: Sendable { case older, newer }

  /// The result of a search step.
  package enum Outcome: Hashable, Sendable {
    case found(index: Int, row: RowID)
    /// The budget is used up: continue from here.
    case more(from: Int)
    case none
  }

  package let text: String
  private let needle: TextNeedle
  private let names: any NameDirectory

  /// Fails for an empty text.
  package init?(text: String, names: any NameDirectory = NoNames()) {
    guard !text.isEmpty else { return nil }
    self.text = text
    self.names = names
    needle = TextNeedle(text)
  }

  /// Whether a row shows the text.
  package func matches(_ row: ActionRowView) -> Bool {
    guard !row.isGap else { return false }
    let label = row.label
    if needle.isIn(label.kind) || label.event.map(needle.isIn) ?? false { return true }
    if needle.isInContent(of: row) { return true }
    for name in [
      row.userID.flatMap(names.userName), row.channelID.flatMap(names.channelName),
      row.guildID.flatMap(names.guildName),
    ] {
      if let name, needle.isIn(name) { return true }
    }
    return SpokenWords.hold(needle, in: row)
  }

  /// The next match from an index on, inclusive; 0 is the newest. Reads no more rows than the
  /// budget.
  package func next(
    in log: ActionLog, filtered: FilteredLog? = nil, from index: Int, direction: Direction,
    rowBudget: Int = 50_000
  ) -> Outcome {
    let count = filtered?.count ?? log.count
    var index = index
    var budget = rowBudget
    while index >= 0, index < count {
      if budget == 0 { return .more(from: index) }
      budget -= 1
      let id = filtered?.rowID(at: index) ?? log.rowID(at: index)
      if let row = log.row(id), matches(row) { return .found(index: index, row: id) }
      index += direction == .older ? 1 : -1
    }
    return .none
  }
}
