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
      mark.target.as(RowsBehind.self).map { (mark.area, $0.query) }
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
    #expect(Set(list.figures.map(\.query)).count == list.figures.count)
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
}
