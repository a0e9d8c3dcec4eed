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
