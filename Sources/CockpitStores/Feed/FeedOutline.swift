/// The lines of the feed at a level: rows that tell something, each turn's other rows folded into its
/// newest line, and runs of equal rows folded into one.
///
/// It follows the log: a change costs what changed, not the log. Only switching the level looks at every
/// row once.
@MainActor
package final class FeedOutline {
  /// A row, or a run of equal rows.
  struct Line {
    var newest: RowID
    var oldest: RowID
    var count: Int
  }

  /// The lines of a turn, and what is folded.
  private struct MeasuredTurn {
    var bracket: FeedBracket
    var steps: Int
    var isOpen: Bool
  }

  private var turns = FeedTurns()
  private var cursor = LogCursor(.newest, startsOver: true)
  private var folding = FeedFolding()
  private var scope = GuildScope.all
  /// The rows that the lines stand for.
  private var shown = SortedRows()
  /// Oldest first.
  private var lines: [Line] = []
  private var log: ActionLog?

  /// Rows that are read for one frame.
  private static let rowBudget = 2000

  package init() {}

  // MARK: Following

  /// Brings everything up to date.
  ///
  /// - Parameter followsVoice: whether turns of voice sessions are taken over; of a long session this takes
  ///   milliseconds.
  /// - Returns: whether rows or turns are left to read.
  @discardableResult
  package func sync(
    with log: ActionLog, voice: VoiceStore, folding new: FeedFolding, scope: GuildScope = .all,
    rowBudget: Int? = nil, followsVoice: Bool = true
  ) -> Bool {
    let budget = rowBudget ?? Self.rowBudget
    self.log = log
    if scope != self.scope {
      self.scope = scope
      cursor.restart()
    }
    var changes = cursor.changes(in: log, budget: budget)
    if changes.updated == nil {
      cursor.restart()
      changes = cursor.changes(in: log, budget: budget)
    }
    if changes.isRestart {
      turns.restart()
      shown.removeAll()
      lines = []
    }
    if turns.evict(before: log.firstRow) { dropEvicted(log) }
    reread(changes, log)
    for row in changes.newer { take(log.view(row)) }
    for row in changes.older.reversed() { take(log.view(row)) }
    if followsVoice { turns.follow(voice) }
    adopt(new)
    if isFolding { apply(log) } else { _ = turns.takeChanges() }
    return !cursor.isComplete(in: log) || !followsVoice && turns.isBehind(voice)
  }

  private func take(_ row: ActionRowView) {
    if row.isIn(scope) { turns.take(row) }
  }

  /// Rows whose place or text changed are taken out and read again.
  private func reread(_ changes: LogChanges, _ log: ActionLog) {
    guard let updates = changes.updated, !updates.isEmpty else { return }
    let changed = Set(updates.filter { turns.entries[$0] != nil && $0 >= log.firstRow })
    let visible = changed.filter { turns.entries[$0]?.isShown == true }
    if !visible.isEmpty {
      shown.removeAll(where: visible.contains)
      for row in visible { turns.setShown(row, false) }
      lines = []
    }
    for row in changed { turns.take(log.view(row)) }
    if !visible.isEmpty { rebuild(from: 0) }
  }

  /// Evicted rows are mostly the first ones.
  private func dropEvicted(_ log: ActionLog) {
    var gone = 0
    while gone < shown.count, shown[gone] < log.firstRow { gone += 1 }
    shown.removeFirst(gone)
    let count = shown.count
    shown.removeAll { $0 < log.firstRow }
    guard shown.count == count else {
      rebuild(from: 0)
      return
    }
    var whole = 0
    while whole < lines.count, lines[whole].count <= gone {
      gone -= lines[whole].count
      whole += 1
    }
    lines.removeFirst(whole)
    guard gone > 0, !lines.isEmpty else { return }
    lines[0].count -= gone
    lines[0].oldest = shown[0]
  }

  private func adopt(_ new: FeedFolding) {
    let old = folding
    guard new != old else { return }
    folding = new
    if new.level != old.level {
      startOver()
      return
    }
    for key in new.openTurns.symmetricDifference(old.openTurns) {
      if let number = turns.number(key) { turns.noteChange(turn: number) }
    }
    for row in [new.kept, old.kept].compactMap({ $0 }) where new.kept != old.kept { touch(row) }
    if new.openRuns != old.openRuns { rebuild(from: 0) }
  }

  private func touch(_ row: RowID) {
    guard let entry = turns.entries[row] else { return }
    turns.noteMove(row: row)
    if entry.turn >= 0 {
      turns.noteChange(turn: Int(entry.turn))
    } else {
      turns.noteChange(row: row)
    }
  }

  /// Another level: every row is looked at.
  private func startOver() {
    shown.removeAll()
    lines = []
    for row in turns.entries.rows {
      turns.setShown(row, false)
      if isFolding { touch(row) }
    }
  }

  /// Shows and hides the rows of what changed.
  private func apply(_ log: ActionLog) {
    let (changedTurns, changedRows, moved) = turns.takeChanges()
    var (added, removed): ([RowID], Set<RowID>) = ([], [])
    func set(_ row: RowID, _ isShown: Bool) {
      guard let entry = turns.entries[row], entry.isShown != isShown else { return }
      turns.setShown(row, isShown)
      if isShown { added.append(row) } else { removed.insert(row) }
    }
    for row in changedRows {
      guard let entry = turns.entries[row] else { continue }
      set(row, folding.level.shows(entry.weight) || row == folding.kept)
    }
    var lowest: RowKey?
    for number in changedTurns {
      let turn = turns.turns[number]
      let isOpen = isOpen(turn)
      let told = turn.rows.contains { row in
        turns.entries[row].map { folding.level.shows($0.weight) } ?? false
      }
      // A turn of which nothing can be told yet is its newest row.
      let only = told || isOpen ? nil : turn.rows.max { log.key($0) < log.key($1) }
      for row in turn.rows {
        guard let entry = turns.entries[row] else { continue }
        set(row, isOpen || folding.level.shows(entry.weight) || row == only || row == folding.kept)
      }
    }
    // A run ends where another turn begins.
    let atRuns = moved.filter { turns.entries[$0]?.isShown == true }
    for row in added + removed + atRuns where lowest.map({ log.key(row) < $0 }) ?? true {
      lowest = log.key(row)
    }
    guard let lowest else { return }
    // The lines from here on are made anew, and the one before may take in more.
    var start = firstLine(notBefore: lowest, log)
    start = max(0, start - 1)
    let from = start < lines.count ? shownIndex(ofLine: start) : shown.count
    if !removed.isEmpty { shown.removeAll(from: from, where: removed.contains) }
    shown.insert(added, from: from, log)
    rebuild(from: start, shownIndex: from)
  }

  private func isOpen(_ turn: FeedTurns.Turn) -> Bool {
    !folding.openTurns.isEmpty && turn.keys.contains { folding.openTurns.contains($0) }
  }

  // MARK: Lines

  /// The first line whose newest row is not before a place.
  private func firstLine(notBefore key: RowKey, _ log: ActionLog) -> Int {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      let row = lines[middle].newest
      if row < log.firstRow || log.key(row) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Where the rows of a line begin. Most lines that change are the last ones.
  private func shownIndex(ofLine index: Int) -> Int {
    var rows = 0
    if index > lines.count / 2 {
      for line in lines[index...] { rows += line.count }
      return shown.count - rows
    }
    for line in lines[..<index] { rows += line.count }
    return rows
  }

  private func rebuild(from start: Int, shownIndex: Int = 0) {
    lines.removeSubrange(min(start, lines.count)...)
    var index = shownIndex
    while index < shown.count {
      var end = index + 1
      while end < shown.count, isRun(shown[end - 1], shown[end]) { end += 1 }
      if end - index > 1, !folding.openRuns.contains(shown[index]), !hasKept(index..<end) {
        lines.append(Line(newest: shown[end - 1], oldest: shown[index], count: end - index))
      } else {
        for row in shown.rows[index..<end] {
          lines.append(Line(newest: row, oldest: row, count: 1))
        }
      }
      index = end
    }
  }

  private func isRun(_ one: RowID, _ other: RowID) -> Bool {
    guard let one = turns.entries[one], let other = turns.entries[other], one.run == other.run
    else { return false }
    return one.weight == .story && other.weight == .story || one.turn == other.turn
  }

  /// Whether the selected row is inside of a run and not its newest row.
  private func hasKept(_ range: Range<Int>) -> Bool {
    guard let kept = folding.kept, range.count > 1 else { return false }
    return shown.rows[range].dropLast().contains(kept)
  }

  // MARK: Reading

  /// Whether the lines are not simply the rows.
  package var isFolding: Bool { folding.level != .everything }

  package var level: FeedLevel { folding.level }

  /// Number of lines.
  package var count: Int { lines.count }

  /// Rows that no line shows by itself.
  package var foldedCount: Int { max(0, turns.entries.count - lines.count) }

  /// The row of a line; 0 is the newest.
  package func rowID(at index: Int) -> RowID { lines[lines.count - 1 - index].newest }

  /// The line of a row; nil if it has none of its own.
  package func index(of row: RowID) -> Int? {
    guard let log, row >= log.firstRow, row < log.endRow else { return nil }
    let place = firstLine(notBefore: log.key(row), log)
    return place < lines.count && lines[place].newest == row ? lines.count - 1 - place : nil
  }

  /// The line that shows a row, or into which it is folded; nil if it is in none.
  package func index(holding row: RowID) -> Int? {
    guard let log, row >= log.firstRow, row < log.endRow else { return nil }
    let key = log.key(row)
    let place = firstLine(notBefore: key, log)
    if place < lines.count, lines[place].oldest >= log.firstRow,
      log.key(lines[place].oldest) <= key, turns.entries[row]?.isShown == true
    {
      return lines.count - 1 - place
    }
    return mark(of: row).bracket.flatMap { index(of: $0.newest) }
  }

  /// Lines that arrived from a row on, without those that are older than this run.
  package func count(from row: RowID) -> Int {
    guard let log else { return 0 }
    var count = 0
    // A closure would check its isolation for each line, which takes milliseconds for a long feed.
    for line in lines where line.newest >= row && !log.isPast(line.newest) { count += 1 }
    return count
  }

  /// What some lines stand for, and their turns.
  ///
  /// - Parameter feed: its rows are the lines without folding.
  func marks(ofLines range: Range<Int>, in feed: FilteredLog) -> [FeedMark] {
    let rows: FilteredLog? = isFolding ? nil : feed
    var known: [Int32: MeasuredTurn?] = [:]
    var marks: [FeedMark] = []
    marks.reserveCapacity(range.count)
    for index in range {
      let line = isFolding ? lines[lines.count - 1 - index] : nil
      marks.append(
        mark(of: line?.newest ?? feed.rowID(at: index), repeats: line?.count, in: rows, &known))
    }
    return marks
  }

  /// - Parameter repeats: rows that its line stands for; nil without a line.
  private func mark(
    of row: RowID, repeats: Int?, in feed: FilteredLog?, _ known: inout [Int32: MeasuredTurn?]
  ) -> FeedMark {
    var mark = FeedMark(row: row)
    guard let entry = turns.entries[row] else { return mark }
    if let repeats { mark.repeats = repeats }
    guard entry.turn >= 0 else { return mark }
    if known[entry.turn] == nil { known[entry.turn] = .some(measure(entry.turn, feed)) }
    guard case let turn?? = known[entry.turn] else { return mark }
    mark.bracket = turn.bracket
    mark.bracket?.isInferred = entry.isInferred
    guard isFolding, turn.bracket.newest == row else { return mark }
    mark.steps = turn.steps
    mark.isOpen = turn.isOpen
    return mark
  }

  package func mark(of row: RowID, in feed: FilteredLog? = nil) -> FeedMark {
    var known: [Int32: MeasuredTurn?] = [:]
    let line = isFolding ? index(of: row).map { lines[lines.count - 1 - $0] } : nil
    return mark(of: row, repeats: line?.count, in: feed, &known)
  }

  /// The lines of a turn, and how many of its rows are folded; nil if it has no line.
  private func measure(_ number: Int32, _ feed: FilteredLog?) -> MeasuredTurn? {
    guard let log else { return nil }
    let turn = turns.turns[Int(number)]
    var steps = 0
    var ends: (newest: RowID, oldest: RowID)?
    for row in turn.rows where row >= log.firstRow {
      let isShown =
        isFolding
        ? turns.entries[row]?.isShown == true : feed?.index(of: row, in: log) != nil
      guard isShown else {
        steps += 1
        continue
      }
      let key = log.key(row)
      guard let known = ends else {
        ends = (row, row)
        continue
      }
      if log.key(known.newest) < key { ends?.newest = row }
      if key < log.key(known.oldest) { ends?.oldest = row }
    }
    return ends.map { ends in
      let times = log.key(ends.oldest).timeMs...log.key(ends.newest).timeMs
      let bracket = FeedBracket(
        turn: Int(number), newest: ends.newest, oldest: ends.oldest, times: times)
      return MeasuredTurn(bracket: bracket, steps: steps, isOpen: isOpen(turn))
    }
  }

  /// All keys of a row's turn, for unfolding; empty if it belongs to none.
  package func turnKeys(of row: RowID) -> [FeedTurnKey] {
    guard let entry = turns.entries[row], entry.turn >= 0 else { return [] }
    return turns.turns[Int(entry.turn)].keys
  }

  /// The row to which a turn is folded: the newest one that the level shows.
  package func head(ofTurnOf row: RowID) -> RowID? {
    guard let log, let entry = turns.entries[row], entry.turn >= 0 else { return nil }
    let rows = turns.turns[Int(entry.turn)].rows.filter { $0 >= log.firstRow }
    let told = rows.filter { turns.entries[$0].map { level.shows($0.weight) } ?? false }
    return (told.isEmpty ? rows : told).max { log.key($0) < log.key($1) }
  }

  /// The oldest row of the run around a row, folded or not; nil if there is none.
  package func run(around row: RowID) -> RowID? {
    guard let log, isFolding, let place = shown.index(of: row, log) else { return nil }
    var (first, end) = (place, place + 1)
    while first > 0, isRun(shown[first - 1], shown[first]) { first -= 1 }
    while end < shown.count, isRun(shown[end - 1], shown[end]) { end += 1 }
    return end - first > 1 ? shown[first] : nil
  }

  /// Whether a row has a line of its own.
  package func hasLine(_ row: RowID) -> Bool { index(of: row) != nil }

  /// Whether any row was read, including rows outside the guild scope.
  package var hasRead: Bool { cursor.count > 0 }

  /// Whether turns of rows are known.
  package var hasTurns: Bool { !turns.entries.isEmpty }
}
