/// The lines of the feed, newest first: the rows that pass the filter, or, without one, those of the level.
@MainActor
package struct FeedLines {
  private let feed: FilteredLog
  private let outline: FeedOutline
  /// The lines of several sources; nil for those of one.
  package let merged: MergedLines?
  /// Whether lines stand for folded rows.
  package let isFolding: Bool

  /// - Parameters:
  ///   - merged: instead of the other two.
  ///   - isFlat: every row that passes the filter, folded or not.
  package init(
    _ feed: FilteredLog, _ outline: FeedOutline, merged: MergedLines? = nil, isFlat: Bool = false
  ) {
    self.feed = feed
    self.outline = outline
    self.merged = merged
    isFolding = !isFlat && outline.isFolding
  }

  package var count: Int {
    if let merged { return merged.count }
    return isFolding ? outline.count : feed.count
  }

  package func rowID(at index: Int) -> RowID {
    if let merged { return merged.rowID(at: index) }
    return isFolding ? outline.rowID(at: index) : feed.rowID(at: index)
  }

  /// The row of a line; nil if it was evicted.
  package func row(at index: Int, in log: ActionLog) -> ActionRowView? {
    guard index >= 0, index < count else { return nil }
    let id = rowID(at: index)
    guard let merged else { return log.row(id) }
    return SourceRow(id).flatMap { merged.parts[$0.source].log.row($0.row) }
  }

  package func index(of row: RowID, in log: ActionLog) -> Int? {
    if let merged { return merged.index(of: row) }
    return isFolding ? outline.index(of: row) : feed.index(of: row, in: log)
  }

  /// Lines that arrived from a row on.
  package func count(from row: RowID, in log: ActionLog) -> Int {
    isFolding ? outline.count(from: row) : feed.count(from: row, in: log)
  }

  /// What some lines stand for, and their turns.
  package func marks(ofLines lines: Range<Int>) -> [FeedMark] {
    merged?.marks(ofLines: lines) ?? outline.marks(ofLines: lines, in: feed)
  }

  package func mark(of row: RowID) -> FeedMark {
    if let merged, let row = SourceRow(row) { return merged.mark(of: row) }
    return outline.mark(of: row, in: feed)
  }

  /// The line of a row; else the one that it is folded into, or its neighbour.
  package func nearestIndex(of id: RowID, in log: ActionLog) -> Int {
    if let merged { return merged.nearestIndex(of: id) }
    if let index = index(of: id, in: log) { return index }
    if isFolding, let index = outline.index(holding: id) { return index }
    guard count > 0 else { return 0 }
    guard let wanted = log.row(id) else { return count - 1 }
    return min(firstIndex(notNewerThan: wanted.timeMs, in: log), count - 1)
  }

  /// The first line that is not newer than a time in ms since 1970; `count` if all are.
  package func firstIndex(notNewerThan ms: Int64, in log: ActionLog) -> Int {
    if let merged { return merged.firstIndex(notNewerThan: ms) }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if let row = row(at: middle, in: log), row.timeMs > ms {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
