import CockpitDomain
import CockpitHistory
import CockpitPanes
import CockpitRules
import HistoryTestKit
import Testing

@testable import CockpitSession

/// One time line over the histories of several bots, compared with the union of their rows.
@Suite struct ReplayTimeLineTests {
  private static let start: Int64 = 1_795_600_800_000

  private static func history(_ times: [Int64], outages: [RecordedOutage] = []) -> MemoryHistory {
    MemoryHistory(
      rows: times.enumerated().map { index, ms in
        RecordedRow(
          seq: Int64(index), atMs: ms, receivedMs: ms, actionID: index, channels: .activity,
          json: Array(#"{"kind":"sent_reply","content":"x"}"#.utf8))
      }, outages: outages)
  }

  private static func line(_ histories: [any HistoryReading]) -> ReplayTimeLine {
    ReplayTimeLine(
      tracks: histories.enumerated().map {
        .init(name: "bot\($0.offset)", history: $0.element, rules: .init())
      })
  }

  @Test("steps go from row to row of all bots", arguments: 0..<40)
  func steps(seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int64) -> Int64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int64(state % UInt64(limit))
    }
    let times = (0..<3).map { _ in
      (0..<Int(random(12))).map { _ in Self.start + random(10_000) }.sorted()
    }
    let line = Self.line(times.map { Self.history($0) } + [NoHistory()])
    let all = Set(times.joined()).sorted()
    #expect(try line.span() == all.first.flatMap { first in all.last.map { first...$0 } })
    var walked: [Int64] = []
    while let ms = try line.row(after: walked.last ?? 0, through: .max) { walked.append(ms) }
    #expect(walked == all)
    var back: [Int64] = []
    while let ms = try line.row(before: back.last ?? .max) { back.append(ms) }
    #expect(back == all.reversed())
  }

  @Test(
    "a part is missing where it is missing of each bot; the bots that are not recorded are named")
  func missing() throws {
    let start = Self.start
    func outage(_ from: Int64, _ to: Int64) -> RecordedOutage {
      RecordedOutage(fromMs: start + from, toMs: start + to, reason: .stopped)
    }
    let line = Self.line([
      Self.history([start + 50, start + 950], outages: [outage(100, 600)]),
      Self.history([start + 450, start + 900], outages: [outage(500, 800)]),
    ])
    let parts = try line.parts(of: start...start + 1000, count: 10)
    #expect(
      parts.map(\.isMissing) == [
        false, false, false, false, false, true, true, false, false, false,
      ])
    #expect(parts.reduce(0) { $0 + $1.rows } == 4)
    #expect(try line.missing(at: start + 60)?.names == ["bot1"], "its record begins later")
    #expect(try line.missing(at: start + 460)?.names == ["bot0"])
    #expect(try line.missing(at: start + 550)?.names == ["bot0", "bot1"])
    #expect(try line.missing(at: start + 850) == nil)
    let alone = Self.line([Self.history([start + 50], outages: [outage(100, 600)])])
    #expect(try alone.missing(at: start + 10) == nil)
    #expect(try alone.missing(at: start + 200)?.outage == outage(100, 600))
  }
}
