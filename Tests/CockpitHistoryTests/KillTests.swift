import CockpitHistory
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `kill -9` of a recorder at random moments. The child is the probe of this target.
@Suite struct KillTests {
  /// The program that is killed; nil if it was not built.
  static var probe: String? {
    let beside = Bundle.main.bundleURL.deletingLastPathComponent().appending(path: "history-probe")
    return [
      beside.path,
      URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/debug/history-probe").path,
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  @Test(
    "kill -9 at 1,000 rows a second: nothing older than the window is missing, nothing is there twice"
  )
  func kills() async throws {
    let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
    let path = try #require(Self.probe)
    var samples = HistorySamples(seed: UInt64(getpid()))
    var checked = 0
    for _ in 0..<(isLong ? 100 : 4) {
      let place = HistoryPlaceForTests()
      let pipe = Pipe()
      let process = Process()
      process.executableURL = URL(filePath: path)
      process.arguments = [place.path, "50"]
      process.standardOutput = pipe
      try process.run()
      usleep(UInt32(150_000 + samples.random(1_200_000)))
      kill(process.processIdentifier, SIGKILL)
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      // One line for each row that was given: number, time.
      let given = String(decoding: output, as: UTF8.self).split(separator: "\n")
        .compactMap { line -> (number: Int, ms: Int64)? in
          let parts = line.split(separator: " ")
          guard parts.count == 2, let number = Int(parts[0]), let ms = Int64(parts[1]) else {
            return nil
          }
          return (number, ms)
        }
      guard let last = given.last else { continue }
      checked += 1
      let history = try HistoryFolder(place.path)
      let rows = try history.rows(notAfterMs: .max, limit: 100_000, skipping: 0)
      #expect(history.damage == HistoryDamage())
      let numbers = rows.map { row -> Int in
        let text = String(decoding: row.json, as: UTF8.self)
        return text.firstMatch(of: /row(\d+)/).flatMap { Int($0.1) } ?? -1
      }
      #expect(Set(numbers).count == numbers.count)
      #expect(numbers.sorted() == Array(0..<numbers.count))
      // The window of the probe is 50 ms; a loaded machine takes its time for a transaction.
      let old = given.filter { $0.ms < last.ms - 1000 }.count
      #expect(numbers.count >= old, "\(numbers.count) of \(given.count), \(old) of them old")
    }
    #expect(checked > 0)
  }
}
