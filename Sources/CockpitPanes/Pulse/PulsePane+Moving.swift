import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension PulsePane {
  /// Follows the newest row again.
  package mutating func follow() {
    cursor = nil
    wantsSight = false
    anchor = nil
    newSince = nil
    newSinceOf = []
    isPaused = false
    pausedAtMs = nil
  }

  @MainActor mutating func pause(_ facts: ViewContext) {
    holdView(facts)
    isPaused = true
    pausedAtMs = facts.nowMs
  }

  /// Pins the view to the row at its top, so that arriving rows do not move it.
  @MainActor mutating func holdView(_ facts: ViewContext) {
    holdNew(facts)
    if anchor == nil, facts.lines.count > 0 { anchor = facts.lines.rowID(at: 0) }
  }

  @MainActor mutating func move(by step: Int, _ facts: ViewContext, page: Int) -> [Effect] {
    guard facts.lines.count > 0 else { return step > 0 ? older(facts) : [] }
    // The first step down from following selects the newest row itself.
    let isFirst = cursor == nil && step > 0 && !isDetailOpen
    let index = cursorIndex(facts) + (isFirst ? step - 1 : step)
    select(index: index, facts, page: page)
    return index >= facts.lines.count ? older(facts) : []
  }

  // MARK: Beyond the oldest row

  /// The user moved past the oldest row: fetches older ones, or says why that is impossible.
  ///
  /// - Parameters:
  ///   - what: what was not found, such as `no older day`; nil for plain rows.
  ///   - asks: the rows searched for, within the filter.
  @MainActor mutating func older(
    _ facts: ViewContext, _ what: PlainText? = nil, _ criteria: Query? = nil
  ) -> [Effect] {
    defer {
      // These facts are given for each source.
      if facts.isMerged, let words = message, let name = facts.sources?.current.name {
        message = PlainText(name, limit: 40) + ": " + words
      }
    }
    let query = criteria.map(feedQuery.and) ?? feedQuery
    guard let begin = facts.rowsBegin(query), begin != LogCoverage.everything else {
      message = what
      return []
    }
    // Rows outside the filter's time range are not needed.
    if let earliest = query.earliestMs(nowMs: facts.minuteMs), begin <= earliest {
      message = what
      return []
    }
    let start =
      (what.map { $0 + " here; rows begin " } ?? "rows here begin ") + facts.beginning(begin)
    guard let request = facts.olderRequest(for: query) else {
      message = start + "; " + facts.whyNoOlder(query)
      return []
    }
    guard facts.status.overall == .live || facts.status.overall == .polling else {
      message = start + "; older ones need the connection"
      return []
    }
    message = start + "; older ones are asked for"
    return [.history(request)]
  }

  /// Rows that the filter names by `since:` or `at:` and that are not here.
  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    guard isFiltering, let request = facts.missingRequest(for: feedQuery) else { return [] }
    return [.history(request)]
  }

  /// Selects a row by its display index and scrolls just far enough to show it.
  @MainActor mutating func select(index: Int, _ facts: ViewContext, page: Int) {
    let lines = facts.lines
    guard lines.count > 0 else { return }
    holdView(facts)
    let index = min(max(0, index), lines.count - 1)
    cursor = lines.rowID(at: index)
    wantsSight = false
    bringIntoSight(index, facts, page: page)
    detail.show(cursor)
  }

  /// Selects a row; one that is folded or hidden by the filter is unfolded, and seen from the next frame on.
  @MainActor mutating func select(row: RowID, _ facts: ViewContext, page: Int) {
    if let index = facts.lines.index(of: row, in: facts.activity.log) {
      select(index: index, facts, page: page)
      return
    }
    holdView(facts)
    unfold(row, facts)
    cursor = row
    wantsSight = true
    detail.show(cursor)
  }

  /// Scrolls just far enough to show a line.
  @MainActor private mutating func bringIntoSight(_ index: Int, _ facts: ViewContext, page: Int) {
    let lines = facts.lines
    let top = anchorIndex(facts)
    let wanted = index < top ? index : index >= top + page ? index - page + 1 : top
    anchor = lines.rowID(at: min(max(0, wanted), lines.count - 1))
  }

  /// Brings a row into sight that had no line when it was selected.
  @MainActor package mutating func prepare(_ facts: ViewContext, body: Rect, screen: Size) {
    guard wantsSight, let cursor, facts.lines.count > 0 else { return }
    wantsSight = false
    let index = facts.lines.nearestIndex(of: cursor, in: facts.activity.log)
    bringIntoSight(index, facts, page: feedPage(body, screen))
  }

  /// Scrolls the view without moving the selection, as the mouse wheel does.
  @MainActor package mutating func scroll(by lines: Int, _ facts: ViewContext, page: Int) {
    let shown = facts.lines
    guard shown.count > 0 else { return }
    let top = anchorIndex(facts)
    let wanted = min(max(0, top + lines), max(0, shown.count - page))
    if wanted == 0, !isPaused, cursor == nil {
      follow()
    } else {
      holdView(facts)
      anchor = shown.rowID(at: wanted)
    }
  }

  @MainActor mutating func open(_ facts: ViewContext, page: Int) {
    guard facts.lines.count > 0 else { return }
    if cursor == nil { select(index: cursorIndex(facts), facts, page: page) }
    if !isDetailOpen, setFold(isOpen: true, facts) { return }
    if isDetailOpen, focus == .feed {
      focus = .detail
    } else {
      isDetailOpen = true
      detail.show(cursor)
    }
  }
}
