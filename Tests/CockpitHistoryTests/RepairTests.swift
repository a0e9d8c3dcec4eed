import Foundation
import Testing

@testable import CockpitHistory

@Suite struct RepairTests {
  private func damage(_ path: String, from: Int, step: Int) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    for at in stride(from: from, to: bytes.count, by: step) { bytes[at] ^= 0x5A }
    try bytes.write(to: URL(filePath: path))
  }

  @Test(
    "what can be read of a damaged file is recovered, the old file is kept, and the loss is said")
  func repair() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(3000, into: place.path, seed: 31)
    let path = place.path + "/2026-11-24.db"
    let rows = Set(truth.rows)
    let before = try HistoryFolder(place.path).rows(notAfterMs: .max, limit: 10_000, skipping: 0)
    #expect(before.count == 3000)
    try damage(path, from: 20_000, step: 40_000)
    let readable = try HistoryFolder(place.path).rows(
      notAfterMs: .max, limit: 10_000, skipping: 0)
    #expect(readable.count < 3000)
    let trial = try HistoryRepair.repair(place.path, suffix: "then", isTrial: true)
    #expect(trial.count == 1 && trial[0].keptAs == nil)
    let results = try HistoryRepair.repair(place.path, suffix: "then", isTrial: false)
    #expect(results.count == 1)
    let result = try #require(results.first)
    #expect(result.keptAs == "2026-11-24.db.broken-then")
    #expect(result.problem == nil)
    #expect(FileManager.default.fileExists(atPath: path + ".broken-then"))
    let history = try HistoryFolder(place.path)
    let after = try history.rows(notAfterMs: .max, limit: 10_000, skipping: 0)
    #expect(after.allSatisfy { rows.contains($0) })
    #expect(after.count >= readable.count)
    #expect(after.count + result.lostRows == 3000)
    #expect(try HistoryUpkeep.verify(place.path).allSatisfy(\.isSound))
    if result.lostRows > 0, result.lostFromMs != nil {
      #expect(try history.outages(after: 0, through: .max).contains { $0.reason == .damaged })
    }
    #expect(try HistoryRepair.repair(place.path, suffix: "again", isTrial: false) == [])
  }

  @Test("damage at any place: no wrong row, and repair leaves a sound file or says why not")
  func anywhere() throws {
    let place = HistoryPlaceForTests()
    let truth = RecorderTests.record(600, into: place.path, seed: 33, runs: 1)
    let path = place.path + "/2026-11-24.db"
    let good = try Data(contentsOf: URL(filePath: path))
    let rows = Set(truth.rows)
    var samples = HistorySamples(seed: 3)
    let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
    for round in 0..<(isLong ? 200 : 12) {
      var broken = good
      for _ in 0..<5 { broken[samples.random(good.count)] ^= UInt8(1 + samples.random(255)) }
      try broken.write(to: URL(filePath: path))
      let readable =
        (try? HistoryFolder(place.path))
        .flatMap { try? $0.rows(notAfterMs: .max, limit: 10_000, skipping: 0) } ?? []
      let results = try HistoryRepair.repair(place.path, suffix: "\(round)", isTrial: false)
      let found = try HistoryFolder(place.path).rows(notAfterMs: .max, limit: 10_000, skipping: 0)
      #expect(found.allSatisfy { rows.contains($0) })
      if results.allSatisfy({ $0.problem == nil }) {
        #expect(try HistoryUpkeep.verify(place.path).allSatisfy(\.isSound))
        // Two ways through a damaged tree may differ by a row.
        #expect(found.count >= readable.count - 2, "round \(round)")
      }
      for name in try FileManager.default.contentsOfDirectory(atPath: place.path)
      where name.hasPrefix("2026") {
        try? FileManager.default.removeItem(atPath: place.path + "/" + name)
      }
    }
  }
}
