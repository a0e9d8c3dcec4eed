import Testing

@testable import CockpitStores

@Suite struct LogCursorTests {
  private func add(_ ids: ClosedRange<Int>, to log: ActionLog, padding: Int = 0) throws {
    let content = String(repeating: "p", count: padding)
    for id in ids {
      try log.live(
        Fact(id: id, timeMs: startMs + Int64(id), kind: "k", content: "\(content)\(id)").live)
    }
  }

  @Test func theOldestComeFirstAndEachRowOnce() throws {
    let log = ActionLog(memory: 4 << 20)
    try add(1...10, to: log)
    var cursor = LogCursor()
    var changes = cursor.changes(in: log, budget: 4)
    #expect(changes.isRestart && changes.newer == 0..<4 && changes.older.isEmpty)
    changes = cursor.changes(in: log, budget: 4)
    #expect(!changes.isRestart && changes.newer == 4..<8 && !cursor.isComplete(in: log))
    #expect(cursor.next(in: log) == 8 && cursor.next(in: log) == 9)
    #expect(cursor.next(in: log) == nil && cursor.isComplete(in: log))
  }

  @Test func theNewestComeFirstAndNewRowsBeforeOlderOnes() throws {
    let log = ActionLog(memory: 4 << 20)
    try add(1...10, to: log)
    var cursor = LogCursor(.newest)
    #expect(cursor.changes(in: log, budget: 3).older == 7..<10)
    try add(11...12, to: log)
    let changes = cursor.changes(in: log, budget: 3)
    #expect(changes.newer == 10..<12 && changes.older == 6..<7)
    #expect(cursor.nextOlder(in: log) == 5 && cursor.count == 7)
  }

  @Test func fromTheEndOnlyWhatComesIsRead() throws {
    let log = ActionLog(memory: 4 << 20)
    try add(1...3, to: log)
    var cursor = LogCursor(.end)
    let first = cursor.changes(in: log)
    #expect(first.newer.isEmpty && first.older.isEmpty && cursor.isComplete(in: log))
    try add(4...5, to: log)
    #expect(cursor.changes(in: log).newer == 3..<5 && cursor.nextOlder(in: log) == nil)
  }

  @Test func evictedRowsAreReportedAndUnreadOnesAmongThemToo() throws {
    let log = ActionLog(memory: 4 << 20)
    try add(1...10, to: log)
    var cursor = LogCursor()
    _ = cursor.changes(in: log, budget: 5)
    try add(11...20_000, to: log, padding: 500)
    #expect(log.firstRow > 10)
    let changes = cursor.changes(in: log)
    #expect(changes.isOverrun && changes.hasEvicted && !changes.isRestart)
    #expect(changes.newer == log.firstRow..<log.endRow)
  }

  @Test func aReplacedLogIsABeginningForThoseWhoWantIt() throws {
    let log = ActionLog(memory: 4 << 20)
    try add(1...3, to: log)
    var (stays, startsOver) = (LogCursor(), LogCursor(startsOver: true))
    _ = (stays.changes(in: log), startsOver.changes(in: log))
    log.reset()
    #expect(stays.changes(in: log).newer.isEmpty)
    let changes = startsOver.changes(in: log)
    #expect(changes.isRestart && changes.newer == log.firstRow..<log.endRow)
  }

  @Test func changedRowsAreNamedUntilThereAreTooMany() throws {
    let log = ActionLog(memory: 4 << 20)
    try add(1...3, to: log)
    var cursor = LogCursor()
    _ = cursor.changes(in: log)
    log.noteUpdate(1)
    #expect(cursor.changes(in: log).updated.map(Array.init) == [1])
    #expect(cursor.changes(in: log).updated?.isEmpty == true)
    for _ in 0...3 * ActionLog.maxUpdates { log.noteUpdate(2) }
    #expect(cursor.changes(in: log).updated == nil)
  }
}
