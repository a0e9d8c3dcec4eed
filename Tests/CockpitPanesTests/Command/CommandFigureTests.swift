import CockpitStores
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The figures of CMD and the rows behind them.
@MainActor
@Suite struct CommandFigureTests {
  private func frame(_ size: Size) -> Frame {
    var fixture = CommandFixture.rich()
    var shell = CockpitShell(tab: .cmd, size: size)
    return fixture.draw(&shell).frame
  }

  private func queries(_ frame: Frame) -> [(area: Rect, query: String)] {
    frame.marks.compactMap { mark in
      mark.target.as(RowsBehind.self)?.query.map { (mark.area, $0) }
    }
  }

  @Test("each day of the cost chart is a target for exactly its rows")
  func days() throws {
    let queries = queries(frame(Size(width: 200, height: 60)))
    let day = "is:costed since:2026-02-27T00:00 before:2026-02-28T00:00"
    let bars = queries.filter { $0.query == day }
    #expect(bars.count > 3, "a target in each row of the chart: \(queries.map(\.query))")
    #expect(Set(bars.map(\.area.x)).count == 1)
    #expect(queries.contains { $0.query == "is:costed since:2026-03-01T00:00" })
    #expect(queries.contains { $0.query == "is:costed | sum cost by day" })
  }

  @Test(
    "the list of figures has the costs, replies and counters of the screen, each once",
    arguments: [Size(width: 80, height: 24), Size(width: 200, height: 60)])
  func list(size: Size) {
    let list = FigureList(frame(size))
    let texts = list.figures.map(\.text.description)
    for head in size.width > 100 ? ["TODAY UTC", "RATE", "REPLY 24 H"] : ["COST"] {
      #expect(texts.contains { $0.hasPrefix(head) }, "\(head): \(texts)")
    }
    #expect(Set(list.figures.map(\.target)).count == list.figures.count)
    #expect(texts.allSatisfy { $0.contains { $0.isNumber || $0.isLetter } }, "\(texts)")
  }

  @Test("who waits for a reply: admitted, with no outcome and no refusal after it")
  func waiting() throws {
    func row(_ id: Int, _ kind: String, _ content: String, _ message: String, _ more: String = "")
      -> String
    {
      Fixture.row(
        id, "14:30:0\(id).000", kind, content: content,
        metadata: #"{"triggerMessageId":"\#(message)"\#(more)}"#)
    }
    let admission = "reply_admission_decision"
    let messages = (1...4).map { "13600000000000000\($0)0" }
    let fixture = Fixture(
      rows: [
        row(8, "text_runtime", admission, messages[3], #","allow":true"#),
        row(7, "reply_skipped", "llm_skip", messages[2]),
        row(6, "text_runtime", "reply_queue_gate_rejected", messages[1], #","allow":false"#),
        row(5, "sent_reply", "hello", messages[0]),
        row(4, "text_runtime", admission, messages[2], #","allow":true"#),
        row(3, "text_runtime", admission, messages[1], #","allow":true"#),
        row(2, "text_runtime", admission, messages[0], #","allow":true"#),
        row(1, "text_runtime", admission, "136000000000000099", #","allow":true"#),
      ])
    let log = fixture.activity.log
    var waiting = WaitingReplies()
    waiting.follow(log, pending: 2, nowMs: Fixture.nowMs)
    #expect(waiting.rows.map { log.row($0)?.actionID } == [8, 1])
    waiting.follow(log, pending: 0, nowMs: Fixture.nowMs)
    #expect(waiting.rows.isEmpty)
  }

  @Test("people whose last model call failed: counted once each, until a call for them succeeds")
  func unanswered() throws {
    func call(
      _ id: Int, _ second: Int, _ kind: String, _ user: String, _ channel: String,
      source: String = "reply_pipeline"
    ) -> String {
      Fixture.row(
        id, "14:30:0\(second).000", kind, content: "529", user: user, channel: channel,
        metadata: #"{"source":"\#(source)"}"#)
    }
    let fixture = Fixture(
      rows: [
        call(7, 7, "llm_error", "9", "c3", source: "automation_run"),
        call(6, 6, "llm_error", "3", "c1"), call(5, 5, "llm_call", "2", "c2"),
        call(4, 4, "llm_error", "2", "c2"), call(3, 3, "llm_error", "1", "c2"),
        call(2, 2, "llm_error", "1", "c1"), call(1, 1, "llm_call", "1", "c1"),
      ])
    let log = fixture.activity.log
    var people = UnansweredPeople()
    people.follow(log)
    let found = people.unanswered(sinceMs: 0)
    #expect(found.rows.map { log.row($0)?.actionID } == [6, 3] && found.channels == 2)
    #expect(people.unanswered(sinceMs: Fixture.nowMs).rows.isEmpty)
  }

  @Test("the queue says that it is the bot's own, and people without an answer stand below it")
  func queue() throws {
    var fixture = CommandFixture.rich()
    var shell = CockpitShell(tab: .cmd, size: Size(width: 200, height: 60))
    let frame = fixture.draw(&shell).frame
    let lines = frame.canvas.text.split(separator: "\n").map(String.init)
    let queue = try #require(lines.firstIndex { $0.contains("in bot's queue,") })
    #expect(lines[queue + 1].contains("CALL FAILED"), "\(lines[queue + 1])")
    let forecast = try #require(
      FigureList(frame).figures.first { $0.text.description.hasPrefix("FORECAST") })
    #expect(forecast.words.description.hasPrefix("is:costed since:"))
    #expect(forecast.behind?.remark != nil)
  }
}
