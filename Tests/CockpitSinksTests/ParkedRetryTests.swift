import CockpitHistory
import CockpitSinks
import Foundation
import Synchronization
import Testing

@Suite struct ParkedRetryTests {
  private static let now: @Sendable () -> Int64 = { SinkPlace.nowMs }

  /// A history whose rows 10, 20 and 30 are parked.
  private static func parked(_ end: FarEnd) async throws -> (SinkPlace, SinkThread.Plan) {
    let place = SinkPlace()
    place.record((0..<50).map { SinkRows.plain($0) })
    let plan = place.plan { end.target() }
    let sink = SinkThread(plan, nowMs: now)
    #expect(await sink.end())
    #expect(try HistoryNotes.parkedRows(of: "far", in: place.path).count == 3)
    return (place, plan)
  }

  private static func isBad(_ row: SinkRow, _ numbers: Set<Int>) -> Bool {
    numbers.contains { row.content == "row \($0)" }
  }

  @Test("what the far end accepts now is there once and parked no more; the rest stays")
  func retry() async throws {
    let bad = Mutex<Set<Int>>([10, 20, 30])
    let end = FarEnd { _, rows in
      let bad = bad.withLock(\.self)
      return rows.contains { Self.isBad($0, bad) } ? .refused : .none
    }
    let (place, plan) = try await Self.parked(end)
    bad.withLock { $0 = [20] }
    var rows = try HistoryNotes.parkedRows(of: "far", in: place.path)
    // One of them alone.
    var outcome = try ParkedRetry([rows[2]], plan, nowMs: Self.now)
    #expect(outcome.accepted == 1)
    #expect(try HistoryNotes.parkedRows(of: "far", in: place.path).count == 2)
    rows = try HistoryNotes.parkedRows(of: "far", in: place.path)
    outcome = try ParkedRetry(rows, plan, nowMs: { SinkPlace.nowMs + 5 })
    #expect((outcome.accepted, outcome.refused, outcome.missing) == (1, 1, 0))
    #expect(outcome.problem == nil)
    let left = try HistoryNotes.parkedRows(of: "far", in: place.path)
    #expect(left.map(\.seq) == [rows[1].seq])
    #expect(left.map(\.parkedMs) == [SinkPlace.nowMs + 5])
    let content = end.content.withLock { $0 }
    #expect(content.keys.count == 49)
    #expect(content.twins == 0)
    var record = try #require(try HistoryNotes.sinks(in: place.path).first)
    #expect((record.parked, record.delivered, record.retried) == (1, 47, 2))
    // The next run of the sink does not bring the old counts back.
    place.record([SinkRows.plain(99)], first: 99)
    #expect(await SinkThread(plan, nowMs: Self.now).end())
    record = try #require(try HistoryNotes.sinks(in: place.path).first)
    #expect((record.parked, record.delivered, record.retried) == (1, 48, 2))
  }

  @Test("a far end that is away ends it, and nothing is lost; a row that is gone is said")
  func faults() async throws {
    let isAway = Mutex(false)
    let end = FarEnd { _, rows in
      if isAway.withLock(\.self) { return .busy }
      return rows.contains { Self.isBad($0, [10, 20, 30]) } ? .refused : .none
    }
    let (place, plan) = try await Self.parked(end)
    isAway.withLock { $0 = true }
    var rows = try HistoryNotes.parkedRows(of: "far", in: place.path)
    var outcome = try ParkedRetry(rows, plan, nowMs: Self.now)
    #expect(outcome.problem == "503")
    #expect((outcome.accepted, outcome.refused) == (0, 0))
    #expect(try HistoryNotes.parkedRows(of: "far", in: place.path) == rows)
    isAway.withLock { $0 = false }
    rows[0].seq = 1_000_000
    outcome = try ParkedRetry([rows[0]], plan, nowMs: Self.now)
    #expect(outcome.missing == 1)
    #expect(try HistoryNotes.parkedRows(of: "far", in: place.path).count == 3)
  }
}
