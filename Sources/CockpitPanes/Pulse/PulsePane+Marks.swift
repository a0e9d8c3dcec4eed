import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore

/// Marks, and jumps to a time.
extension PulsePane {
  /// A row to return to.
  package struct Mark: Hashable, Sendable {
    package var row: RowID
    /// ms since 1970; the row may be evicted.
    package var timeMs: Int64
    /// The kind or event of the row.
    package var title: String
  }

  /// What a letter is typed for.
  package enum LetterUse: Hashable, Sendable {
    case mark, jump

    /// The line of keys while the letter is awaited.
    func hint(_ marks: [Character: Mark]) -> PlainText {
      switch self {
      case .mark: return "a letter marks the row  Esc leaves"
      case .jump:
        let set = marks.keys.sorted().map(String.init).joined(separator: " ")
        return PlainText(set.isEmpty ? "no mark is set" : "marks: " + set)
          + "  \' goes back  Esc leaves"
      }
    }
  }

  /// Takes the letter of a mark.
  @MainActor mutating func take(
    _ press: KeyPress, for use: LetterUse, _ facts: ViewContext, page: Int
  ) -> [Effect] {
    guard case .char(let letter) = press.key, press.modifiers.isEmpty else { return [] }
    guard letter.isASCII, letter.isLetter else {
      if use == .jump, letter == "\'" {
        goBack(facts, page: page)
      } else {
        message = "a mark is a letter from a to z or from A to Z"
      }
      return []
    }
    switch use {
    case .mark:
      guard let mark = here(facts) else {
        message = "there is no row to mark"
        return []
      }
      marks[letter] = mark
      markOrder.removeAll { $0 == letter }
      markOrder.append(letter)
      message =
        "mark " + PlainText(String(letter)) + " is set; " + facts.keys.text(.jumpToMark)
        + PlainText(String(letter)) + " comes back"
    case .jump: jump(toMark: letter, facts, page: page)
    }
    return []
  }

  /// The times between marks, two by two as they were set last; the latest pair at the end. In ms since 1970.
  package var markedRanges: [Range<Int64>] {
    let times = markOrder.compactMap { marks[$0]?.timeMs }
    let paired = times.suffix(times.count >= 4 ? 4 : times.count >= 2 ? 2 : 0)
    return stride(from: paired.startIndex, to: paired.endIndex, by: 2).compactMap { place in
      let (one, other) = (paired[place], paired[place + 1])
      return one == other ? nil : min(one, other)..<max(one, other) + 1
    }
  }

  /// The selected row as a place to return to.
  @MainActor private func here(_ facts: ViewContext) -> Mark? {
    selectedRow(facts).map {
      Mark(row: facts.feedID($0.id), timeMs: $0.timeMs, title: $0.isGap ? "gap" : $0.label.title)
    }
  }

  @MainActor package mutating func go(
    toMark letter: Character, _ facts: ViewContext, body: Rect, screen: Size
  ) {
    jump(toMark: letter, facts, page: feedPage(body, screen))
  }

  @MainActor private mutating func jump(toMark letter: Character, _ facts: ViewContext, page: Int) {
    guard let mark = marks[letter] else {
      message =
        "mark " + PlainText(String(letter)) + " is not set; " + facts.keys.text(.mark)
        + PlainText(String(letter)) + " sets it"
      return
    }
    let start = here(facts)
    go(to: mark, facts, page: page)
    jumpedFrom = start
  }

  /// Goes to where the last jump began, and the next time back again.
  @MainActor private mutating func goBack(_ facts: ViewContext, page: Int) {
    guard let last = jumpedFrom else {
      message = "there was no jump to come back from"
      return
    }
    let start = here(facts)
    go(to: last, facts, page: page)
    jumpedFrom = start
  }

  @MainActor private mutating func go(to mark: Mark, _ facts: ViewContext, page: Int) {
    if let row = facts.feedRow(mark.row), !row.isIn(facts.facts(ofRow: mark.row).scope) {
      message = "that row is not of this guild; :guild off shows the rows of all"
      return
    }
    guard facts.feedRow(mark.row) != nil else {
      message = "that row is not retained any more; this is the nearest one"
      select(
        index: facts.lines.firstIndex(notNewerThan: mark.timeMs, in: facts.activity.log), facts,
        page: page)
      return
    }
    if isFiltering, !isInFeed(mark.row, facts) {
      isFilterOff = true
      message = "the filter hid this row and is off"
    }
    select(row: mark.row, facts, page: page)
  }

  /// Whether the filter shows a row of the feed.
  @MainActor private func isInFeed(_ id: RowID, _ facts: ViewContext) -> Bool {
    if let rows = facts.sources?.mergedRows { return rows.index(of: id) != nil }
    return facts.feed.index(of: id, in: facts.activity.log) != nil
  }

  /// Goes to the first row at or after a time in ms since 1970; older rows are fetched if it lies before
  /// them.
  @MainActor package mutating func go(
    toMs ms: Int64, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    let (lines, log) = (facts.lines, facts.activity.log)
    let page = feedPage(body, screen)
    guard feedQuery.pipeline == nil else {
      message = "this is for rows: the filter makes a table"
      return []
    }
    guard lines.count > 0 else { return older(facts) }
    let start = here(facts)
    let index = lines.firstIndex(notNewerThan: ms - 1, in: log) - 1
    guard index >= 0 else {
      follow()
      jumpedFrom = start
      message = "no row is that new; this is the newest"
      return []
    }
    select(index: index, facts, page: page)
    jumpedFrom = start
    guard index == lines.count - 1, let oldest = lines.row(at: index, in: log), oldest.timeMs > ms
    else {
      if let row = lines.row(at: index, in: log), row.timeMs >= ms + 60_000 {
        message = "the first row after it is of " + facts.beginning(row.timeMs)
      }
      return []
    }
    return older(facts, "no row of that time")
  }
}
