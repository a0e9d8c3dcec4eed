import ClankyWire
import CockpitDomain
import CockpitHistory
import Foundation
import HistoryTestKit
import Testing

/// After a start the backend gives its newest rows again: each stands once in the history.
@Suite struct EarlierRowsTests {
  /// 2026-11-24 23:50 UTC: the second run begins after midnight, with another file.
  private static let startMs: Int64 = RecorderTests.startMs + 110 * 60_000

  private struct Row {
    var id: Int
    var atMs: Int64
    var kind = "sent_reply"
    var words: String

    /// As a list of the backend has it, or as a stream: without an id.
    func json(hasID: Bool) -> [UInt8] {
      let time = WireTime(milliseconds: atMs).iso
      let id = hasID ? "\"id\":\(id)," : ""
      return Array(
        "{\(id)\"created_at\":\"\(time)\",\"kind\":\"\(kind)\",\"channel_id\":\"42\",\"content\":\"\(words)\"}"
          .utf8)
    }
  }

  private static func run(
    _ rows: [Row], into folder: String, nowMs: Int64, hasID: Bool, learns: Bool = false
  ) {
    let clock = TestClock(nowMs)
    let recorder = HistoryRecorder(folder: folder, .test()) { clock.now }
    for (index, row) in rows.enumerated() {
      row.json(hasID: hasID).withUnsafeBytes {
        recorder.row(number: index, receivedMs: nowMs, channels: .activity, json: $0)
      }
      if learns { recorder.learned(number: index, actionID: row.id, channels: .stored) }
    }
    #expect(recorder.stop(waiting: 60))
    #expect(recorder.state.lastError == nil)
  }

  @Test("given again by later runs, with ids or without, each row is recorded once")
  func restarts() throws {
    let place = HistoryPlaceForTests()
    var rows = (0..<400).map { index in
      Row(id: 1000 + index, atMs: Self.startMs + Int64(index) * 1000, words: "row \(index)")
    }
    // Two rows that differ in nothing but their words.
    rows.append(Row(id: 1400, atMs: Self.startMs + 5000, words: "its twin"))
    Self.run(rows, into: place.path, nowMs: Self.startMs + 420_000, hasID: false)
    // A run after midnight has them with ids, and rows that came meanwhile.
    let newer = (0..<50).map { index in
      Row(
        id: 2000 + index, atMs: Self.startMs + 500_000 + Int64(index) * 1000, words: "new \(index)")
    }
    Self.run(rows + newer, into: place.path, nowMs: Self.startMs + 900_000, hasID: true)
    // Another one learns the ids late. One row is older than all and was never given before.
    let missed = Row(id: 999, atMs: Self.startMs - 1, words: "missed")
    Self.run(
      [missed] + rows + newer, into: place.path, nowMs: Self.startMs + 1_800_000, hasID: false,
      learns: true)
    let history = try HistoryFolder(place.path)
    let found = try history.rows(notAfterMs: .max, limit: 10_000, skipping: 0)
    #expect(found.count == rows.count + newer.count + 1)
    let words = Set((rows + newer + [missed]).map(\.words))
    #expect(Set(found.map { text($0.json) }) == words)
    #expect(Set(found.compactMap(\.actionID)) == Set((rows + newer + [missed]).map(\.id)))
    #expect(history.damage == HistoryDamage())
  }

  private func text(_ json: [UInt8]) -> String {
    let object = try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
    return object?["content"] as? String ?? "?"
  }
}
