import TerminalUI
import ClankyWire
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// The terminal's cursor stands where one types, in columns and not in characters, and else on what is
/// selected: magnifiers, braille displays and input methods follow it.
@MainActor
@Suite struct CursorTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 40, height: 10),
  ]

  /// The one cell that is drawn as the cursor of a field, and nothing else is.
  private func expectField(_ frame: Frame, _ what: String) {
    let size = frame.canvas.size
    var places: [CursorPlace] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let cell = frame.canvas[x, y]
        guard cell.role == .input, cell.attributes == .reverse, cell.width > 0 else { continue }
        places.append(CursorPlace(x: x, y: y, isVisible: true))
      }
    }
    #expect(places == [frame.cursor], "\(what)\n\(frame.canvas.text)")
  }

  private func expectSelected(_ frame: Frame, _ what: String) {
    let place = frame.cursor
    #expect(!place.isVisible, "\(what)")
    #expect(
      frame.canvas[place.x, place.y].background == .selection,
      "\(what): \(place)\n\(frame.canvas.text)")
  }

  @Test("filter, find, the line, the palette and the help, with wide glyphs", arguments: sizes)
  func fields(size: Size) {
    for key in ["f", "/", ":", "C-p", "?"] {
      var fixture = Fixture()
      var shell = CockpitShell(size: size)
      shell.type(key, &fixture)
      let frame = { (shell: CockpitShell, fixture: inout Fixture) in
        shell.render(fixture.facts(query: shell.pulse.feedQuery), size: size)
      }
      expectField(frame(shell, &fixture), "\(key), empty")
      shell.write("a日本e\u{301}x", &fixture)
      expectField(frame(shell, &fixture), "\(key), filled")
      for step in 0..<6 {
        shell.type("Left", &fixture)
        expectField(frame(shell, &fixture), "\(key), left \(step)")
      }
      shell.write(String(repeating: "界", count: 130), &fixture)
      expectField(frame(shell, &fixture), "\(key), scrolled")
      // The help has its search emptied first.
      shell.type("Esc Esc", &fixture)
      #expect(!frame(shell, &fixture).cursor.isVisible, "\(key), left")
    }
  }

  @Test("the columns are those of the text", arguments: [("abc", 7), ("日本", 8), ("e\u{301}", 5)])
  func columns(text: String, column: Int) {
    var fixture = Fixture()
    var shell = CockpitShell(size: Size(width: 80, height: 24))
    shell.type("f", &fixture)
    shell.write(text, &fixture)
    let frame = shell.render(fixture.facts(), size: shell.size)
    #expect(frame.canvas[1, frame.cursor.y].glyph == Glyph(0x66), "the row of f>")
    #expect(frame.cursor.x == column)
  }

  @Test("a field that has not changed is taken from the frame before, with its cursor")
  func reused() {
    var fixture = Fixture()
    var shell = CockpitShell(size: Size(width: 120, height: 40))
    shell.type("f", &fixture)
    shell.write("kind:", &fixture)
    shell.type("Esc f", &fixture)
    let facts = fixture.facts()
    let first = shell.render(facts, size: shell.size)
    let second = shell.render(facts, size: shell.size, reusing: first)
    #expect(second.reusedParts > 0 && second.cursor == first.cursor && first.cursor.isVisible)
  }

  @Test(
    "the fields of MEMORY: search, recall, find, the fact form, the count to delete",
    arguments: sizes)
  func memory(size: Size) {
    var fixture = Fixture()
    for field in FactForm.Field.allCases where field != .type && field != .confidence {
      var shell = CockpitShell(tab: .memory, size: size)
      guard var form = FactForm(DialogFixture.plain, on: fixture.facts()) else { continue }
      form.focus = .field(field)
      shell.dialog = .form(form)
      for keys in ["", "Left", "Home", "Right", "End"] {
        if !keys.isEmpty { shell.type(keys, &fixture) }
        expectField(shell.render(fixture.facts(), size: size), "\(field) \(keys)")
      }
      shell.write("日本語", &fixture)
      shell.type("Left", &fixture)
      expectField(shell.render(fixture.facts(), size: size), "\(field), wide")
    }
    for key in ["/", "s"] {
      var memory = MemoryFixture()
      var shell = CockpitShell(tab: .memory, size: size)
      _ = memory.type(key, &shell)
      guard shell.isTyping else { continue }
      expectField(memory.draw(&shell), "MEMORY \(key)")
    }
  }

  @Test("names and counts in dialogs: the cursor moves with the keys", arguments: sizes)
  func dialogs(size: Size) {
    var field = TextField("日本 abc")
    for width in [4, 8, 9, 20] {
      for _ in 0..<8 {
        var frame = Frame(size: size)
        DialogPage(title: "x", lines: [DialogLine(field.runs(width: width))], footer: [])
          .render(in: Rect(width: size.width, height: size.height), into: &frame)
        expectField(frame, "\(width) \(field.cursor)")
        _ = field.press(KeyPress(.left))
      }
      _ = field.press(KeyPress(.end))
    }
    var fixture = CommandFixture.rich()
    var shell = CockpitShell(tab: .cmd, size: size)
    _ = fixture.type("Enter", &shell)
    guard shell.overlay != nil else { return }
    fixture.write("ab", &shell)
    expectField(fixture.draw(&shell).frame, "the list to join")
  }

  @Test("on the selected row, unseen, of the panel that has the keys", arguments: sizes)
  func rows(size: Size) {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    // Nothing is selected yet: the newest row.
    let start = shell.render(fixture.facts(), size: size)
    #expect(!start.cursor.isVisible && start.cursor.y > 0)
    for step in 0..<4 {
      shell.type("j", &fixture)
      let frame = shell.render(fixture.facts(), size: size)
      expectSelected(frame, "row \(step)")
    }
    shell.type("Enter", &fixture)
    let detail = shell.render(fixture.facts(), size: size)
    if shell.pulse.focus == .detail {
      expectSelected(detail, "the detail")
    } else {
      #expect(detail.cursor.y > 0, "the detail covers the feed")
    }
    shell.type("Esc y", &fixture)
    if shell.overlay != nil {
      expectSelected(shell.render(fixture.facts(), size: size), "the copy menu")
    }
    var memory = MemoryFixture()
    shell = CockpitShell(tab: .memory, size: size)
    _ = memory.type("j", &shell)
    expectSelected(memory.draw(&shell), "MEMORY")
  }

  @Test("the line has the cursor over a menu, and a dialog the one of its button")
  func layers() {
    var fixture = Fixture()
    var shell = CockpitShell(size: Size(width: 120, height: 40))
    shell.type("j y", &fixture)
    shell.layers.push(PromptLine("abc"))
    var frame = shell.render(fixture.facts(), size: shell.size)
    #expect(frame.cursor == CursorPlace(x: 4, y: 39, isVisible: true))
    frame = Frame(size: shell.size)
    frame.canvas.placeCursor(x: 3, y: 3, isVisible: true)
    DialogPage(
      title: "quit?", lines: [DialogLine("text")],
      footer: DialogButtons<Int>([.init(0, "STAY"), .init(1, "QUIT")]).lines(focus: 1, width: 60)
    ).render(in: Rect(width: 120, height: 40), into: &frame)
    #expect(!frame.cursor.isVisible)
    #expect(frame.canvas[frame.cursor.x, frame.cursor.y].attributes.contains(.reverse))
    #expect(frame.canvas[frame.cursor.x + 1, frame.cursor.y].glyph == Glyph(0x51))
    shell = CockpitShell(size: Size(width: 20, height: 5))
    #expect(shell.render(fixture.facts(), size: shell.size).cursor == .home)
  }

  @Test(
    "the panel that has the keys has the cursor where nothing in it is selected",
    arguments: Tab.allCases)
  func panels(tab: Tab) {
    for size in [Size(width: 80, height: 24), Size(width: 120, height: 40)] {
      var fixture = Fixture()
      var shell = CockpitShell(tab: tab, size: size)
      for step in 0..<8 {
        let frame = shell.render(fixture.facts(), size: size)
        #expect(frame.cursor != .home, "\(tab) \(size) \(step)\n\(frame.canvas.text)")
        shell.type("Tab", &fixture)
      }
    }
  }

  private nonisolated static let common = [
    Size(width: 80, height: 24), Size(width: 120, height: 40),
  ]

  @Test(
    "VOICE: in the lanes at the playhead of the selected lane, else on the selected line",
    arguments: common)
  func voice(size: Size) throws {
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    for panel in VoicePane.Panel.allCases where panel != .raw && panel != .sessions {
      var shell = CockpitShell(tab: .voice, size: size)
      shell.voice.focus = panel
      shell.voice.isZoomed = true
      shell.type("j", &fixture)
      let frame = shell.render(fixture.facts(), size: size)
      #expect(!frame.cursor.isVisible && frame.cursor != .home, "\(panel)\n\(frame.canvas.text)")
      guard panel == .lanes else { continue }
      let cell = frame.canvas[frame.cursor.x, frame.cursor.y]
      #expect(cell.glyph == Glyph(0x2502), "the playhead\n\(frame.canvas.text)")
      let title = frame.canvas.text(row: frame.cursor.y)
      shell.type("k", &fixture)
      let next = shell.render(fixture.facts(), size: size)
      #expect(next.cursor.x == frame.cursor.x && next.cursor.y < frame.cursor.y, "\(title)")
    }
  }

  @Test("VOICE: on the session that is shown, in the row of sessions", arguments: common)
  func sessions(size: Size) {
    var fixture = Fixture()
    VoiceFixture.two(fixture)
    var shell = CockpitShell(tab: .voice, size: size)
    shell.voice.focus = .sessions
    let first = shell.render(fixture.facts(), size: size)
    #expect(
      first.canvas[first.cursor.x, first.cursor.y].glyph == Glyph(0x5B), "\(first.canvas.text)")
    shell.type("l", &fixture)
    let second = shell.render(fixture.facts(), size: size)
    #expect(second.cursor.y == first.cursor.y && second.cursor.x > first.cursor.x)
  }

  @Test(
    "BRAIN: on the selected line of each panel; in the chain and in texts at their top",
    arguments: common)
  func brain(size: Size) {
    for panel in BrainPane.Panel.allCases {
      var fixture = Fixture.brain()
      var shell = CockpitShell(tab: .brain, size: size)
      shell.brain.focus = panel
      shell.brain.isZoomed = true
      shell.type("j", &fixture)
      let frame = shell.render(fixture.facts(), size: size)
      #expect(!frame.cursor.isVisible && frame.cursor.y > 0, "\(panel)\n\(frame.canvas.text)")
      let selected = (0..<size.height).first { frame.canvas[3, $0].background == .selection }
      if let selected { #expect(frame.cursor.y == selected, "\(panel)\n\(frame.canvas.text)") }
    }
  }

  @Test("CMD: on the selected row of each panel", arguments: common)
  func cmd(size: Size) {
    for panel in CommandPane.Panel.allCases where !panel.isForReading {
      var fixture = CommandFixture.rich()
      var shell = CockpitShell(tab: .cmd, size: size)
      shell.command.showAlone(panel)
      _ = fixture.type("j", &shell)
      let frame = fixture.draw(&shell).frame
      #expect(!frame.cursor.isVisible && frame.cursor != .home)
      let rows = (0..<size.height).filter { frame.canvas[3, $0].background == .selection }
      if !rows.isEmpty { #expect(rows.contains(frame.cursor.y), "\(panel)\n\(frame.canvas.text)") }
    }
  }
}
