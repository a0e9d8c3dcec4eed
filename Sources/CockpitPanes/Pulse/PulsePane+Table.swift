import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The table that a filter with stages shows in the place of the feed.
extension PulsePane {
  /// The state to return to after viewing the rows behind a figure.
  package struct Before: Hashable, Sendable {
    var query: Query
    var chips: Set<ChipGroup>
    var isOnlyMatches: Bool
    var findText: String
    var table: TableCursor
  }

  /// Maximum number of views to go back through.
  private static let maximumBefore = 20

  /// The table on the screen; nil if the feed is shown.
  @MainActor func shownTable(_ facts: ViewContext) -> QueryTable? {
    feedQuery.pipeline == nil ? nil : facts.feed.table
  }

  /// Lines of the table that are in sight.
  @MainActor func tablePage(_ facts: ViewContext, _ body: Rect, _ screen: Size) -> Int {
    let layout = layout(in: body, of: screen)
    return TablePanel(pane: self, hasBox: layout.hasBoxes).height(facts, in: layout.feed)
  }

  /// Performs a command on the table; nil if it means the same as in the feed.
  @MainActor mutating func performInTable(
    _ command: KeyAction, _ facts: ViewContext, page: Int
  ) -> [Effect]? {
    guard feedQuery.pipeline != nil else { return nil }
    guard let table = facts.feed.table else { return command.isOfRows ? [] : nil }
    let line = self.table.line(in: table)
    switch command {
    case .down: self.table.select(line + 1, in: table, height: page)
    case .up: self.table.select(line - 1, in: table, height: page)
    case .halfPageDown: self.table.select(line + page / 2, in: table, height: page)
    case .halfPageUp: self.table.select(line - page / 2, in: table, height: page)
    case .pageDown: self.table.select(line + page, in: table, height: page)
    case .pageUp: self.table.select(line - page, in: table, height: page)
    case .top, .follow: self.table.select(0, in: table, height: page)
    case .bottom: self.table.select(table.lines.count - 1, in: table, height: page)
    case .open: openLine(line, of: table, facts)
    default:
      guard command.isOfRows else { return nil }
      message = "this is for rows: " + facts.keys.text(.open) + " opens those of the selected line"
    }
    return []
  }

  /// Shows the rows behind a line.
  @MainActor mutating func openLine(_ line: Int, of table: QueryTable, _ facts: ViewContext) {
    guard !facts.isMerged else {
      message =
        "the rows behind a line are of one source: " + facts.keys.text(.nextSource)
        + " shows it alone"
      return
    }
    guard table.lines.indices.contains(line) else {
      message = "there is no line to open"
      return
    }
    guard table.lines[line].rows > 0 else {
      message = "no row is behind this line"
      return
    }
    guard let text = table.query(behind: table.lines[line], of: feedQuery) else {
      message = "the value of this line cannot be written in a filter"
      return
    }
    showRows(text, facts)
  }

  /// Shows the rows that match a query, keeping the way back: the rows behind a figure.
  @MainActor package mutating func showRows(_ text: String, _ facts: ViewContext) {
    do throws(QueryError) {
      let wanted = try Query.parse(
        piped: text, in: facts.clock.queryZone, views: facts.setup.views)
      before.append(
        Before(
          query: query, chips: chips, isOnlyMatches: isOnlyMatches, findText: findText,
          table: table))
      if before.count > Self.maximumBefore { before.removeFirst() }
      query = wanted
    } catch {
      message = PlainText(error.description, limit: 300)
      return
    }
    chips = []
    isOnlyMatches = false
    findText = ""
    isFilterOff = false
    isDetailOpen = false
    table = TableCursor()
    focus = .feed
    follow()
    message = facts.keys.text(.back) + " goes back"
  }

  /// Returns from the rows behind a figure; false if there is nothing to return to.
  mutating func goBack() -> Bool {
    guard let last = before.popLast() else { return false }
    query = last.query
    chips = last.chips
    isOnlyMatches = last.isOnlyMatches
    findText = last.findText
    table = last.table
    isFilterOff = false
    follow()
    return true
  }
}

extension KeyAction {
  /// Whether it needs rows: a table has lines.
  fileprivate var isOfRows: Bool {
    switch self {
    case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .top, .bottom, .follow, .open,
      .pause, .level, .mark, .jumpToMark, .moreContext, .lessContext, .nextTurn, .previousTurn,
      .find,
      .findNext, .findPrevious, .onlyMatches, .nextError, .previousError, .nextGap,
      .previousGap, .nextDay, .previousDay, .rawJSON, .detailPage, .timeFormat, .wrap, .left,
      .right, .scrollLeft, .scrollRight:
      true
    default: false
    }
  }
}
