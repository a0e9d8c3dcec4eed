import Foundation
import Testing

@testable import CockpitHistory

/// docs/history.md and the tables agree.
@Suite struct HistoryPageTests {
  private func page() throws -> String {
    try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/history.md"), encoding: .utf8)
  }

  @Test("each query of the page gives what was recorded")
  func queries() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(400, into: place.path, seed: 11)
    let clock = TestClock(RecorderTests.startMs + 7_000_000)
    // A run that begins later leaves an outage.
    HistoryRecorder(folder: place.path, .test()) { clock.now }.stop(waiting: 60)
    let database = try Database(place.path + "/2026-11-24.db", for: .reading)
    let queries = try page().matches(of: /```sql\n([^`]*)```/).map { String($0.1) }
    #expect(queries.count == 5)
    var counts: [Int] = []
    var durations: [Int64] = []
    var outages: [[String]] = []
    for (index, query) in queries.enumerated() {
      let rows = try database.statement(query)
      var count = 0
      while try rows.step() {
        count += 1
        if index == 2 { durations.append(rows.int(2)) }
        if index == 4 { outages.append((0..<3).map(rows.text)) }
      }
      counts.append(count)
    }
    let kinds = Set(truth.samples.values.map { $0.isVoice ? 0 : $0.isFailure ? 1 : 2 })
    // `voice_runtime` rows carry their event in the content; here that is a sentence.
    #expect(counts[0] == kinds.count)
    #expect(counts[3] == Set(truth.samples.values.compactMap(\.session)).count)
    #expect(counts[1] == Set(truth.rows.map { $0.atMs / 3_600_000 }).count)
    let slowest = truth.samples.values.compactMap(\.durationMs).sorted(by: >).prefix(20)
    #expect(durations.map(Int.init) == Array(slowest))
    #expect(
      outages.last == ["2026-11-24 22:53:12", "2026-11-24 23:56:40", "recorder stopped"])
  }

  @Test("every table and column is on the page")
  func tables() throws {
    let text = try page()
    let place = HistoryPlaceForTests()
    _ = RecorderTests.record(20, into: place.path, seed: 11, runs: 1)
    let database = try Database(place.path + "/2026-11-24.db", for: .reading)
    let columns = try database.statement(
      """
      SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'words%'
      """)
    var found = 0
    while try columns.step() {
      found += 1
      let (table, column) = (columns.text(0), columns.text(1))
      let line = text.split(separator: "\n").first { $0.hasPrefix("| `\(table)` |") }
      // The page lists the keys of `meta`; `block.id` has no meaning.
      guard table != "meta", !(table == "block" && column == "id") else { continue }
      #expect(line?.contains("`\(column)`") ?? false, "\(table).\(column)")
    }
    #expect(found > 40)
    let meta = text.split(separator: "\n").first { $0.hasPrefix("| `meta` |") }
    for key in ["first_seq", "words_through", "words_broken", "finished", "pins", "kept"] {
      #expect(meta?.contains("`\(key)`") ?? false, "meta: \(key)")
    }
  }
}
