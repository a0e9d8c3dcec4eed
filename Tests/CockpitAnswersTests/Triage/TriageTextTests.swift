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
        == "models fail 18:00, 3x. Check the model provider's status and key. +1 more")
    #expect(
      text.lines(columns: 77, limit: 2).map(\.description) == [
        "Model calls fail: 529 Overloaded. Since 18:00:01, 3 times.",
        "Check the model provider's status and key. +1 more",
      ])
    let keyed = TriageText(report(["models", "search"]), clock: Self.clock, listKey: "!")
    #expect(
      keyed.lines(columns: 77, limit: 2).last
        == "Check the model provider's status and key. ! 1 more")
    #expect(text.lines(columns: 117, limit: 2).count == 1, "one row where all fits")
    #expect(text.word == "models fail" && text.lineRole == .negative)
  }

  @Test(
    "what is wrong, since when, how often and what to do are whole in 77 columns for every rule",
    arguments: [nil, "!"] as [PlainText?])
  func narrow(key: PlainText?) throws {
    for fixture in TriageFixture.all {
      for (count, isOlder) in [(1, false), (3, true), (9_999, false)] {
        var trouble = try #require(fixture.report().open.first)
        (trouble.count, trouble.mayBeOlder) = (count, isOlder)
        let others = Array(repeating: trouble, count: 12)
        let report = TriageReport(isKnown: true, open: others, atMs: trouble.sinceMs)
        let text = TriageText(report, clock: Self.clock, listKey: key)
        let next = try #require(trouble.answer.next?.sentence)
        let since = "\(Self.clock.time(ms: trouble.sinceMs))".prefix(5)
        let times = [", \(Figures.count(count))x.", ", \(Figures.count(count)) times."]
        let line = try #require(text.line(columns: 77)).description
        #expect(line.contains(next), "\(line)")
        #expect(line.contains(since) && (count == 1 || times.contains(where: line.contains)))
        #expect(line.hasSuffix("11 more") || line.hasSuffix("+11"), "\(line)")
        #expect(!line.contains("…") || line.count > 60, "\(line)")
        let rows = text.lines(columns: 77, limit: 2).map(\.description)
        let last = key == nil ? " +11 more" : " ! 11 more"
        #expect(rows.last?.hasSuffix(next + last) == true, "\(rows)")
        #expect(rows.joined().contains(since), "\(rows)")
        for columns in 0...200 {
          for limit in 1...2 {
            let lines = text.lines(columns: columns, limit: limit)
            #expect(lines.count <= limit && lines.allSatisfy { $0.columns <= columns })
          }
        }
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

  @Test("how many people a failing model leaves without an answer, and in how many channels")
  func people() throws {
    func sentence(_ rows: [(user: String, channel: String, source: String)]) throws -> String {
      let log = ActionLog()
      for (index, row) in rows.enumerated() {
        let json = """
          {"id":\(index + 1),"created_at":"2026-05-09T18:00:0\(index).000Z","kind":"llm_error",
          "user_id":"\(row.user)","channel_id":"\(row.channel)","content":"529 Overloaded",
          "metadata":{"source":"\(row.source)"}}
          """
        _ = Array("[\(json)]".utf8).withUnsafeBytes {
          log.ingestRows($0, nowMs: TriageFixture.startMs)
        }
      }
      var board = TriageBoard()
      board.judge(TriageInput(nowMs: TriageFixture.startMs + 20_000), rows: log)
      return try #require(board.report.open.first?.answer.sentence)
    }
    let text = "message_event"
    #expect(
      try sentence([("1", "7", text), ("2", "8", text), ("3", "8", text), ("3", "8", text)])
        == "Model calls for 3 people in 2 channels fail: 529 Overloaded.")
    #expect(
      try sentence([("1", "7", text), ("1", "8", text), ("1", "8", text)])
        == "Model calls fail: 529 Overloaded.")
    #expect(
      try sentence([("1", "7", text), ("2", "7", text), ("9", "8", "automation_run")])
        == "Model calls for 2 people fail: 529 Overloaded.", "its own calls are nobody's")
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
