import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import Foundation
import TerminalCore
import Testing

@MainActor @Suite struct TriageTextTests {
  private static let clock = ClockFormat(zone: .gmt)

  private func report(_ rules: [String]) -> TriageReport {
    let troubles = TriageFixture.all.filter { rules.contains($0.rule) }
      .flatMap { $0.report().open }
    return TriageReport(isKnown: true, open: troubles, atMs: TriageFixture.startMs + 130_000)
  }

  @Test("the row says what, since when, how often and what to do, as much of it as fits")
  func line() {
    let text = TriageText(report(["models", "search"]), clock: Self.clock)
    #expect(
      text.line(columns: 117)?.description
        == "Model calls fail: 529 Overloaded. Since 18:00:01, 3 times. "
        + "Check the model provider's status and key. +1 more")
    #expect(
      text.line(columns: 77)?.description
        == "models fail since 18:00. Check the model provider's status and key. +1 more")
    #expect(text.word == "models fail" && text.lineRole == .negative)
  }

  @Test("what to do is whole in 77 columns for every rule, with others beside it")
  func narrow() throws {
    for fixture in TriageFixture.all {
      let trouble = try #require(fixture.report().open.first)
      let others = Array(repeating: trouble, count: 12)
      let report = TriageReport(isKnown: true, open: others, atMs: trouble.sinceMs)
      let line = try #require(TriageText(report, clock: Self.clock).line(columns: 77))
      let next = try #require(trouble.answer.next?.sentence)
      #expect(line.description.hasSuffix(next + " +11 more"), "\(line)")
      #expect(line.columns <= 77)
      for columns in 0..<77 {
        #expect(
          (TriageText(report, clock: Self.clock).line(columns: columns)?.columns ?? 0) <= columns)
      }
    }
  }

  @Test("the worst is first; of one level the order of the table holds")
  func order() {
    let all = report(TriageRule.names).open
    #expect(all.map(\.level) == all.map(\.level).sorted(by: >))
    #expect(all.first?.rule == "discord")
    #expect(all.count == TriageFixture.all.count)
  }

  @Test("what ended a moment ago is told for 10 s, and stays in the list for an hour")
  func over() {
    var board = TriageBoard()
    let log = ActionLog()
    let well = Runtime(isReady: true)
    func judge(_ second: Int64, _ runtime: Runtime) -> TriageReport {
      let nowMs = TriageFixture.startMs + second * 1000
      var input = TriageInput(nowMs: nowMs)
      input.runtime = .init(runtime, atMs: nowMs)
      board.judge(input, rows: log)
      return board.report
    }
    _ = judge(0, well)
    for second: Int64 in [3, 6, 9] { _ = judge(second, Runtime(isReady: false)) }
    #expect(board.report.open.map(\.sinceMs) == [TriageFixture.startMs + 3000])
    let back = TriageText(judge(12, well), clock: Self.clock)
    #expect(back.word == "bot back" && back.report.open.isEmpty)
    #expect(
      back.line(columns: 78)?.description
        == "The bot is connected to Discord again. (18:00:03 to 18:00:12)")
    #expect(TriageText(judge(23, well), clock: Self.clock).line(columns: 78) == nil)
    #expect(board.report.over.count == 1)
    #expect(judge(3600, well).over.count == 1)
    #expect(judge(3613, well).over.isEmpty)
  }

  @Test(
    "a state that is wrong for less than 5 s says nothing; one that comes back within 10 s goes on")
  func hysteresis() {
    var board = TriageBoard()
    let log = ActionLog()
    func open(_ second: Int64, isReady: Bool) -> [Int64] {
      let nowMs = TriageFixture.startMs + second * 1000
      var input = TriageInput(nowMs: nowMs)
      input.runtime = .init(Runtime(isReady: isReady), atMs: nowMs)
      board.judge(input, rows: log)
      return board.report.open.map { ($0.sinceMs - TriageFixture.startMs) / 1000 }
    }
    #expect(open(0, isReady: true).isEmpty)
    #expect(open(3, isReady: false).isEmpty)
    #expect(open(6, isReady: true).isEmpty)
    #expect(board.report.over.isEmpty)
    #expect(open(20, isReady: false).isEmpty)
    #expect(open(26, isReady: false) == [20])
    #expect(open(29, isReady: true).isEmpty)
    #expect(open(32, isReady: false) == [20])
  }

  @Test("rows in any order of arrival give the same report")
  func anyOrder() throws {
    let kinds = ["llm_error", "llm_error", "llm_call", "llm_error", "llm_error", "llm_error"]
    func report(_ order: [Int]) -> TriageReport {
      var board = TriageBoard()
      let store = ActivityStore()
      let nowMs = TriageFixture.startMs + 60_000
      for index in order {
        let time = WireTime(milliseconds: TriageFixture.startMs + Int64(index) * 1000).iso
        let row = """
          [{"id":\(index + 1),"created_at":"\(time)","kind":"\(kinds[index])","content":"529"}]
          """
        Array(row.utf8).withUnsafeBytes { _ = store.applyRows($0, nowMs: nowMs) }
        board.judge(TriageInput(nowMs: nowMs), rows: store.log)
      }
      return board.report
    }
    let first = try #require(report([0, 1, 2, 3, 4, 5]).open.first)
    #expect(first.count == 3 && first.sinceMs == TriageFixture.startMs + 3000)
    for order in [[5, 4, 3, 2, 1, 0], [3, 5, 0, 2, 4, 1], [0, 1, 3, 4, 5, 2]] {
      let other = try #require(report(order).open.first)
      #expect((other.count, other.sinceMs) == (first.count, first.sinceMs), "\(order)")
    }
    // Late, the success before the last failure leaves one.
    #expect(report([0, 1, 3, 4, 5]).open.first?.count == 5)
  }
}
