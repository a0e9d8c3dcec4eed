import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct PulsePaneTests {
  private let size = Size(width: 80, height: 24)

  private func live(_ second: Int, _ kind: String = "sent_reply") -> String {
    let second = second < 10 ? "0\(second)" : "\(second)"
    return """
      {"kind":"\(kind)","createdAt":"2026-03-01T14:33:\(second).000Z","content":"row \(second)"}
      """
  }

  @Test("following shows the newest row; a selected row stays where it is when others arrive")
  func anchor() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    #expect(shell.pulse.isFollowing)
    shell.type("j j", &fixture)
    let selected = try #require(shell.pulse.cursor)
    func line() -> Int? {
      let canvas = shell.render(fixture.facts(), size: size).canvas
      return (0..<24).first { canvas[0, $0].glyph == Glyph(UInt32(UInt8(ascii: ">"))) }
    }
    let before = line()
    for second in 1...5 { try fixture.live(live(second)) }
    #expect(shell.pulse.cursor == selected)
    #expect(line() == before)
    #expect(shell.pulse.newCount(fixture.facts()) == 5)
    shell.type("F", &fixture)
    #expect(shell.pulse.isFollowing)
  }

  @Test("only rows that pass the filter are counted as new")
  func newRowsThatPass() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("f", &fixture)
    shell.write("kind:sent_reply", &fixture)
    shell.type("Enter Space", &fixture)
    for second in 1...5 {
      try fixture.live(live(second, second.isMultiple(of: 2) ? "sent_reply" : "llm_call"))
    }
    let facts = fixture.facts(query: shell.pulse.feedQuery)
    #expect(shell.pulse.newCount(facts) == 2)
    #expect(shell.render(facts, size: size).canvas.text(row: 2).contains("PAUSED +2"))
  }

  @Test("a warning of an error kind is no error, wherever errors are counted")
  func oneWayToCountErrors() throws {
    var fixture = Fixture()
    let before = fixture.activity.log.totals.retained
    for second in 1...2 {
      let event = second == 1 ? "dave_epoch_transition_retry" : "response_silent_fallback"
      try fixture.live(
        live(second, "voice_error").replacing(
          #""content":"row"#, with: #""content":"\#(event): row"#))
    }
    let totals = fixture.activity.log.totals.retained
    #expect(totals.failures == before.failures + 1)
    #expect(totals[ChipGroup.error] == totals.failures)
    for text in ["is:error", "is:failure", "chip:error", "severity:error"] {
      #expect(fixture.facts(query: try Query.parse(text)).feed.count == totals.failures, "\(text)")
    }
  }

  @Test("rows a day old have their date beside the clock, younger ones the clock alone")
  func otherDays() throws {
    let row = Fixture.row(1, "09:08:07.000", "sent_reply", content: "old")
      .replacing("2026-03-01", with: "2026-02-27")
    var fixture = Fixture(rows: [row])
    var shell = CockpitShell(size: size)
    func line() -> String { shell.render(fixture.facts(), size: size).canvas.text(row: 3) }
    #expect(line().contains("02-27 09:08 "), "\(line())")
    shell.type("t t", &fixture)
    #expect(line().contains("02-27 09:08:07.000 "), "\(line())")
    shell = CockpitShell(size: Size(width: 60, height: 24))
    shell.type("t t", &fixture)
    let narrow = shell.render(fixture.facts(), size: shell.size).canvas.text
    #expect(narrow.contains("02-27 09:08 "))
    let brain = CockpitShell(tab: .brain, size: Size(width: 120, height: 40))
    var calls = Fixture(rows: [row.replacing("sent_reply", with: "llm_call")])
    let canvas = brain.render(calls.facts(), size: brain.size).canvas
    #expect((0..<40).contains { canvas.text(row: $0).contains("02-27 09:08 ") })
    // Local midnight is no end: yesterday evening is not long ago.
    let evening = Fixture.row(2, "23:56:07.120", "sent_reply", content: "evening")
      .replacing("2026-03-01", with: "2026-02-28")
    var night = Fixture(rows: [evening])
    shell = CockpitShell(size: size)
    func nightLine() -> String { shell.render(night.facts(), size: size).canvas.text(row: 3) }
    #expect(nightLine().contains("23:56:07 ") && !nightLine().contains("02-28"))
    shell.type("t t", &night)
    #expect(nightLine().contains("23:56:07.120 "))
  }

  @Test("a detail without a frame says how many lines are below, one with a frame as well")
  func detailBelow() {
    let words = (0..<90).map { "line \($0)" }.joined(separator: "\n")
    var fixture = Fixture(rows: [Fixture.row(1, "09:08:07.000", "sent_reply", content: words)])
    for (size, mark) in [
      (Size(width: 80, height: 24), #/ \+\d+$/#), (Size(width: 120, height: 40), #/ \d+ more /#),
    ] {
      var shell = CockpitShell(size: size)
      shell.type("Enter", &fixture)
      let canvas = shell.render(fixture.facts(), size: size).canvas
      let lines = (0..<size.height).map { canvas.text(row: $0) }
      #expect(
        lines.contains { line in
          let end = line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
          return end.contains(mark)
        }, "\(canvas.text)")
    }
  }

  @Test("the hints are those of what is open: whole, with what q does, and of a find in BRAIN")
  func hints() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    func hints() -> String {
      shell.render(fixture.facts(), size: size).canvas.text(row: size.height - 1)
    }
    #expect(!hints().contains("p page"))
    shell.type("Enter", &fixture)
    #expect(hints().contains("q close") && hints().contains("p page"))
    shell.type("q", &fixture)
    #expect(!hints().contains("q close"))
    VoiceFixture.rich(fixture)
    shell.type("3 /", &fixture)
    #expect(hints().contains("Enter finds  Esc leaves"))
    #expect(!shell.render(fixture.facts(), size: size).canvas.text.contains("no hit"))
    shell.write("zzzz", &fixture)
    #expect(shell.render(fixture.facts(), size: size).canvas.text.contains("no hit"))
    #expect(HintRow.whole("C-s sends  Esc closes  C-x C-e editor", 30) == "C-s sends  Esc closes")
    #expect(HintRow.whole("one long sentence", 8) == PlainText("one long sentence").cut(to: 8))
  }

  @Test("a detail calls what was heard no model output, and the number of a live row unknown")
  func detailWords() throws {
    for (more, words) in [
      ("", "what was heard"), (#","transcriptSource":"output""#, "model output"),
    ] {
      var fixture = Fixture()
      let size = Size(width: 120, height: 40)
      var shell = CockpitShell(size: size)
      try fixture.live(
        #"""
        {"kind":"voice_runtime","createdAt":"2026-03-01T14:33:01.000Z",
        "content":"openai_realtime_asr_partial_segment","metadata":{"transcript":"hi there"\#(more)}}
        """#)
      shell.type("Enter", &fixture)
      let text = shell.render(fixture.facts(), size: size).canvas.text
      #expect(text.contains(words) && text.contains("live, number not known yet"), "\(text)")
    }
  }

  @Test("new rows stand out, but not while more of them come than there is room for")
  func crowd() throws {
    var fixture = Fixture()
    let shell = CockpitShell(size: size)
    func fresh() -> Int {
      let canvas = shell.render(fixture.facts(), size: size).canvas
      return (0..<24).filter { canvas[3, $0].background == .fresh }.count
    }
    for second in 1...5 { try fixture.live(live(second)) }
    #expect(fresh() == 5)
    for second in 6...50 { try fixture.live(live(second)) }
    #expect(fresh() == 0)
  }

  @Test("pause holds the view, counts what arrives and freezes ages")
  func pause() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("Space", &fixture)
    let before = shell.render(fixture.facts(), size: size).canvas.text(row: 4)
    for second in 1...3 { try fixture.live(live(second)) }
    let canvas = shell.render(fixture.facts(), size: size).canvas
    #expect(canvas.text(row: 4) == before)
    #expect(canvas.text(row: 2).contains("PAUSED +3"))
    shell.type("Space", &fixture)
    #expect(shell.pulse.isFollowing)
  }

  @Test("a filter is typed, completed, applied, switched off and on, and cleared")
  func filter() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("f", &fixture)
    shell.write("kind:llm_*", &fixture)
    shell.type("Enter", &fixture)
    #expect(fixture.facts(query: shell.pulse.feedQuery).feed.count == 2)
    shell.type("\\", &fixture)
    #expect(shell.pulse.feedQuery.isEmpty)
    shell.type("\\ Esc", &fixture)
    #expect(!shell.pulse.isFiltering)
  }

  @Test("a filter that cannot be read is not applied, and says what is wrong")
  func badFilter() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("f", &fixture)
    shell.write("colour:red", &fixture)
    shell.type("Enter", &fixture)
    #expect(shell.pulse.bar == .filter)
    #expect(shell.pulse.query.isEmpty)
    #expect(shell.pulse.queryError != nil)
  }

  @Test("several chips are on at once, and ALL switches them off")
  func chips() {
    var fixture = Fixture()
    var pane = CockpitShell(size: size).pulse
    pane.toggle(.llm)
    pane.toggle(.memory)
    #expect(fixture.facts(query: pane.feedQuery).feed.count == 3)
    pane.toggle(.all)
    #expect(!pane.isFiltering)
  }

  @Test("find selects hits one by one and says when there is none left")
  func find() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("/", &fixture)
    shell.write("rust", &fixture)
    shell.type("Enter", &fixture)
    var hits: Set<RowID> = []
    for _ in 0..<20 {
      if let cursor = shell.pulse.cursor { hits.insert(cursor) }
      shell.type("n", &fixture)
    }
    #expect(hits.count >= 3)
    #expect(shell.pulse.message?.description.contains("no older hit") == true)
    shell.type("&", &fixture)
    #expect(fixture.facts(query: shell.pulse.feedQuery).feed.count == hits.count)
  }

  @Test("errors are jumped to, older and newer")
  func errors() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("]e", &fixture)
    let first = shell.pulse.cursor
    shell.type("]e", &fixture)
    #expect(shell.pulse.cursor != first)
    shell.type("[e", &fixture)
    #expect(shell.pulse.cursor == first)
  }

  @Test("a paste in the list runs no key; in the filter it is text")
  func paste() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    #expect(shell.send(.paste("qqqq\nD"), &fixture).isEmpty)
    #expect(shell.tab == .pulse && shell.pulse.bar == nil)
    shell.type("f", &fixture)
    shell.send(.paste("kind:\nllm_call"), &fixture)
    #expect(shell.pulse.filterField.text == "kind: llm_call")
    #expect(shell.pulse.bar == .filter)
  }

  @Test("what the mouse hits is what the eye sees")
  func mouse() throws {
    var fixture = Fixture()
    let size = Size(width: 120, height: 40)
    var shell = CockpitShell(size: size)
    let facts = fixture.facts()
    let frame = shell.render(facts, size: size)
    let row = try #require(
      frame.targets.first {
        if case .row = $0.target.as(PulsePane.Target.self) { true } else { false }
      })
    _ = shell.handle(
      .mouse(.down(0), column: row.area.x + 3, row: row.area.y, []), on: facts, frame: frame)
    #expect(shell.pulse.cursor != nil)
    _ = shell.handle(
      .mouse(.down(0), column: row.area.x + 3, row: row.area.y, []), on: facts, frame: frame)
    #expect(shell.pulse.isDetailOpen)
    let chip = try #require(frame.targets.first { $0.target == .pulse(.chip(.llm)) })
    _ = shell.handle(
      .mouse(.down(0), column: chip.area.x, row: chip.area.y, []), on: facts, frame: frame)
    #expect(shell.pulse.chips == [.llm])
    let tab = try #require(frame.targets.first { $0.target == .tab(.cmd) })
    _ = shell.handle(.mouse(.down(0), column: tab.area.x, row: 0, []), on: facts, frame: frame)
    #expect(shell.tab == .cmd)
  }

  @Test("q closes one level at a time and quits at the root; Esc never quits")
  func levels() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("Enter z", &fixture)
    #expect(shell.send(.key(.char("q"), []), &fixture).isEmpty)
    #expect(shell.send(.key(.char("q"), []), &fixture).isEmpty)
    for _ in 0..<5 { #expect(shell.send(.key(.escape, []), &fixture).isEmpty) }
    #expect(shell.send(.key(.char("q"), []), &fixture) == [.quit])
  }

  @Test("folds open and close, and raw JSON is one key away")
  func detail() {
    var fixture = Fixture()
    var shell = CockpitShell(size: Size(width: 120, height: 40))
    shell.type("Enter Enter", &fixture)
    #expect(shell.pulse.focus == .detail)
    func text() -> String {
      shell.render(fixture.facts(), size: shell.size).canvas.text
    }
    #expect(text().contains("system prompt"))
    #expect(!text().contains("Be brief."))
    shell.type("G k k k Enter", &fixture)
    #expect(text().contains("Be brief."))
    shell.type("J", &fixture)
    #expect(text().contains("\"provider\": \"claude-oauth\"") || text().contains("\"provider\":"))
  }
}
