/// A follower's position in the log: it sees each row once, and evictions, changed rows and a
/// replaced log.
///
/// A cursor holds the range of rows already read. New rows extend its end; a cursor that starts
/// with the newest rows is extended at its start with older ones. A row budget limits both:
/// `changes(in:budget:)` returns ranges, `next(in:)` and `nextOlder(in:)` single rows for followers
/// with another kind of budget.
package struct LogCursor: Hashable, Sendable {
  /// Which of the rows that are there at the first look are read.
  package enum Start: Hashable, Sendable {
    /// All of them, in the order of arrival.
    case oldest
    /// All of them, the newest first.
    case newest
    /// None of them.
    case end
  }

  private let start: Start
  /// Whether a replaced log is a new beginning; otherwise rows that were read stay read.
  private let startsOver: Bool
  /// The rows already read and still stored; nil before the first call.
  private var read: Range<RowID>?
  private var generation = 0
  private var updateCount = 0

  /// - Parameter startsOver: whether to read all rows again after the log was replaced.
  package init(_ start: Start = .oldest, startsOver: Bool = false) {
    self.start = start
    self.startsOver = startsOver
  }

  /// The row after the newest one that was read.
  package var end: RowID { read?.upperBound ?? 0 }

  /// Number of stored rows already read.
  package var count: Int { read?.count ?? 0 }

  /// Whether a retained row was read.
  package func hasRead(_ row: RowID) -> Bool { read?.contains(row) ?? false }

  /// Forgets the position: the next call starts over.
  package mutating func restart() { read = nil }

  /// The changes of the log since the last call, and the rows to read now, which count as read.
  ///
  /// - Parameter budget: maximum number of rows, new ones before older ones.
  package mutating func changes(in log: ActionLog, budget: Int = .max) -> LogChanges {
    var changes = LogChanges()
    guard let known = read, known.upperBound <= log.endRow,
      !startsOver || generation == log.generation
    else {
      changes.isRestart = true
      begin(log)
      return take(changes, log, budget)
    }
    changes.isOverrun = known.upperBound < log.firstRow
    changes.hasEvicted = known.lowerBound < log.firstRow
    if changes.hasEvicted {
      read = log.firstRow..<max(known.upperBound, log.firstRow)
    }
    if updateCount != log.updateCount {
      changes.updated = log.updates(since: updateCount)
      updateCount = log.updateCount
    }
    generation = log.generation
    return take(changes, log, budget)
  }

  /// The next row in order of arrival, which counts as read; nil if there is none.
  package mutating func next(in log: ActionLog) -> RowID? {
    guard let known = read, known.upperBound < log.endRow else { return nil }
    read = known.lowerBound..<known.upperBound + 1
    return known.upperBound
  }

  /// The next older row, which counts as read; nil if there is none.
  package mutating func nextOlder(in log: ActionLog) -> RowID? {
    guard let known = read, start != .end, known.lowerBound > log.firstRow else { return nil }
    read = known.lowerBound - 1..<known.upperBound
    return known.lowerBound - 1
  }

  /// Whether all stored rows in scope were read.
  package func isComplete(in log: ActionLog) -> Bool {
    guard let read else { return log.isEmpty }
    return (start == .end || read.lowerBound <= log.firstRow) && read.upperBound >= log.endRow
  }

  private mutating func begin(_ log: ActionLog) {
    let row = start == .oldest ? log.firstRow : log.endRow
    read = row..<row
    generation = log.generation
    updateCount = log.updateCount
  }

  private mutating func take(
    _ found: LogChanges, _ log: ActionLog, _ budget: Int
  ) -> LogChanges {
    var changes = found
    guard let known = read else { return changes }
    let newer = min(budget, log.endRow - known.upperBound)
    let older = start == .end ? 0 : min(budget - newer, max(0, known.lowerBound - log.firstRow))
    changes.newer = known.upperBound..<known.upperBound + newer
    changes.older = known.lowerBound - older..<known.lowerBound
    read = known.lowerBound - older..<known.upperBound + newer
    return changes
  }
}

/// The changes found by a `LogCursor`.
package struct LogChanges {
  /// Discard everything derived so far: this is the first call, or the log was replaced.
  package var isRestart = false
  /// Rows were evicted before they were read.
  package var isOverrun = false
  /// Rows that were read have been evicted.
  package var hasEvicted = false
  /// Rows whose id, position or bytes changed, read or not; nil if there are too many.
  package var updated: ArraySlice<RowID>? = []
  /// New rows to read, in order of arrival.
  package var newer: Range<RowID> = 0..<0
  /// Older rows to read, the newest at the end of the range.
  package var older: Range<RowID> = 0..<0
}
