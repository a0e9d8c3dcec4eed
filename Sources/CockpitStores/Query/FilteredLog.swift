internal import ClankyWire

/// The rows of a log that match a query, in display order, updated incrementally.
///
/// New rows are tested once; older ones from the newest on, a limited number per step, so that a
/// new filter over a long log shows its newest rows at once and never delays a frame.
package struct FilteredLog {
  package private(set) var query: Query
  private var matcher: QueryMatcher?
  /// Matching rows, and those of the context.
  private var sorted = SortedRows()
  private var rows: [RowID] { sorted.rows }
  /// Rows that are shown although they do not match: the surroundings of hits.
  private var context: Set<RowID> = []
  /// Those of them that do not match and are retained.
  private var contextRows: Set<RowID> = []
  /// Number of them that belong to a log that the backend has replaced. They stay visible and searchable, but are
  /// not counted.
  private var formerRows = 0
  private var cursor = LogCursor(.newest, startsOver: true)
  private var log: ActionLog?
  private var seenRevision = -1
  private var seenNames = -1
  private var startedMs: Int64 = 0
  private var fold: QueryFold?
  /// Whether the table is older than the fold.
  private var isTableOld = false
  /// Whether the previous table stays until all rows have been read again.
  private var keepsTable = false
  /// The table of the query's stages, as of the last sync; nil if it has none.
  package private(set) var table: QueryTable?

  /// How often a query like `before:15m` is re-evaluated, in milliseconds.
  private static let refreshMs: Int64 = 15_000

  package init(query: Query = .everything) { self.query = query }

  /// Replaces the query; the next `sync` starts over.
  package mutating func setQuery(_ query: Query) {
    guard query != self.query else { return }
    self.query = query
    startOver()
  }

  private mutating func startOver() {
    matcher = nil
    sorted.removeAll()
    context = []
    contextRows = []
    formerRows = 0
    seenRevision = -1
    fold = nil
    table = nil
    keepsTable = false
  }

  /// The guild whose rows can match.
  package private(set) var scope = GuildScope.all

  /// Replaces the scope; the next `sync` starts over.
  package mutating func setScope(_ scope: GuildScope) {
    guard scope != self.scope else { return }
    self.scope = scope
    startOver()
  }

  /// Query and scope match every row, so none is stored.
  private var isEverything: Bool { query.isEmpty && query.pipeline == nil && scope.isAll }

  /// Processes at most `budget` rows of the log; true if something changed. Call once per frame.
  @discardableResult
  package mutating func sync(
    with log: ActionLog, names: any NameDirectory = NoNames(), nowMs: Int64, rowBudget: Int? = nil
  ) -> Bool {
    // The details of each row are read where a table needs them.
    let rowBudget = rowBudget ?? (query.pipeline == nil ? 20_000 : 2000)
    self.log = log
    if isEverything {
      defer { seenRevision = log.revision }
      return seenRevision != log.revision
    }
    let isStale =
      matcher == nil || seenNames != names.revision
      || (query.movesWithTime && abs(nowMs - startedMs) >= Self.refreshMs)
    if !isStale, seenRevision == log.revision, isComplete, query.lowerBound(nowMs: nowMs) == nil {
      return false
    }
    let before = (rows.count, rows.first, rows.last)
    if isStale { cursor.restart() }
    var changes = cursor.changes(in: log, budget: rowBudget)
    if changes.updated == nil {
      cursor.restart()
      changes = cursor.changes(in: log, budget: rowBudget)
    }
    if changes.isRestart {
      keepsTable = isStale && table != nil
      restart(names, nowMs)
    }
    if changes.hasEvicted { drop { $0 < log.firstRow } }
    var found: [RowID] = []
    var hasChanged = retest(changes, log, into: &found) || changes.isRestart
    for row in changes.newer where test(row, log) { found.append(row) }
    for row in changes.older.reversed() where test(row, log) { found.append(row) }
    hasChanged = hasChanged || !found.isEmpty
    merge(found, log)
    addContext(log)
    expire(log, nowMs)
    let former =
      log.formerCount == 0
      ? 0 : rows.count { log.isOfFormerLog($0) && !contextRows.contains($0) }
    hasChanged = hasChanged || former != formerRows
    formerRows = former
    seenRevision = log.revision
    hasChanged = hasChanged || before != (rows.count, rows.first, rows.last)
    makeTable(names, hasChanged)
    return hasChanged
  }

  /// Replaces the rows that are shown although they do not match. A table has none.
  package mutating func setContext(_ rows: Set<RowID>) {
    let rows = query.pipeline == nil && !query.isEmpty ? rows : []
    guard rows != context else { return }
    context = rows
    let gone = contextRows.subtracting(rows)
    sorted.removeAll(where: gone.contains)
    contextRows.subtract(gone)
    seenRevision = -1
  }

  /// Adds the rows of the context that have been tested and do not match.
  private mutating func addContext(_ log: ActionLog) {
    guard contextRows.count < context.count else { return }
    let missing = context.filter {
      cursor.hasRead($0) && log.row($0) != nil && sorted.index(of: $0, log) == nil
    }
    sorted.insert(Array(missing), log)
    contextRows.formUnion(missing)
  }

  /// A table that is being recomputed does not shrink on screen.
  private mutating func makeTable(_ names: any NameDirectory, _ hasChanged: Bool) {
    guard fold != nil else { return }
    isTableOld = isTableOld || hasChanged || table == nil
    if isComplete { keepsTable = false }
    guard isTableOld, !keepsTable else { return }
    table = fold?.table(names: names)
    isTableOld = false
  }

  /// Takes rows out, of the table too.
  private mutating func drop(_ isGone: (RowID) -> Bool) {
    if fold != nil { for row in rows where isGone(row) { fold?.remove(row) } }
    sorted.removeAll(where: isGone)
    contextRows = contextRows.filter { !isGone($0) }
  }

  private mutating func restart(_ names: any NameDirectory, _ nowMs: Int64) {
    matcher = QueryMatcher(query, names: names, nowMs: nowMs)
    sorted.removeAll()
    contextRows = []
    fold = query.pipeline.map { QueryFold($0, zone: query.zone) }
    if !keepsTable { table = nil }
    seenNames = names.revision
    startedMs = nowMs
  }

  /// Takes changed rows out and tests them again; those that are tested for the first time now are not
  /// among them.
  private mutating func retest(
    _ changes: LogChanges, _ log: ActionLog, into found: inout [RowID]
  ) -> Bool {
    guard let updates = changes.updated, !updates.isEmpty else { return false }
    let changed = Set(
      updates.filter {
        cursor.hasRead($0) && !changes.newer.contains($0) && !changes.older.contains($0)
      })
    guard !changed.isEmpty else { return false }
    drop(changed.contains)
    for row in changed where test(row, log) { found.append(row) }
    return true
  }

  private mutating func test(_ row: RowID, _ log: ActionLog) -> Bool {
    let view = log.view(row)
    return view.isIn(scope) && matcher?.matches(view) ?? false
  }

  private mutating func merge(_ found: [RowID], _ log: ActionLog) {
    guard !found.isEmpty else { return }
    if fold != nil { for row in found { fold?.add(log.view(row)) } }
    sorted.insert(found, log)
  }

  /// Drops rows that `since:` has left behind.
  private mutating func expire(_ log: ActionLog, _ nowMs: Int64) {
    guard let bound = query.lowerBound(nowMs: nowMs) else { return }
    var gone = 0
    while gone < rows.count, log.key(rows[gone]).timeMs < bound { gone += 1 }
    guard gone > 0 else { return }
    if fold != nil { for row in rows[..<gone] { fold?.remove(row) } }
    contextRows.subtract(rows[..<gone])
    sorted.removeFirst(gone)
  }

  // MARK: reading, as of the last sync

  /// Whether every retained row has been tested.
  package var isComplete: Bool {
    guard !isEverything, let log else { return true }
    return cursor.isComplete(in: log)
  }

  /// Rows that have been tested.
  package var scanned: Int { isEverything ? log?.count ?? 0 : cursor.count }

  /// The rows of the present log that the query chooses from.
  package func choiceCount(in log: ActionLog) -> Int {
    guard !scope.isAll, log.formerCount > 0 else { return log.count(in: scope) - log.formerCount }
    return (log.firstRow..<log.endRow).count {
      log.view($0).isIn(scope) && !log.isOfFormerLog($0) && !log.view($0).isGap
    }
  }

  /// Matching rows of a log that the backend has replaced.
  package var formerCount: Int { isEverything ? log?.formerCount ?? 0 : formerRows }

  /// Matching rows of the current log: the number to display.
  package var presentCount: Int { count - formerCount - contextRows.count }

  /// Rows that are shown although they do not match.
  package var contextCount: Int { contextRows.count }

  /// Whether a row is shown although it does not match.
  package func isContext(_ row: RowID) -> Bool { contextRows.contains(row) }

  /// Rows that match: the places that there are.
  package var count: Int { isEverything ? log?.count ?? 0 : rows.count }

  package var isEmpty: Bool { count == 0 }

  /// Number of matching rows that arrived after `row`, without those older than the start of this
  /// run; evicted rows are included only if the query matches everything.
  package func count(from row: RowID, in log: ActionLog) -> Int {
    guard !isEverything else { return max(0, log.endRow - row - log.pastCount(from: row)) }
    // Check each: rows fetched late sit among older ones.
    var count = 0
    for id in rows where id >= row && !log.isPast(id) && !contextRows.contains(id) { count += 1 }
    return count
  }

  /// The row at a place: 0 is the newest. The place must be below `count`.
  package func rowID(at index: Int) -> RowID {
    if isEverything, let log { return log.rowID(at: index) }
    return rows[rows.count - 1 - index]
  }

  /// The row at an index; nil if it was evicted since the last sync.
  package func row(at index: Int, in log: ActionLog) -> ActionRowView? {
    index >= 0 && index < count ? log.row(rowID(at: index)) : nil
  }

  /// The place of a row; nil if it does not match.
  package func index(of id: RowID, in log: ActionLog) -> Int? {
    if isEverything { return log.index(of: id) }
    return sorted.index(of: id, log).map { rows.count - 1 - $0 }
  }

  /// The index where a row is or would be: the new position of a selection whose row was filtered
  /// out.
  package func nearestIndex(to id: RowID, in log: ActionLog) -> Int? {
    guard count > 0, log.row(id) != nil else { return nil }
    if isEverything { return log.index(of: id) }
    return min(rows.count - 1, max(0, rows.count - 1 - sorted.lowerBound(log.key(id), log)))
  }
}
