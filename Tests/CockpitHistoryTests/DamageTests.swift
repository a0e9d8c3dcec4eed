import CockpitDomain
import Foundation
import HistoryTestKit
import Testing

@testable import CockpitHistory

@Suite struct DamageTests {
  private func open(_ path: String) -> (rows: [RecordedRow], documents: [RecordedDocument])? {
    guard let history = try? HistoryFolder(path) else { return nil }
    var documents = (try? history.documents(after: 0, through: .max)) ?? []
    for name in (try? history.documentNames(notAfterMs: .max)) ?? [] {
      if let last = try? history.document(name, notAfterMs: .max) { documents.append(last) }
    }
    var rows = (try? history.rows(notAfterMs: .max, limit: 10_000, skipping: 0)) ?? []
    rows += (try? history.search(HistorySearch("bot"), limit: 50))?.rows ?? []
    if let row = try? history.row(actionID: 1010) { rows.append(row) }
    _ = try? history.density(
      after: RecorderTests.startMs - 9_000_000, through: .max / 4, buckets: 20)
    _ = try? history.outages(after: 0, through: .max)
    _ = try? history.next(.error, from: .max, isOlder: true)
    return (rows, documents)
  }

  @Test("after a flipped byte anywhere nothing crashes and no row or document is wrong")
  func flipped() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(900, into: place.path, seed: 5)
    let path = place.path + "/2026-11-24.db"
    // Closing the last connection writes the write-ahead log into the file.
    let good = try Data(contentsOf: URL(filePath: path))
    let rows = Set(truth.rows)
    let documents = Set(truth.documents)
    let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
    var samples = HistorySamples(seed: 21)
    var whole = 0
    // The rows of the largest block; those in the tail are in none.
    let block = try Database(path, for: .reading).number("SELECT max(rows) FROM block") ?? 0
    var beyond = 0
    for _ in 0..<(isLong ? 1000 : 60) {
      var broken = good
      broken[samples.random(good.count)] ^= UInt8(1 + samples.random(255))
      try broken.write(to: URL(filePath: path))
      guard let found = open(place.path) else { continue }
      #expect(found.rows.allSatisfy { rows.contains($0) })
      #expect(found.documents.allSatisfy { documents.contains($0) })
      let lost = truth.rows.count - Set(found.rows).count
      if lost == 0 { whole += 1 }
      // A page of the rows' columns costs its own rows beside their block.
      if lost > block + 64 { beyond += 1 }
    }
    #expect(whole > 0)
    // A byte of a tree's inner pages, or of the schema, may cost more than one block and one page.
    print(
      "of \(isLong ? 1000 : 60) flipped bytes \(beyond) cost more than a block of \(block) rows and a page, \(whole) nothing"
    )
    #expect(beyond <= (isLong ? 20 : 4))
  }

  @Test("a file that is cut, empty or no database is no crash, and said")
  func cut() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(900, into: place.path, seed: 6)
    let path = place.path + "/2026-11-24.db"
    let good = try Data(contentsOf: URL(filePath: path))
    let rows = Set(truth.rows)
    for length in [0, 10, 100, 4096, good.count / 3, good.count * 2 / 3, good.count - 1] {
      try good.prefix(length).write(to: URL(filePath: path))
      let found = try #require(open(place.path))
      #expect(found.rows.allSatisfy { rows.contains($0) })
    }
    try Data("this is a letter and no database, whatever its name says".utf8)
      .write(to: URL(filePath: path))
    let history = try HistoryFolder(place.path)
    #expect(try history.span() == nil)
    #expect(history.damage.files.count == 1)
  }

  @Test("a recorder that finds a damaged file begins another part of the day")
  func nextPart() throws {
    let place = HistoryPlaceForTests()
    _ = RecorderTests.record(20, into: place.path, seed: 6, runs: 1)
    try Data("this is a letter and no database".utf8)
      .write(to: URL(filePath: place.path + "/2026-11-24.db"))
    let truth = RecorderTests.record(20, into: place.path, seed: 8, runs: 1, isDamaged: true)
    let history = try HistoryFolder(place.path)
    let rows = try history.rows(notAfterMs: .max, limit: 100, skipping: 0)
    #expect(rows.count == truth.rows.count)
    #expect(Set(rows.map(\.json)) == Set(truth.rows.map(\.json)))
    #expect(FileManager.default.fileExists(atPath: place.path + "/2026-11-24-2.db"))
  }

  @Test("a file of a newer version is not read, and says so; a folder that is not there, too")
  func newer() throws {
    let place = HistoryPlaceForTests()
    _ = RecorderTests.record(20, into: place.path, seed: 6, runs: 1)
    let path = place.path + "/2026-11-24.db"
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[63] = 9  // `user_version`, big-endian at byte 60
    try bytes.write(to: URL(filePath: path))
    let history = try HistoryFolder(place.path)
    #expect(try history.span() == nil)
    #expect(history.damage.files.values.contains { $0.contains("written by a newer version") })
    #expect(throws: HistoryError.self) { try HistoryFolder(path) }
    #expect(throws: HistoryError.self) { try HistoryFolder(place.path + "/nothing") }
  }
}
