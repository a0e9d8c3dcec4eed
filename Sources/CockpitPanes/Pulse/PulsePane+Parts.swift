import CockpitDomain
import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// Creates the parts of PULSE from the pane's state and the view context.
extension FilterBar {
  /// Shared, as in `FeedRow.Style`.
  @MainActor init(_ pane: __shared PulsePane, _ facts: __shared ViewContext) {
    bar = pane.bar
    field = pane.bar == .find ? pane.findField : pane.filterField
    filter = pane.query.text
    isFilterOff = pane.isFilterOff
    isFiltering = pane.isFiltering
    findText = pane.findText
    isOnlyMatches = pane.isOnlyMatches
    let log = facts.activity.log
    let all = isFiltering && facts.isMerged ? facts.sources?.shownRows : nil
    shown = all?.shown ?? (isFiltering ? facts.feed.presentCount : 0)
    count = all?.of ?? (isFiltering ? facts.feed.choiceCount(in: log) : 0)
    former = isFiltering && all == nil ? facts.feed.formerCount : 0
    context = isFiltering ? facts.feed.contextCount : 0
    level = isFiltering || !facts.lines.isFolding ? nil : pane.level
    folded =
      level == nil
      ? 0
      : facts.isMerged
        ? facts.sources?.members.reduce(0) { $0 + $1.facts.outline.foldedCount } ?? 0
        : facts.outline.foldedCount
    isPaused = pane.isPaused
    isFollowing = pane.isFollowing
    isPast = facts.dataEndMs(.activity) != nil
    new = pane.newCount(facts)
    keys = facts.keys
    beginning =
      pane.isFiltering && !facts.isMerged
      ? facts.partialBegin(pane.feedQuery).map(facts.beginning) : nil
    fetching = facts.fetching
  }
}

extension FilterChips {
  @MainActor init(_ pane: __shared PulsePane, _ facts: __shared ViewContext) {
    isFocused = pane.focus == .chips && pane.bar == nil
    cursor = pane.chipCursor
    isOn = Self.groups.map { $0 == .all ? pane.chips.isEmpty : pane.chips.contains($0) }
    counts = facts.windowCounts
    // A count is of one source, and the rows are of several.
    isKnown = facts.hasActivity && !facts.isMerged
    minuteMs = facts.minuteMs
  }
}

extension FeedRow.Style {
  /// Shared, since passing `ViewContext` to initialisers retains and releases two dozen references
  /// each time.
  ///
  /// - Parameters:
  ///   - height: number of visible rows.
  ///   - oldestMs: the time of the last of them: dates take room only if needed.
  @MainActor init(
    _ pane: __shared PulsePane, _ facts: __shared ViewContext, width: Int, height: Int,
    oldestMs: Int64?
  ) {
    let hasDates = oldestMs.map { !ClockFormat.isNear($0, facts.minuteMs) } ?? false
    columns = FeedColumns(
      width: width, timeStyle: pane.timeStyle, hasDates: hasDates, tag: facts.isMerged ? 3 : 0,
      lanes: facts.outline.hasTurns && !facts.isMerged ? TurnGutter.lanes(width: width) : 0)
    tellsTriggers = facts.lines.isFolding
    timeStyle = pane.timeStyle
    clock = facts.clock
    nowMs = timeStyle == .age ? pane.pausedAtMs ?? facts.nowMs : 0
    minuteMs = facts.minuteMs
    scrollColumns = pane.scrollColumns
    needle = pane.findText.isEmpty ? nil : PlainText(pane.findText, limit: 200)
    // While more rows are new than there is room for, all that are shown would stand out.
    marksFresh = facts.freshRows() <= height
  }
}
