import CockpitHistory
import CockpitSinks
import Foundation
import Testing

@Suite struct RetentionOfSinksTests {
  private static let dayMs: Int64 = 86_400_000

  /// A history of three days, with a sink that has delivered the first.
  private static func place(maxLagMs: Int64) throws -> SinkPlace {
    let place = SinkPlace()
    for day in 0..<3 {
      let atMs = SinkPlace.nowMs + Int64(day) * dayMs
      place.record(
        (0..<10).map { SinkRows.plain($0, atMs: atMs + Int64($0)) }, first: day * 100,
        receivedMs: atMs + 100)
    }
    var record = HistoryNotes.SinkRecord(name: "team", kind: "postgres")
    let rows = try place.recorded()
    record.place = SequencePlace(day: "", seq: rows[9].seq)
    record.maxLagMs = maxLagMs
    try HistoryNotes.keep(record, in: place.path)
    return place
  }

  private static func prune(_ place: SinkPlace, afterDays days: Int64) throws -> Int {
    try HistoryUpkeep.prune(
      place.path, keepMs: 3_600_000, maxBytes: nil, nowMs: SinkPlace.nowMs + days * dayMs,
      isTrial: false
    ).count
  }

  @Test(
    "retention waits for a sink that is less than max_lag behind, and counts what it removes later")
  func waits() throws {
    let place = try Self.place(maxLagMs: 7 * Self.dayMs)
    // The first day is delivered, the second is not.
    #expect(try Self.prune(place, afterDays: 5) == 1)
    #expect(try HistoryNotes.sinks(in: place.path).map(\.missed) == [0])
    #expect(try Self.prune(place, afterDays: 7) == 0)
    #expect(try Self.prune(place, afterDays: 9) == 1)
    #expect(try HistoryNotes.sinks(in: place.path).map(\.missed) == [10])
  }

  @Test("without sinks nothing is waited for")
  func withoutSinks() throws {
    let place = try Self.place(maxLagMs: 7 * Self.dayMs)
    #expect(try HistoryNotes.dropSink("team", in: place.path))
    #expect(try Self.prune(place, afterDays: 5) == 2)
  }

  @Test("what was missed stays counted when the sink keeps its place")
  func keeps() throws {
    let place = try Self.place(maxLagMs: 1)
    let stale = try #require(try HistoryNotes.sinks(in: place.path).first)
    _ = try Self.prune(place, afterDays: 9)
    try HistoryNotes.keep(stale, in: place.path)
    #expect(try HistoryNotes.sinks(in: place.path).map(\.missed) == [10])
  }
}
