import Testing

@testable import CockpitHistory

@Suite struct RetentionTests {
  private static let files = (0..<5).map { day in
    Retention.File(
      name: DayName(day: Int64(day)), bytes: 100, lastMs: Int64(day + 1) * DayName.msPerDay)
  }
  private static let nowMs = 5 * DayName.msPerDay

  @Test("the oldest files go by age, bytes and need; never the newest, and none that is pinned")
  func surplus() {
    func days(
      keepMs: Int64? = nil, maxBytes: Int? = nil, wanted: Int = 0, pinned: Int? = nil
    ) -> [Int64] {
      var files = Self.files
      if let pinned { files[pinned].isPinned = true }
      return Retention.surplus(
        files, keepMs: keepMs, maxBytes: maxBytes, nowMs: Self.nowMs, wanted: wanted
      ).map(\.day)
    }
    #expect(days() == [])
    #expect(days(keepMs: 2 * DayName.msPerDay) == [0, 1])
    #expect(days(maxBytes: 250) == [0, 1, 2])
    #expect(days(maxBytes: 1) == [0, 1, 2, 3])
    #expect(days(keepMs: 2 * DayName.msPerDay, pinned: 0) == [1])
    #expect(days(wanted: 150) == [0, 1])
    #expect(days(maxBytes: 250, pinned: 1) == [0, 2, 3])
  }

  @Test("names of files are days, and parts of days")
  func names() {
    for day in stride(from: Int64(0), to: 60_000, by: 37) {
      for part in [1, 2, 11] {
        let name = DayName(day: day, part: part)
        #expect(DayName(name.fileName) == name)
      }
    }
    #expect(DayName(ms: 1_795_557_600_000).fileName == "2026-11-24.db")
    #expect(DayName("2026-11-24-2.db") == DayName(day: DayName(ms: 1_795_557_600_000).day, part: 2))
    for odd in ["notes.db", "2026-11.db", "2026-13-01.db", "a-b-c.db", "2026-11-24.db-wal"] {
      #expect(DayName(odd) == nil)
    }
  }

  @Test("the checksum is CRC-32C")
  func checksum() {
    #expect(Array("123456789".utf8).withUnsafeBytes { Checksum.of($0) } == 0xE306_9283)
  }
}
