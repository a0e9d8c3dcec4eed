import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension PulsePane {
  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    let layout = layout(in: body, of: screen)
    if focus == .chips, performInChips(command) { return [] }
    if focus == .detail, isDetailOpen {
      let lines = max(1, layout.detail.height - (layout.hasBoxes ? 2 : 1))
      if detail.perform(command, page: lines) { return [] }
    }
    let page = feedPage(body, screen)
    if focus == .feed || command != .open,
      let effects = performInTable(command, facts, page: tablePage(facts, body, screen))
    {
      return effects
    }
    switch command {
    case .open where focus == .rate: showRows("since:1h | count by minute", facts)
    case .down: return move(by: 1, facts, page: page)
    case .up: return move(by: -1, facts, page: page)
    case .halfPageDown: return move(by: page / 2, facts, page: page)
    case .halfPageUp: return move(by: -(page / 2), facts, page: page)
    case .pageDown: return move(by: page, facts, page: page)
    case .pageUp: return move(by: -page, facts, page: page)
    case .bottom:
      select(index: facts.lines.count - 1, facts, page: page)
      return older(facts)
    case .top, .follow: follow()
    case .pause: isPaused ? follow() : pause(facts)
    case .right where setFold(isOpen: true, facts): break
    case .left where setFold(isOpen: false, facts): break
    case .level: switchLevel(facts)
    case .nextTurn: return walkTurns(.older, facts, page: page)
    case .previousTurn: return walkTurns(.newer, facts, page: page)
    case .mark: awaitedLetter = .mark
    case .jumpToMark: awaitedLetter = .jump
    case .moreContext: changeContext(by: 1, facts)
    case .lessContext: changeContext(by: -1, facts)
    case .left, .scrollLeft: scrollColumns = max(0, scrollColumns - 10)
    case .right, .scrollRight: scrollColumns = min(2000, scrollColumns + 10)
    case .open: open(facts, page: page)
    case .filter:
      bar = .filter
      filterField = TextField(query.text, isSelected: true)
      historyIndex = nil
    case .filterToggle: isFilterOff.toggle()
    case .find:
      bar = .find
      findField = TextField(findText, isSelected: true)
    case .findNext: find(.older, facts, page: page)
    case .findPrevious: find(.newer, facts, page: page)
    case .onlyMatches:
      if findText.isEmpty {
        message =
          facts.keys.text(.onlyMatches) + " keeps the hits of a find: press "
          + facts.keys.text(.find) + " first"
      } else {
        isOnlyMatches.toggle()
      }
    case .timeFormat: timeStyle = timeStyle.next
    case .nextError: return jump(.older, "error", facts, page: page) { $0.isFailure }
    case .previousError: return jump(.newer, "error", facts, page: page) { $0.isFailure }
    // Gaps are those of our own time.
    case .nextGap: _ = jump(.older, "gap", facts, page: page) { $0.gap != nil }
    case .previousGap: _ = jump(.newer, "gap", facts, page: page) { $0.gap != nil }
    case .nextDay: return jumpDay(.older, facts, page: page)
    case .previousDay: return jumpDay(.newer, facts, page: page)
    case .rawJSON:
      if !isDetailOpen { open(facts, page: page) }
      detail.toggleRaw()
    case .detailPage:
      if isDetailOpen { detail.nextPage() } else { open(facts, page: page) }
    case .wrap: detail.isWrapping.toggle()
    case .zoom: isZoomed.toggle()
    case .nextPanel: step(by: 1, layout)
    case .previousPanel: step(by: -1, layout)
    case .back, .quit, .interrupt: return close() ? [] : nil
    default: return nil
    }
    return []
  }

  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    switch target {
    case .chip(let chip): toggle(chip)
    case .row(let row):
      focus = .feed
      if cursor == row, !isDetailOpen {
        // The second click does what Enter does.
        if !setFold(isOpen: true, facts) { isDetailOpen = true }
      } else if let index = facts.lines.index(of: row, in: facts.activity.log) {
        select(index: index, facts, page: feedPage(body, screen))
      }
    case .tableLine(let line):
      guard let table = shownTable(facts) else { return [] }
      // The second click opens.
      let isSelected = focus == .feed && self.table.line(in: table) == line
      focus = .feed
      if isSelected {
        openLine(line, of: table, facts)
      } else {
        self.table.select(line, in: table, height: tablePage(facts, body, screen))
      }
    case .detailLine(let line):
      focus = .detail
      detail.cursor.put(line: line)
      detail.wantsToggle = true
    case .panel(let panel): focus = panel
    }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    switch target {
    case .panel(.feed) where shownTable(facts) != nil:
      if let shown = shownTable(facts) {
        table.scroll(by: lines, in: shown, height: tablePage(facts, body, screen))
      }
    case .panel(.feed): scroll(by: lines, facts, page: feedPage(body, screen))
    case .panel(.detail): detail.scroll(by: lines)
    default: break
    }
  }

  /// Rows of the feed that are in sight.
  func feedPage(_ body: Rect, _ screen: Size) -> Int {
    let layout = layout(in: body, of: screen)
    return max(1, layout.feed.height - (layout.hasBoxes ? 2 : 0))
  }

  package var isDeep: Bool {
    var copy = self
    return copy.close()
  }

  /// Closes one level; false if nothing is open.
  private mutating func close() -> Bool {
    if panelFocus.unzoom() {
      return true
    } else if isDetailOpen {
      isDetailOpen = false
      if focus == .detail { focus = .feed }
    } else if focus != .feed {
      focus = .feed
    } else if goBack() {
      return true
    } else if isOnlyMatches || !findText.isEmpty {
      isOnlyMatches = false
      findText = ""
    } else if isFiltering || isFilterOff {
      query = .everything
      chips = []
      isFilterOff = false
    } else {
      return false
    }
    return true
  }

  private mutating func step(by step: Int, _ layout: Layout) {
    panelFocus.step(by: step, in: panels(in: layout))
  }

  // MARK: Moving

  /// Follows the newest row again.
  package mutating func follow() {
    cursor = nil
    wantsSight = false
    anchor = nil
    newSince = nil
    isPaused = false
    pausedAtMs = nil
  }

  @MainActor private mutating func pause(_ facts: ViewContext) {
    holdView(facts)
    isPaused = true
    pausedAtMs = facts.nowMs
  }

  /// Pins the view to the row at its top, so that arriving rows do not move it.
  @MainActor mutating func holdView(_ facts: ViewContext) {
    if newSince == nil { newSince = facts.activity.log.endRow }
    if anchor == nil, facts.lines.count > 0 { anchor = facts.lines.rowID(at: 0) }
  }

  @MainActor private mutating func move(by step: Int, _ facts: ViewContext, page: Int) -> [Effect] {
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

  @MainActor private mutating func open(_ facts: ViewContext, page: Int) {
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

  // MARK: Jumping

  @MainActor private mutating func jump(
    _ direction: LogFind.Direction, _ what: PlainText, _ facts: ViewContext, page: Int,
    where isHit: (ActionRowView) -> Bool
  ) -> [Effect] {
    let step = direction == .older ? 1 : -1
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

  @MainActor private mutating func jumpDay(
    _ direction: LogFind.Direction, _ facts: ViewContext, page: Int
  ) -> [Effect] {
    guard let selected = selectedRow(facts) else { return [] }
    let day = facts.clock.dayNumber(ms: selected.timeMs)
    return jump(direction, "day", facts, page: page) { facts.clock.dayNumber(ms: $0.timeMs) != day }
  }

  @MainActor private mutating func find(
    _ direction: LogFind.Direction, _ facts: ViewContext, page: Int
  ) {
    guard !findText.isEmpty else {
      message = "press " + facts.keys.text(.find) + " and type what to find"
      return
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

  // MARK: Chips

  private mutating func performInChips(_ command: KeyAction) -> Bool {
    let count = FilterChips.groups.count
    switch command {
    case .left: chipCursor = (chipCursor + count - 1) % count
    case .right: chipCursor = (chipCursor + 1) % count
    case .open: toggle(FilterChips.groups[chipCursor])
    case .down:
      focus = .feed
    default: return false
    }
    return true
  }

  /// Switches a chip; ALL switches every other one off.
  package mutating func toggle(_ chip: ChipGroup) {
    isFilterOff = false
    if chip == .all {
      chips = []
    } else if chips.remove(chip) == nil {
      chips.insert(chip)
    }
  }
}
