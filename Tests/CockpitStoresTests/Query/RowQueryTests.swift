import ClankyWire
import Testing

@testable import CockpitStores

/// Queries that find given rows and no others.
@MainActor
@Suite struct RowQueryTests {
  private static let nowMs: Int64 = 1_772_375_529_000

  private func ids(_ text: String, in log: ActionLog) throws -> [RowID] {
    let query = try Query.parse(text)
    return log.rows(in: 0..<log.count).filter { query.matches($0, nowMs: Self.nowMs) }.map(\.id)
  }

  private func store(stored: [String], live: [String] = []) -> ActivityStore {
    let store = ActivityStore(memory: 1 << 20)
    Array("[\(stored.joined(separator: ","))]".utf8).withUnsafeBytes {
      _ = store.applyRows($0, nowMs: Self.nowMs)
    }
    for row in live {
      Array(row.utf8).withUnsafeBytes { bytes in
        _ = try? store.applyLive(bytes, from: .activity, nowMs: Self.nowMs)
      }
    }
    return store
  }

  private func row(_ id: Int?, _ time: String, _ event: String) -> String {
    if let id {
      return """
        {"id":\(id),"created_at":"2026-03-01T\(time)Z","kind":"voice_runtime","content":"\(event)",\
        "metadata":{"sessionId":"s"},"usd_cost":0}
        """
    }
    return """
      {"createdAt":"2026-03-01T\(time)Z","kind":"voice_runtime","content":"\(event)",\
      "metadata":{"sessionId":"s"},"usdCost":0}
      """
  }

  @Test("rows with ids are named by them")
  func stored() throws {
    let log = store(stored: [
      row(3, "14:30:03.000", "a"), row(2, "14:30:02.000", "b"), row(1, "14:30:01.000", "c"),
    ]).log
    let wanted = [1, 3].compactMap { log.rowID(actionID: $0) }
    let query = try #require(log.query(for: wanted, nowMs: Self.nowMs))
    #expect(query.text == "id:1|3" && query.count == 2)
    #expect(Set(try ids(query.text, in: log)) == Set(wanted))
    #expect(log.query(for: [], nowMs: Self.nowMs) == nil)
    #expect(log.query(for: [-7], nowMs: Self.nowMs) == nil)
  }

  @Test("live rows without an id are named by kind, event and millisecond, and no others are found")
  func live() throws {
    let log = store(
      stored: [row(1, "14:30:01.000", "a")],
      live: [
        row(nil, "14:30:02.001", "a"), row(nil, "14:30:02.002", "a"),
        row(nil, "14:30:02.002", "other"), row(nil, "14:30:03.000", "a"),
      ]
    ).log
    #expect(log.count == 5)
    let all = log.rows(in: 0..<log.count)
    let wanted = all.filter { $0.timeMs % 1000 == 2 && $0.label.event == "a" } + all.suffix(1)
    let query = try #require(log.query(for: wanted.map(\.id), nowMs: Self.nowMs))
    #expect(query.count == 2, "\(query)")
    #expect(Set(try ids(query.text, in: log)) == Set(wanted.map(\.id)), "\(query.text)")
    // Where others cannot be told apart, the count says so.
    let twin = store(
      stored: [], live: [row(nil, "14:30:02.001", "a"), row(nil, "14:30:02.001", "a")]
    ).log
    if twin.count == 2 {
      let one = try #require(twin.query(for: [twin.row(at: 0).id], nowMs: Self.nowMs))
      #expect(one.count == 2)
    }
  }

  @Test("at: takes several times, since: and before: one; a fraction names what it says")
  func times() throws {
    let log = store(stored: [
      row(4, "14:30:04.500", "a"), row(3, "14:30:03.259", "a"), row(2, "14:30:03.250", "a"),
      row(1, "14:29:01.000", "a"),
    ]).log
    func found(_ text: String) throws -> [Int] {
      try ids(text, in: log).compactMap { log.row($0)?.actionID }.sorted()
    }
    #expect(try found("at:2026-03-01T14:29|2026-03-01T14:30:04") == [1, 4])
    #expect(try found("-at:2026-03-01T14:29|2026-03-01T14:30:04") == [2, 3])
    #expect(try found("at:2026-03-01T14:30:03.250Z") == [2])
    #expect(try found("at:2026-03-01T14:30:03.25Z") == [2, 3])
    #expect(try found("at:2026-03-01T14:30:03Z") == [2, 3])
    #expect(try found("at:2026-03-01|2026-03-01T14:30:04") == [1, 2, 3, 4])
    #expect(throws: QueryError.self) { try Query.parse("since:1h|2h") }
    #expect(throws: QueryError.self) { try Query.parse("before:1h|2h") }
    #expect(throws: QueryError.self) { try Query.parse("at:14:30|nonsense") }
    let earliest = try Query.parse("at:2026-03-01T14:30|2026-02-01").earliestMs(nowMs: Self.nowMs)
    #expect(earliest == WireTime(iso: "2026-02-01T00:00:00Z")?.milliseconds)
  }
}
