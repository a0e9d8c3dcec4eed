import ClankyWire
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// A shell at a level of the feed, brought up to date before each key and frame as the program does it.
@MainActor
struct FeedScene {
  var shell: CockpitShell
  var fixture: Fixture

  init(_ level: FeedLevel, size: Size = Size(width: 80, height: 24), rows: [String] = rows) {
    fixture = Fixture(rows: rows)
    shell = CockpitShell(size: size)
    shell.pulse.level = level
  }

  /// The facts of a frame, after the pane has adapted to them.
  mutating func facts() -> ViewContext {
    let pulse = shell.pulse
    fixture.folding = pulse.folding
    fixture.context = pulse.shownContext
    return fixture.facts(query: pulse.feedQuery)
  }

  mutating func type(_ keys: String) {
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses { send(.key(press.key, press.modifiers)) }
    }
  }

  mutating func write(_ text: String) { for character in text { send(.key(.char(character), [])) } }

  @discardableResult
  mutating func send(_ event: InputEvent) -> [Effect] {
    let facts = facts()
    let effects = shell.handle(
      event, on: facts, frame: shell.render(facts, size: shell.size))
    _ = shell.update(self.facts(), size: shell.size)
    return effects
  }

  mutating func canvas() -> Canvas { shell.render(facts(), size: shell.size).canvas }

  mutating func text() -> String { canvas().text }

  /// The line with the cursor of the feed.
  mutating func selectedLine() -> String {
    let canvas = canvas()
    // Wide screens have a box around the feed.
    let line = (0..<shell.size.height).first { y in
      (0...1).contains { canvas[$0, y].glyph == Glyph(UInt32(UInt8(ascii: ">"))) }
    }
    return line.map(canvas.text(row:)) ?? ""
  }

  private static let message = (1...4).map { "11111111111111111\($0)" }

  private static func step(
    _ id: Int, _ time: String, _ kind: String, _ content: String, _ message: Int,
    user: String = "700000000000000001", more: String = ""
  ) -> String {
    Fixture.row(
      id, time, kind, content: content, user: user,
      metadata: "{\"triggerMessageId\":\"\(Self.message[message])\"\(more)}")
  }

  /// Three messages, the newest last in time: answered, refused, answered; and failures in a row.
  static let rows: [String] = [
    step(
      30, "14:32:06.000", "sent_reply", "Yes, since noon.", 2, user: "900000000000000001",
      more: """
        ,"replyPrompts":{"initialUserPrompt":"=== CURRENT MESSAGE ===\\nMessage from Ada: is it \
        raining?"}
        """),
    step(29, "14:32:05.000", "llm_call", "claude-opus-4-6", 2),
    step(
      28, "14:32:03.500", "text_runtime", "reply_pipeline_gate", 2, more: ",\"allow\":true"),
    step(
      27, "14:32:03.000", "text_runtime", "reply_admission_decision", 2, more: ",\"allow\":true"),
    step(
      20, "14:31:40.000", "text_runtime", "reply_admission_decision", 1,
      user: "700000000000000002", more: ",\"allow\":false,\"reason\":\"not_reply_channel\""),
    Fixture.row(13, "14:31:23.000", "llm_error", content: "529 overloaded_error"),
    Fixture.row(12, "14:31:22.000", "llm_error", content: "529 overloaded_error"),
    Fixture.row(11, "14:31:21.000", "llm_error", content: "529 overloaded_error"),
    step(6, "14:30:09.000", "sent_reply", "Three seats.", 0, user: "900000000000000001"),
    step(5, "14:30:08.000", "llm_call", "claude-opus-4-6", 0),
    step(4, "14:30:07.000", "memory_embedding_call", "text-embedding-3-small", 0),
    step(
      3, "14:30:05.000", "text_runtime", "reply_admission_decision", 0, more: ",\"allow\":true"),
  ]
}

