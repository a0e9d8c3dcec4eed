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
    // Batches end where the recorder's thread finds time, so that each run lays out its pages differently: whatever
    // the damage meets, what can be read is recovered.
    let whole = try Data(contentsOf: URL(filePath: path))
    for from in stride(from: 12_000, to: 52_000, by: 4096) {
      try whole.write(to: URL(filePath: path))
      try damage(path, from: from, step: 40_000)
      // The bytes may all lie where nothing is.
      if try HistoryUpkeep.verify(place.path).allSatisfy(\.isSound) { continue }
      let readable = try HistoryFolder(place.path).rows(
        notAfterMs: .max, limit: 10_000, skipping: 0)
      let trial = try HistoryRepair.repair(place.path, suffix: "then", isTrial: true)
      #expect(trial.count == 1 && trial[0].keptAs == nil, "from \(from)")
      let results = try HistoryRepair.repair(place.path, suffix: "then", isTrial: false)
      #expect(results.count == 1, "from \(from)")
      let result = try #require(results.first)
      #expect(result.problem == nil, "from \(from)")
      #expect(result.keptAs == "2026-11-24.db.broken-then", "from \(from)")
      #expect(FileManager.default.fileExists(atPath: path + ".broken-then"))
      let history = try HistoryFolder(place.path)
      let after = try history.rows(notAfterMs: .max, limit: 10_000, skipping: 0)
      #expect(after.allSatisfy { rows.contains($0) }, "from \(from)")
      // Two ways through a damaged tree may differ by a row.
      #expect(after.count >= readable.count - 2, "from \(from)")
      #expect(after.count + result.lostRows == 3000, "from \(from)")
      #expect(try HistoryUpkeep.verify(place.path).allSatisfy(\.isSound), "from \(from)")
      if result.lostRows > 0, result.lostFromMs != nil {
        #expect(try history.outages(after: 0, through: .max).contains { $0.reason == .damaged })
      }
      #expect(try HistoryRepair.repair(place.path, suffix: "again", isTrial: false) == [])
      try FileManager.default.removeItem(atPath: path + ".broken-then")
    }
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
