import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension PulsePane {
  @MainActor mutating func jump(
    _ direction: LogFind.Direction, _ what: PlainText, _ facts: ViewContext, page: Int,
    where isHit: (ActionRowView) -> Bool
  ) -> [Effect] {
    let step = direction == .older ? 1 : -1
    if let rows = facts.sources?.mergedRows {
      let from = cursor.map { rows.nearestIndex(of: $0) + step } ?? (step > 0 ? 0 : -1)
      let found = rows.first(from: from, step: step) { row in
        facts.feedRow(row.id).map(isHit) ?? false
      }
      guard let found else {
        message = (step > 0 ? "no older " : "no newer ") + what + " of any source here"
        return []
      }
      select(row: found.id, facts, page: page)
      if let row = facts.feedRow(found.id) { noteFormer(row) }
      return []
    }
    var index = rowIndex(facts).map { $0 + step } ?? (direction == .older ? 0 : -1)
    while index >= 0, index < facts.feed.count {
      if let row = facts.feed.row(at: index, in: facts.activity.log), isHit(row) {
        select(row: row.id, facts, page: page)
        noteFormer(row)
        return []
      }
      index += step
    }
    guard direction == .older else {
      message = "no newer " + what
      return []
    }
    guard what != "gap" else {
      message = "no older gap"
      return []
    }
    return older(
      facts, "no older " + what, what == "error" ? Query(chip: .error) : nil)
  }

  /// The place of the selected row among all rows of the feed, folded ones too; nil if none is selected.
  @MainActor private func rowIndex(_ facts: ViewContext) -> Int? {
    guard cursor != nil, let row = selectedRow(facts)?.id else { return nil }
    return facts.feed.index(of: row, in: facts.activity.log)
      ?? facts.feed.nearestIndex(to: row, in: facts.activity.log)
  }

  /// Tells the user if a jump or search has reached a row of a replaced log.
  private mutating func noteFormer(_ row: ActionRowView) {
    if row.isOfFormerLog { message = "this row is of the old log, which the backend has replaced" }
  }

  @MainActor mutating func jumpDay(
    _ direction: LogFind.Direction, _ facts: ViewContext, page: Int
  ) -> [Effect] {
    let place = cursorIndex(facts)
    guard
      let selected = facts.isMerged
        ? facts.lines.row(at: place, in: facts.activity.log) : selectedRow(facts)
    else { return [] }
    let day = facts.clock.dayNumber(ms: selected.timeMs)
    return jump(direction, "day", facts, page: page) { facts.clock.dayNumber(ms: $0.timeMs) != day }
  }

  /// The next hit among the rows of all sources.
  @MainActor private mutating func find(
    _ direction: LogFind.Direction, in rows: MergedLines, _ facts: ViewContext, page: Int
  ) {
    let members = facts.sources?.members ?? []
    let searches = members.map { LogFind(text: findText, names: $0.facts.names.directory) }
    let step = direction == .older ? 1 : -1
    let from = cursor.map { rows.nearestIndex(of: $0) + step } ?? (step > 0 ? 0 : -1)
    let found = rows.first(from: from, step: step) { row in
      guard let view = facts.feedRow(row.id) else { return false }
      return searches[safe: row.source]??.matches(view) ?? false
    }
    guard let found else {
      message =
        (step > 0 ? "no older hit for \"" : "no newer hit for \"")
        + PlainText(findText, limit: 60) + "\" at any source here; prompts are not searched"
      return
    }
    select(row: found.id, facts, page: page)
    if let row = facts.feedRow(found.id) { noteFormer(row) }
  }

  @MainActor mutating func find(
    _ direction: LogFind.Direction, _ facts: ViewContext, page: Int
  ) {
    guard !findText.isEmpty else {
      message = "press " + facts.keys.text(.find) + " and type what to find"
      return
    }
    if let rows = facts.sources?.mergedRows {
      return find(direction, in: rows, facts, page: page)
    }
    guard let search = LogFind(text: findText, names: facts.names.directory) else { return }
    var from = rowIndex(facts).map { $0 + (direction == .older ? 1 : -1) } ?? 0
    guard from >= 0 else {
      message = "no newer hit"
      return
    }
    while true {
      switch search.next(
        in: facts.activity.log, filtered: facts.feed, from: from, direction: direction)
      {
      case .found(_, let found):
        select(row: found, facts, page: page)
        if let row = facts.activity.log.row(found) { noteFormer(row) }
        return
      case .more(let next): from = next
      case .none:
        // Rows that are not stored may match.
        let begin = direction == .older ? facts.partialBegin(feedQuery) : nil
        message =
          (direction == .older ? "no older hit for \"" : "no newer hit for \"")
          + PlainText(findText, limit: 60) + "\""
          + (begin.map { "; rows here begin " + facts.beginning($0) } ?? "")
          + "; prompts are not searched"
        return
      }
    }
  }
}