@MainActor
@Suite struct FeedLevelTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]

  @Test("the story, and an unfolded turn in it", arguments: sizes)
  func story(size: Size) throws {
    var scene = FeedScene(.story, size: size)
    try expectGolden(scene.canvas(), "pulse-story-\(size.width)x\(size.height)")
    guard size.width == 120 else { return }
    scene.type("j Enter")
    try expectGolden(scene.canvas(), "pulse-story-unfolded-\(size.width)x\(size.height)")
  }

  @Test("the level is a key, the header says what is folded, and the selected row stays selected")
  func level() {
    var scene = FeedScene(.everything)
    #expect(!scene.text().contains("folded"))
    scene.type("j j")
    #expect(scene.selectedLine().contains("LLM_CALL"))
    scene.type("V")
    #expect(scene.text().contains("STORY"))
    #expect(scene.selectedLine().contains("LLM_CALL"))
    scene.type("V V")
    #expect(scene.selectedLine().contains("LLM_CALL"))
    scene.type("V F")
    #expect(scene.text().contains("STORY 8 folded"))
    #expect(!scene.text().contains("LLM_CALL"))
    // Whom the answer answers.
    #expect(scene.text().contains("Ada: \"is it raining?\""))
  }

  @Test("Enter unfolds the turn, then opens the row; left folds it again")
  func unfolding() {
    var scene = FeedScene(.story)
    #expect(scene.text().contains("+3 steps"))
    scene.type("j Enter")
    #expect(scene.text().contains("REPLY_PIPEL"))
    #expect(!scene.shell.pulse.isDetailOpen)
    #expect(scene.selectedLine().contains("SENT_REPLY"))
    scene.type("j j h")
    #expect(!scene.text().contains("REPLY_PIPEL"))
    #expect(scene.selectedLine().contains("SENT_REPLY"))
    scene.type("Right Enter")
    #expect(scene.shell.pulse.isDetailOpen)
  }

  @Test("a filter shows every row that it finds; find and the jump to errors unfold")
  func nothingIsHidden() {
    var scene = FeedScene(.story)
    scene.type("/")
    scene.write("opus")
    scene.type("Enter")
    #expect(scene.selectedLine().contains("LLM_CALL"))
    scene.type("n")
    #expect(scene.selectedLine().contains("LLM_CALL") && scene.selectedLine().contains("14:30:08"))
    scene.type("Esc F ] e ] e")
    #expect(scene.selectedLine().contains("14:31:22"))
    #expect(scene.text().contains("14:31:21"))
    scene = FeedScene(.story)
    scene.type("f")
    scene.write("kind:llm_call")
    scene.type("Enter")
    #expect(scene.text().contains("FILTER 2/12") && !scene.text().contains("folded"))
    scene.type("V")
    #expect(scene.text().contains("a filter shows every row"))
  }

  @Test("braces walk turns, each at its newest line")
  func turns() {
    var scene = FeedScene(.story)
    scene.type("}")
    #expect(scene.selectedLine().contains("14:32:06"))
    scene.type("}")
    #expect(scene.selectedLine().contains("14:31:40"))
    scene.type("}")
    #expect(scene.selectedLine().contains("14:30:09"))
    scene.type("{")
    #expect(scene.selectedLine().contains("14:31:40"))
    scene.type("{ {")
    #expect(scene.text().contains("no newer turn"))
  }

  @Test("rows that arrive leave the unfolded turn and the selection where they are")
  func arrivals() throws {
    var scene = FeedScene(.story)
    scene.type("j Enter j")
    let before = scene.selectedLine()
    #expect(before.contains("LLM_CALL"))
    for second in 10...14 {
      try scene.fixture.live(
        """
        {"kind":"reacted","createdAt":"2026-03-01T14:33:\(second).000Z","content":"row \(second)"}
        """)
    }
    #expect(scene.selectedLine() == before)
    #expect(scene.text().contains("+5 new"))
  }

  @Test("brackets: what belongs together, in lanes of their own where turns overlap")
  func gutter() {
    func mark(_ row: RowID, _ turn: Int, _ rows: ClosedRange<RowID>) -> FeedMark {
      var mark = FeedMark(row: row)
      mark.bracket = FeedBracket(
        turn: turn, newest: rows.upperBound, oldest: rows.lowerBound,
        times: Int64(rows.lowerBound)...Int64(rows.upperBound))
      return mark
    }
    // Newest first: turn 2 has rows 9, 7 and 6, turn 1 has rows 8 and 5, row 4 is alone.
    let marks = [
      mark(9, 2, 6...9), mark(8, 1, 5...8), mark(7, 2, 6...9), mark(6, 2, 6...9), mark(5, 1, 5...8),
      mark(4, 3, 4...4),
    ]
    func shapes(_ gutter: TurnGutter) -> [[TurnGutter.Cell.Shape]] {
      gutter.lines.map { $0.map(\.shape) }
    }
    let all = TurnGutter(marks, shown: 6, lanes: 2, selected: 2)
    #expect(
      shapes(all) == [
        [.none, .top], [.top, .passing], [.passing, .middle], [.passing, .bottom],
        [.bottom, .none],
        [.none, .none],
      ])
    #expect(all.lines[0][1].isSelected && !all.lines[1][0].isSelected)
    // In one lane the second turn would look like a part of the first: it has no bracket.
    #expect(
      shapes(TurnGutter(marks, shown: 6, lanes: 1, selected: nil)).map { $0[0] }
        == [.none, .top, .passing, .passing, .bottom, .none])
    // A turn that goes on below the screen has no end there.
    #expect(shapes(TurnGutter(marks, shown: 2, lanes: 2, selected: nil))[1] == [.top, .passing])
    #expect(TurnGutter(marks, shown: 3, lanes: 0, selected: nil).lines == [[], [], []])
  }
}
