import CockpitStores
import TerminalCore

/// Levels of the feed, and what is folded into a line.
extension PulsePane {
  /// What the feed folds: nothing while a filter chooses the rows.
  package var folding: FeedFolding {
    guard !isFiltering, level != .everything else { return FeedFolding() }
    var folding = FeedFolding(level: level)
    folding.openTurns = openTurns
    folding.openRuns = openRuns
    folding.kept = cursor
    return folding
  }

  /// The same for one of several sources.
  package func folding(ofSource source: Int) -> FeedFolding {
    var folding = folding
    let row = cursor.flatMap(SourceRow.init)
    folding.kept = row?.source == source ? row?.row : nil
    return folding
  }

  @MainActor mutating func switchLevel(_ facts: ViewContext) {
    guard !isFiltering else {
      message =
        "a filter shows every row that it finds; " + facts.keys.text(.filterToggle)
        + " switches it off"
      return
    }
    show(level: level.next)
  }

  /// Shows the feed at a level; the selected row stays selected.
  package mutating func show(level: FeedLevel) {
    self.level = level
    openTurns = []
    openRuns = []
    wantsSight = cursor != nil
    message =
      switch level {
      case .story: "story: who said what and what came of it; the steps are folded"
      case .normal: "normal: the steps of each answer too; noise and repeats are folded"
      case .everything: "everything: every row"
      }
  }

  /// Folds or unfolds what the selected line stands for; false if it stands for nothing more.
  @MainActor @discardableResult
  mutating func setFold(isOpen: Bool, _ facts: ViewContext) -> Bool {
    guard focus == .feed, scrollColumns == 0, !facts.isMerged, facts.lines.isFolding,
      let row = selectedRow(facts)?.id
    else { return false }
    let mark = facts.outline.mark(of: row)
    if isOpen {
      guard mark.steps > 0 || mark.repeats > 1 else { return false }
      cursor = row
      unfold(row, facts)
    } else if let run = facts.outline.run(around: row), openRuns.contains(run) {
      openRuns.remove(run)
    } else {
      let keys = facts.outline.turnKeys(of: row)
      guard !openTurns.isDisjoint(with: keys) else { return false }
      openTurns.subtract(keys)
      cursor = facts.outline.head(ofTurnOf: row) ?? row
    }
    holdView(facts)
    wantsSight = true
    return true
  }

  /// Unfolds the turn and the run of a row.
  @MainActor mutating func unfold(_ row: RowID, _ facts: ViewContext) {
    // In the feed of several sources the selected row has a line of its own, and turns stay folded.
    guard facts.lines.isFolding, !facts.isMerged else { return }
    if let run = facts.outline.run(around: row) { openRuns.insert(run) }
    openTurns.formUnion(facts.outline.turnKeys(of: row))
  }

  /// Goes to the newest line of the next turn.
  @MainActor mutating func walkTurns(
    _ direction: LogFind.Direction, _ facts: ViewContext, page: Int
  ) -> [Effect] {
    guard !facts.isMerged else {
      message =
        "turns are of one source: " + facts.keys.text(.nextSource) + " shows one alone"
      return []
    }
    let lines = facts.lines
    let step = direction == .older ? 1 : -1
    var index = cursor == nil ? (direction == .older ? 0 : -1) : cursorIndex(facts) + step
    let own = cursor.flatMap { lines.mark(of: $0).bracket?.turn }
    while index >= 0, index < lines.count {
      let row = lines.rowID(at: index)
      if let turn = lines.mark(of: row).bracket, turn.turn != own, turn.newest == row {
        select(index: index, facts, page: page)
        return []
      }
      index += step
    }
    guard direction == .older else {
      message = "no newer turn"
      return []
    }
    return older(facts, "no older turn")
  }
}
