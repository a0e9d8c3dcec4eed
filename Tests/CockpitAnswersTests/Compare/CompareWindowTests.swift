import CockpitStores
import CockpitText
import Foundation
import Testing

@testable import CockpitAnswers

@Suite struct CompareWindowTests {
  private static let dayMs: Int64 = 86_400_000
  /// 2026-11-20 12:00 UTC, a Friday.
  private static let nowMs: Int64 = 1_795_176_000_000

  private func parse(_ words: String...) -> [CompareWindow]? {
    CompareWindow.parse(words, nowMs: Self.nowMs, in: .utc)
  }

  @Test func forms() {
    #expect(parse("2h") == [CompareWindow(.last(ms: 7_200_000))])
    #expect(parse("yesterday", "today") == [CompareWindow(.yesterday), CompareWindow(.today)])
    let ten = Self.nowMs - 7_200_000
    #expect(parse("2026-11-20T10:00/2h") == [CompareWindow(.range(ten..<Self.nowMs))])
    #expect(parse("10:00/12:00") == [CompareWindow(.range(ten..<Self.nowMs))])
    #expect(parse("2026-11-20T11:00:00+01:00/2h") == [CompareWindow(.range(ten..<Self.nowMs))])
    #expect(parse("session", "abc", "session:d") == [.init(.session("abc")), .init(.session("d"))])
    #expect(parse("epoch") == [CompareWindow(.epoch(-1)), CompareWindow(.epoch(0))])
    #expect(parse("epoch", "-2", "epoch:-1") == [.init(.epoch(-2)), .init(.epoch(-1))])
    #expect(parse("today+model:opus+guild:den") == [.init(.today, guild: "den", model: "opus")])
    #expect(parse("model:a", "model:b") == [.init(.all, model: "a"), .init(.all, model: "b")])
    #expect(parse("a.flight", "bot:night") == [.init(.file("a.flight")), .init(.bot("night"))])
    #expect(parse("before") == [CompareWindow(.sameHoursBefore)])
  }

  @Test(arguments: [
    "", "nonsense", "2x", "today+tomorrow", "12:00/10:00x", "epoch:1", "guild:", "-1",
  ])
  func strays(word: String) { #expect(parse(word) == nil, "\(word)") }

  private func reply(day: Int, second: Int) -> CompareUnits.Turn {
    let startMs = Self.nowMs - Int64(day) * Self.dayMs - 1_800_000
    return CompareUnits.Turn(
      timeMs: startMs + Int64(second) * 1000, isVoice: false, outcome: .replied,
      evidence: Answer.Evidence(claim: ""))
  }

  private func units(_ days: [Int], turns: Int = 8) -> CompareUnits {
    var units = CompareUnits()
    units.fromMs = Self.nowMs - 40 * Self.dayMs
    units.toMs = Self.nowMs
    for day in days.sorted(by: >) {
      for turn in 0..<turns {
        units.turns.append(reply(day: day, second: turn))
      }
    }
    return units
  }

  /// The Fridays, Thursdays … before: weekends are left out.
  @Test func baselineOfTheSameHours() {
    let range = Self.nowMs - 3_600_000..<Self.nowMs
    let all = CompareBaseline.side(for: range, of: units(Array(1...14)))
    #expect(all.side.name == "the same hours of 10 weekdays before")
    #expect(all.slots.count == 10 && all.side.turns.count == 80)
    #expect(!all.side.ranges.contains { $0.lowerBound == range.lowerBound - 6 * Self.dayMs })
    // Too few of the same kind: any day of the last week.
    let week = CompareBaseline.side(for: range, of: units([1, 5, 6, 9]))
    #expect(week.side.name == "the same hours of 3 weekdays before" || week.slots.count == 3)
    let few = CompareBaseline.side(for: range, of: units([5, 6]))
    #expect(few.side.name == "the same hours of 2 days of the last 7")
    // Days with fewer turns than a median needs do not count.
    let thin = CompareBaseline.side(for: range, of: units([1, 2, 3], turns: 5))
    #expect(thin.side.name == "the 24 hours before" && thin.slots.isEmpty)
    let long = Self.nowMs - 3 * Self.dayMs..<Self.nowMs
    #expect(CompareBaseline.side(for: long, of: units([1, 4])).side.name == "the same time before")
  }

  /// Days that differ from each other: within them the current one is nothing new.
  @Test func daysThatDiffer() throws {
    var units = units([])
    for day in 0...6 {
      for turn in 0..<30 {
        // Medians of 1 to 6 s; now it is 5 s.
        var turn = reply(day: day, second: turn)
        turn.latencyMs = (day == 0 ? 5000 : day * 1000) + Int(turn.timeMs / 1000) * 7 % 30 * 10
        units.turns.append(turn)
      }
    }
    units.turns.sort { $0.timeMs < $1.timeMs }
    let range = Self.nowMs - 3_600_000..<Self.nowMs
    let now = CompareSide("now", [range], of: units)
    var slots = (1...6).map { day -> CompareSide in
      let shift = Int64(day) * Self.dayMs
      return CompareSide("", [range.lowerBound - shift..<range.upperBound - shift], of: units)
    }
    let before = CompareSide(
      "before", slots.flatMap(\.ranges).sorted { $0.lowerBound < $1.lowerBound }, of: units)
    let figure = try #require(
      CompareBuilder.compare(before, now, slots: slots)["text_reply_p50"])
    #expect(figure.verdict == .same)
    // Four days are too few to know how much days differ.
    slots.removeLast(2)
    let alone = try #require(
      CompareBuilder.compare(before, now, slots: slots)["text_reply_p50"])
    #expect(alone.verdict != .better)
  }

  @Test func epochs() {
    func change(_ ms: Int64, _ kind: LedgerChange.Kind) -> LedgerChange {
      LedgerChange(
        kind: kind, timeMs: ms, role: "", from: "", to: "", evidence: Answer.Evidence(claim: ""))
    }
    let epochs = Epoch.all(
      [
        change(100_000, .login), change(130_000, .model), change(400_000, .settings),
        change(500_000, .prompt),
      ], fromMs: 0, toMs: 900_000)
    #expect(epochs.map(\.range) == [0..<100_000, 100_000..<500_000, 500_000..<900_000])
    #expect(epochs.map(\.beganWith.count) == [0, 2, 1])
    #expect(Epoch.all([], fromMs: 5, toMs: 5).isEmpty)
  }
}
