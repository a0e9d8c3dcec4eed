import Foundation
import Testing

@testable import CockpitHistory

/// docs/history.md tells of the tables that there are.
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
    let database = try Database(place.path + "/2026-11-24.db", for: .reading)
    let queries = try page().matches(of: /```sql\n([^`]*)```/).map { String($0.1) }
    #expect(queries.count == 5)
    var counts: [Int] = []
    for query in queries {
      let rows = try database.statement(query)
      var count = 0
      while try rows.step() { count += 1 }
      counts.append(count)
    }
    let kinds = Set(truth.samples.values.map { $0.isVoice ? 0 : $0.isFailure ? 1 : 2 })
    // Containers have the event that their content names; here it is a sentence.
    #expect(counts[0] == kinds.count)
    #expect(counts[3] == Set(truth.samples.values.compactMap(\.session)).count)
    // The second run began less than 2 s after the first.
    #expect(counts[1] > 0)
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
      // `key` and `value` of meta, and the numbers of blocks, say nothing.
      guard table != "meta", !(table == "block" && column == "id") else { continue }
      #expect(line?.contains("`\(column)`") ?? false, "\(table).\(column)")
    }
    #expect(found > 40)
  }
}
