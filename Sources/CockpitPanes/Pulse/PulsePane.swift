import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// PULSE: the live feed of everything the bot does.
///
/// Data is in the stores; the pane holds only the user's selection. Rows are identified by their
/// `RowID`, which stays the same when newer rows arrive, so the view never jumps while the user
/// reads.
package struct PulsePane: TabPane, Hashable {
  package typealias Target = PulseTarget
  package typealias Panel = PulsePanel
  package typealias Bar = PulseInput

  /// The selected row; nil selects the newest and follows it.
  package internal(set) var cursor: RowID?
  /// The row at the top of the view; nil shows the newest.
  package internal(set) var anchor: RowID?
  /// Everything that was there when the feed was paused, or when the view left the newest row;
  /// rows from here on are counted as new.
  package internal(set) var newSince: RowID?
  /// The same of each of several sources, while their feeds are one.
  package internal(set) var newSinceOf: [RowID] = []
  /// How much of the log the feed shows while no filter chooses the rows.
  package var level = FeedLevel.everything
  /// What the user has unfolded.
  package internal(set) var openTurns: Set<FeedTurnKey> = []
  package internal(set) var openRuns: Set<RowID> = []
  /// A row was selected that has no line yet: it is brought into sight before the next frame.
  package internal(set) var wantsSight = false
  /// Rows around hits of the filter, by the hit, and the filter that hides them.
  package internal(set) var context: [RowID: [RowID]] = [:]
  package internal(set) var contextQuery = Query.everything
  /// Rows with a letter, and when they were, in ms since 1970.
  package internal(set) var marks: [Character: Mark] = [:]
  /// Their letters, the last one that was set at the end.
  var markOrder: [Character] = []
  /// Where the last jump began.
  package internal(set) var jumpedFrom: Mark?
  /// What the next key is for: the letter of a mark.
  package internal(set) var awaitedLetter: LetterUse?
  package internal(set) var isPaused = false
  /// The time that ages are shown at while paused, in ms since 1970.
  package internal(set) var pausedAtMs: Int64?

  package var panelFocus = PanelFocus(Panel.feed)
  package internal(set) var isDetailOpen = false
  package var detail = DetailView()
  package internal(set) var chips: Set<ChipGroup> = []
  package internal(set) var chipCursor = 0

  package internal(set) var bar: Bar?
  package internal(set) var filterField = TextField()
  package internal(set) var findField = TextField()
  package internal(set) var completion = CompletionList()
  /// The active filter, and its text.
  package var query = Query.everything
  package internal(set) var isFilterOff = false
  package internal(set) var queryError: QueryError?
  /// The text that `n` and `N` look for; empty finds nothing.
  package internal(set) var findText = ""
  package internal(set) var isOnlyMatches = false
  /// One line about the last command, such as a search without a hit.
  package internal(set) var message: PlainText?

  package var timeStyle = ClockFormat.Style.clock
  /// Whether wide screens have the side column.
  package var hasSidebar = true
  package internal(set) var scrollColumns = 0
  package var filterHistory: [String] = []
  /// The selection in the table of a filter with stages.
  package internal(set) var table = TableCursor()
  /// The states to return to from the rows behind a figure, the latest last.
  package internal(set) var before: [Before] = []
  var historyIndex: Int?
  /// What Ctrl-R looks for among earlier filters.
  var historyNeedle: String?

  /// Whether the feed is that of several sources: charts and figures, which are of one, have no room then.
  package let isOfSeveral: Bool

  package init(isOfSeveral: Bool = false) { self.isOfSeveral = isOfSeveral }

  /// Takes over what another pane filters by and how it shows times; nothing that stands on rows.
  package mutating func adopt(filterOf other: PulsePane) {
    chips = other.chips
    query = other.query
    filterField = other.filterField
    isFilterOff = other.isFilterOff
    findField = other.findField
    findText = other.findText
    isOnlyMatches = other.isOnlyMatches
    timeStyle = other.timeStyle
    filterHistory = other.filterHistory
  }

  package var isTyping: Bool { bar != nil || awaitedLetter != nil }

  package var hints: [KeyAction] {
    if focus == .detail {
      return [.help, .open, .detailPage, .rawJSON, .nextPanel, .zoom, .quit, .find, .filter]
    }
    if isDetailOpen {
      return [
        .help, .detailPage, .rawJSON, .nextPanel, .quit, .find, .filter, .pause, .follow,
        .nextError, .zoom,
      ]
    }
    return [
      .help, .nextSource, .find, .filter, .pause, .open, .level, .follow, .nextError, .rawJSON,
      .nextPanel,
      .zoom,
      .quit,
    ]
  }

  /// The rows the feed shall show: filter, chips and, with `&`, the find text.
  package var feedQuery: Query {
    guard !isFilterOff else { return .everything }
    var result = query
    if !chips.isEmpty {
      let titles = chips.map { $0.title.lowercased() }.sorted().joined(separator: "|")
      if let chipQuery = try? Query.parse("chip:\(titles)") { result = result.and(chipQuery) }
    }
    if isOnlyMatches, !findText.isEmpty {
      let quoted = findText.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      if let textQuery = try? Query.parse("\"\(quoted)\"") { result = result.and(textQuery) }
    }
    return result
  }

  /// Whether anything hides rows.
  package var isFiltering: Bool {
    let query = feedQuery
    return !query.isEmpty || query.pipeline != nil
  }

  /// Whether the newest row is selected and shown.
  package var isFollowing: Bool { cursor == nil && anchor == nil && !isPaused }

  // MARK: Positions

  /// The display index of the selected row; the nearest one if it is gone.
  @MainActor func cursorIndex(_ facts: ViewContext) -> Int {
    guard let cursor else { return isPaused ? anchorIndex(facts) : 0 }
    return facts.lines.nearestIndex(of: cursor, in: facts.activity.log)
  }

  /// The display index of the top row.
  @MainActor func anchorIndex(_ facts: ViewContext) -> Int {
    guard let anchor else { return 0 }
    return facts.lines.nearestIndex(of: anchor, in: facts.activity.log)
  }

  /// Number of matching rows that arrived since the view stopped following.
  @MainActor func newCount(_ facts: ViewContext) -> Int {
    guard let newSince, !isFollowing else { return 0 }
    if let merged = facts.sources?.merged {
      return zip(merged.parts, newSinceOf).reduce(0) { sum, part in
        sum + part.0.lines.count(from: part.1, in: part.0.log)
      }
    }
    return facts.lines.count(from: newSince, in: facts.activity.log)
  }

  /// Whether a line has come since the view stopped following.
  @MainActor func isNew(_ id: RowID, _ facts: ViewContext) -> Bool {
    guard facts.isMerged else { return newSince.map { id >= $0 } ?? false }
    return SourceRow(id).map { row in newSinceOf[safe: row.source].map { row.row >= $0 } ?? false }
      ?? false
  }

  /// Everything that is there now; rows from here on are new.
  @MainActor mutating func holdNew(_ facts: ViewContext) {
    guard newSince == nil else { return }
    newSince = facts.activity.log.endRow
    newSinceOf = facts.sources?.merged?.parts.map(\.log.endRow) ?? []
  }

  /// The selected row, of the source that is shown; nil if a table has lines. In the feed of several sources the
  /// source of the selected row is the one that is shown, and without a selection its newest row stands for it.
  @MainActor package func selectedRow(_ facts: ViewContext) -> ActionRowView? {
    guard feedQuery.pipeline == nil else { return nil }
    if let sources = facts.sources, let merged = sources.merged {
      let own = merged.parts[sources.focused]
      guard let cursor else { return own.lines.row(at: 0, in: own.log) }
      guard SourceRow(cursor)?.source == sources.focused else { return nil }
      return facts.feedRow(cursor)
    }
    let index = cursorIndex(facts)
    // A row that has no line yet is selected all the same.
    if let cursor, wantsSight { return facts.activity.log.row(cursor) }
    return facts.lines.row(at: index, in: facts.activity.log)
  }
}
