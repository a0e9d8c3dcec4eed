import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitHistory
import CockpitRules
import CockpitStatistics
import Foundation
import Testing

@testable import CockpitSession

/// What the hours of recorded days cost, against the rows that were written.
@Suite struct SpendHistoryTests {
  private static let dayMs: Int64 = 86_400_000
  private static let firstDay = 20_000

  private final class Place {
    let path =
      FileManager.default.temporaryDirectory.path + "/spend-\(UInt64.random(in: 0 ... .max))"
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func row(
    _ kind: String, _ atMs: Int64, _ usd: Double, tokens: Int = 0, more: String = ""
  ) -> [UInt8] {
    let time = WireTime(milliseconds: atMs).iso
    return Array(
      """
      {"kind":"\(kind)","content":"openai:m","createdAt":"\(time)","userId":"u1","channelId":"c1",\
      "guildId":"g1","usdCost":\(usd),"metadata":{"usage":{"inputTokens":\(tokens),"outputTokens":1}\(more)}}
      """.utf8)
  }

  @Test("sums by hour, browser runs once, hours with an outage or a gap unknown, days read once")
  func sums() throws {
    let place = Place()
    let start = Int64(Self.firstDay) * Self.dayMs
    var rows: [(ms: Int64, json: [UInt8])] = []
    func write(_ json: [UInt8], _ atMs: Int64) { rows.append((atMs, json)) }
    // $0.01 a call, and one to five calls an hour; on the first day a browser run of two steps with its total.
    for day in 0..<9 as Range<Int64> {
      for hour in 0..<24 as Range<Int64> {
        for call in 0...hour % 5 {
          let atMs = start + day * Self.dayMs + hour * 3_600_000 + call * 60_000
          write(Self.row("llm_call", atMs, 0.01, tokens: 99), atMs)
        }
      }
    }
    let runMs = start + 10 * 3_600_000 + 1_800_000
    write(Self.row("llm_tool_call", runMs, 0.2), runMs)
    write(Self.row("llm_tool_call", runMs + 30_000, 0.3), runMs + 30_000)
    write(
      Self.row("browser_browse_call", runMs + 60_000, 0.5, more: #","durationMs":60000"#),
      runMs + 60_000)
    let outageFrom = start + 2 * Self.dayMs + 7_200_000
    let outageJSON = Array(
      #"{"from_ms":\#(outageFrom),"to_ms":\#(outageFrom + 60_000),"why":"recorder stopped"}"#.utf8)
    let outage = RecordedOutage(
      fromMs: start + 2 * Self.dayMs + 7_200_000, toMs: start + 2 * Self.dayMs + 7_260_000,
      reason: .stopped)
    rows.sort { $0.ms < $1.ms }
    let isWritten = DailyRecording.write(rows, into: place.path) { day, recorder in
      func link(_ what: RecordedLink.What, _ atMs: Int64, _ json: String) {
        recorder.link(what, atMs: atMs, receivedMs: atMs, value: Array(json.utf8))
      }
      switch Int(day) - Self.firstDay {
      case 2:
        recorder.link(
          .outage, atMs: outage.toMs, receivedMs: outage.toMs, value: outageJSON)
      case 3:
        // Rows that nobody has any more, noticed in the next hour; and some that were fetched in the end.
        let atMs = day * Self.dayMs + 5 * 3_600_000 + 3_000_000
        let gap = #"{"from":90,"to":95,"at_ms":\#(atMs)}"#
        link(.gap, atMs + 1_200_000, gap)
        let early = #"{"from":10,"to":12,"at_ms":\#(day * Self.dayMs + 60_000)}"#
        link(.gap, day * Self.dayMs + 120_000, early)
        link(.gapClosed, day * Self.dayMs + 180_000, early)
      default: break
      }
    }
    #expect(isWritten)

    let history = try HistoryFolder(place.path)
    let spend = SpendHistory(history)
    let nowMs = start + 8 * Self.dayMs + 43_200_000
    let profile = try #require(try spend.profile(nowMs: nowMs))
    #expect(profile.usd.days.map(\.number) == Array(Self.firstDay..<Self.firstDay + 8))
    for day in profile.usd.days {
      for hour in 0..<24 {
        let isUnknown =
          day.number == Self.firstDay + 2 && hour == 2
          || day.number == Self.firstDay + 3 && (hour == 5 || hour == 6)
        var truth = 0.01 * Double(hour % 5 + 1)
        if day.number == Self.firstDay, hour == 10 { truth += 0.5 }
        guard let known = day.hours[hour] else {
          #expect(isUnknown, "\(day.number) \(hour)")
          continue
        }
        #expect(!isUnknown && abs(known - truth) < 1e-9, "\(day.number) \(hour): \(known)")
      }
    }
    #expect(profile.tokens.days.last?.hours[7] == 300)
    // Silence is no news in such hours either.
    let third = start + 3 * Self.dayMs
    let recorded = try history.recorded(fromMs: third, toMs: third + Self.dayMs)
    let gapMs = third + 5 * 3_600_000 + 3_000_000
    #expect(recorded.first == third..<gapMs)
    #expect(recorded.dropFirst().first?.lowerBound == gapMs + 1_200_000)
    let day = Int64(Self.firstDay)
    let hours = try HourBook(history, nil).table(for: day + 8...day + 8)
    #expect(hours[day + 3].recorded == 0xFF_FFFF & ~(1 << 5 | 1 << 6))
    // Kept: nothing is read again, and the figures are the same.
    let again = try spend.profile(nowMs: nowMs) { false }
    #expect(again == profile)
    // The sums outlive the records of a day, and an unknown hour stays unknown.
    for day in 1...2 {
      let name = WireTime(milliseconds: start + Int64(day) * Self.dayMs).utcDay + ".db"
      try FileManager.default.removeItem(atPath: place.path + "/" + name)
    }
    let without = SpendHistory(try HistoryFolder(place.path))
    #expect(try without.profile(nowMs: nowMs) == profile)
    try FileManager.default.removeItem(atPath: place.path + "/notes.db")
    #expect(try without.profile(nowMs: nowMs) { false } == nil)
    let rest = try #require(try without.profile(nowMs: nowMs))
    #expect(
      rest.usd.days == profile.usd.days.filter { ![1, 2].contains($0.number - Self.firstDay) })
  }
}
