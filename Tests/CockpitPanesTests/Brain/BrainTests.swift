import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import Foundation
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct BrainTests {
  nonisolated static let sizes = PulseGoldenTests.sizes

  private func canvas(_ shell: CockpitShell, _ fixture: inout Fixture) -> Canvas {
    shell.render(fixture.facts(), size: shell.size).canvas
  }

  private func shell(_ size: Size = Size(width: 120, height: 40)) -> CockpitShell {
    CockpitShell(tab: .brain, size: size)
  }

  @Test("a rich session, a sparse one and none, at four sizes", arguments: sizes)
  func whole(size: Size) throws {
    for (name, make) in [
      ("rich", Fixture.brain), ("sparse", Fixture.sparseBrain), ("none", Fixture.noBrain),
    ] where name == "rich" || Self.sizes.ends.contains(size) {
      var fixture = make()
      try expectGolden(
        canvas(shell(size), &fixture), "brain-\(name)-\(size.width)x\(size.height)")
    }
  }

  @Test(
    "a session that has ended while it was shown is said to have ended, until another answer is chosen"
  )
  func ended() throws {
    var fixture = Fixture(
      rows: VoiceFixture.events + [
        VoiceFixture.event(
          190, "14:32:08.500", "nl_leave", kind: "voice_session_end",
          "\"reason\":\"nl_leave\"")
      ])
    var shell = shell()
    #expect(!canvas(shell, &fixture).text.contains("ended"))
    Fixture.withBytes("{\"activeCount\":0,\"sessions\":[]}") {
      fixture.voice.apply($0, atNs: Fixture.monotonicNs)
    }
    _ = shell.update(fixture.facts(), size: shell.size)
    let lines = canvas(shell, &fixture).text.split(separator: "\n")
    #expect(lines[1].contains("#voice-chat ended 14:32:08 (nl_leave)"), "\(lines[1])")
    let narrow = CockpitShell(tab: .brain, size: Size(width: 80, height: 24))
    #expect(canvas(narrow, &fixture).text.contains("#voice-chat ended 14:32:08"))
  }

  @Test("each panel alone", arguments: BrainPane.Panel.allCases)
  func panels(panel: BrainPane.Panel) throws {
    var fixture = Fixture.brain()
    var shell = shell(Size(width: 100, height: 24))
    shell.brain.focus = panel
    shell.brain.isZoomed = true
    try expectGolden(canvas(shell, &fixture), "brain-\(panel)-zoomed-100x24")
  }

  @Test("an open prompt, its difference, a hit, a call's detail and raw JSON")
  func states() throws {
    var fixture = Fixture.brain()
    var open = shell()
    open.type("Tab Enter", &fixture)
    try expectGolden(canvas(open, &fixture), "brain-prompt-open-120x40")

    var diff = shell()
    diff.type("=", &fixture)
    try expectGolden(canvas(diff, &fixture), "brain-prompt-diff-120x40")
    var wide = CockpitShell(tab: .brain, size: Size(width: 200, height: 60))
    wide.type("=", &fixture)
    try expectGolden(canvas(wide, &fixture), "brain-prompt-diff-200x60")

    var found = shell()
    found.type("/", &fixture)
    found.write("rust", &fixture)
    found.type("Enter", &fixture)
    try expectGolden(canvas(found, &fixture), "brain-prompt-find-120x40")

    var detail = shell()
    detail.type("Enter", &fixture)
    try expectGolden(canvas(detail, &fixture), "brain-call-detail-120x40")

    var raw = shell()
    raw.type("Tab J", &fixture)
    try expectGolden(canvas(raw, &fixture), "brain-raw-120x40")

    var grouped = shell()
    grouped.type("O O O O", &fixture)
    try expectGolden(canvas(grouped, &fixture), "brain-calls-grouped-120x40")
  }

  @Test("versions are walked with left and right, and = compares what is shown")
  func versions() throws {
    var fixture = Fixture.brain()
    var shell = shell()
    shell.type("Tab", &fixture)
    #expect(shell.brain.inspected(fixture.facts())?.number == 3)
    shell.type("h", &fixture)
    #expect(shell.brain.inspected(fixture.facts())?.number == 2)
    shell.type("=", &fixture)
    let text = canvas(shell, &fixture).text
    #expect(text.contains("characters since v1"))
    shell.type("h h", &fixture)
    #expect(shell.brain.message?.description.contains("oldest") == true)
    shell.type("F", &fixture)
    #expect(shell.brain.inspected(fixture.facts())?.number == 3)
  }

  @Test("a folded part is searched and opened; n and N walk")
  func find() {
    var fixture = Fixture.brain()
    var shell = shell()
    shell.type("/", &fixture)
    shell.write("Speak plainly", &fixture)
    shell.type("Enter", &fixture)
    #expect(shell.brain.unfolded.contains(.part(.system)))
    let first = shell.brain.promptCursor.line
    shell.type("n", &fixture)
    #expect(shell.brain.promptCursor.line > first)
    shell.type("N", &fixture)
    #expect(shell.brain.promptCursor.line == first)
    shell.type("/", &fixture)
    shell.write("nothing like it", &fixture)
    shell.type("Enter", &fixture)
    #expect(shell.brain.message?.description.contains("no hit") == true)
  }

  @Test("Enter on a fact opens MEMORY and remembers which")
  func fact() {
    var fixture = Fixture.brain()
    var shell = shell()
    shell.brain.focus = .facts
    shell.type("j Enter", &fixture)
    #expect(shell.tab == .memory)
    #expect(shell.memory.wantedFact?.id == 1043)
  }

  @Test("o pages the whole prompt; order and grouping; Esc leaves level by level")
  func commands() throws {
    var fixture = Fixture.brain()
    var shell = shell()
    let effects = shell.send(.key(.char("o"), []), &fixture)
    guard case .page(let text)? = effects.first else {
      Issue.record("no page")
      return
    }
    #expect(text.contains("===== SYSTEM") && text.contains("===== TOOLS 2"))
    #expect(text.contains("hi there, james"))
    let orders = ["cost", "tokens", "model"].map { _ in
      shell.type("O", &fixture)
      return shell.brain.order
    }
    #expect(orders == [.cost, .tokens, .model])
    shell.type("O", &fixture)
    #expect(shell.brain.isGrouped)
    shell.type("Enter", &fixture)
    #expect(shell.brain.closedModels.count == 1)
    shell.type("O", &fixture)
    #expect(!shell.brain.isGrouped && shell.brain.order == .time)
    shell.type("Enter z Esc Esc", &fixture)
    #expect(shell.brain.side == .prompt && !shell.brain.isZoomed)
    #expect(shell.send(.key(.char("q"), []), &fixture) == [.quit])
  }

  @Test("another order, and grouping, keep the selected call selected, and in sight")
  func orderKeepsTheCall() throws {
    var fixture = Fixture.brain()
    var shell = shell()
    shell.type("j j", &fixture)
    let selected = try #require(shell.brain.selectedCall(fixture.facts())).row
    for _ in 0..<5 {
      shell.type("O", &fixture)
      #expect(shell.brain.selectedCall(fixture.facts())?.row == selected)
      #expect(canvas(shell, &fixture).text.contains("\u{2502}>"))
    }
    // Nothing was chosen: the first of each order.
    shell.type("F O", &fixture)
    #expect(shell.brain.cursor == nil)
  }

  @Test("the selected row stays selected when newer ones come")
  func stable() throws {
    var fixture = Fixture.brain()
    var shell = shell()
    shell.type("j", &fixture)
    let cursor = shell.brain.cursor
    try fixture.live(
      """
      {"kind":"llm_call","createdAt":"2026-03-01T14:32:09.000Z","content":"p:new-model",\
      "metadata":{"model":"new-model"}}
      """)
    #expect(canvas(shell, &fixture).text.contains("new-model"))
    #expect(shell.brain.cursor == cursor)
  }

  @Test("hostile prompts, names and facts tear nothing, at any width")
  func hostile() {
    let evil =
      "\\u001b[2J\\u202e\\u200b\\ud83d作者👩‍👩‍👧e\\u0301\\r\\n\\t\\u0007"
      + String(repeating: "界x", count: 300)
    var fixture = Fixture(rows: [
      Fixture.row(
        1, "14:32:08.120", "llm_call", content: "p:m",
        metadata: """
          {"model":"\(evil)","source":"\(evil)","toolNames":"\(evil)","systemPrompt":"\(evil)",\
          "userPrompt":"\(evil)","usage":{"inputTokens":1e300,"outputTokens":-5,"cacheReadTokens":"x"}}
          """),
      Fixture.row(
        2, "14:32:08.100", "llm_error", content: evil, metadata: "{\"errorType\":\"\(evil)\"}"),
    ])
    for second in 1...2 {
      let state = Fixture.voiceState(second: second, user: evil + "\(second)")
        .replacing("\"james\"", with: "\"\(evil)\"").replacing("Prefers concise", with: evil)
      Fixture.withBytes(state) { fixture.voice.apply($0, atNs: 1) }
    }
    for width in [40, 59, 60, 80, 99, 100, 159, 160, 251] {
      for height in [10, 19, 20, 24, 40, 60] {
        for keys in ["", "Tab Enter", "=", "Enter", "J", "Tab z G", "/"] {
          let size = Size(width: width, height: height)
          var shell = CockpitShell(tab: .brain, size: size)
          shell.type(keys, &fixture)
          let canvas = canvas(shell, &fixture)
          for y in 0..<height {
            var x = 0
            while x < width {
              let cell = canvas[x, y]
              #expect(cell.width == 1 || cell.width == 2)
              x += max(1, Int(cell.width))
            }
            #expect(x == width, "\(width)x\(height) \(keys) row \(y)")
          }
          guard width >= 100, height >= 20, keys.isEmpty else { continue }
          let edge = canvas.text(row: 2)
          #expect(edge.hasPrefix("┌") && edge.hasSuffix("┐"))
        }
      }
    }
  }

  @Test("a prompt of 60 KB is wrapped once")
  func large() {
    var fixture = Fixture.brain()
    let long = String(repeating: "Names are written the way their owners write them. ", count: 1200)
    Fixture.withBytes(Fixture.voiceState(second: 9, user: long)) {
      fixture.voice.apply($0, atNs: 2)
    }
    var shell = shell()
    shell.type("Tab", &fixture)
    let (body, screen) = shell.place()
    let facts = fixture.facts()
    let layout = shell.brain.layout(facts, in: body, of: screen)
    let document = shell.brain.document(facts, layout)
    let section = document?.sections.firstIndex { $0.id == .part(.user) }
    for _ in 0..<(document?.start(of: section ?? 0) ?? 0) { shell.type("j", &fixture) }
    shell.type("Enter", &fixture)
    #expect(shell.brain.unfolded == [.part(.user)])
    let clock = ContinuousClock()
    let time = clock.measure { for _ in 0..<20 { shell.type("j", &fixture) } }
    #expect(time < .seconds(4))  // unoptimised; wrapping each time would take far longer
    shell.type("G", &fixture)
    #expect(shell.brain.promptCursor.line > 600)
  }

  @Test("the recorded voice states are drawn", .enabled(if: Recorded.exists))
  func recorded() throws {
    var fixture = Fixture(rows: [])
    var drawn = 0
    for state in try Recorded.voiceStates() {
      Fixture.withBytes(state) { fixture.voice.apply($0, atNs: UInt64(drawn)) }
      for size in Self.sizes {
        var shell = CockpitShell(tab: .brain, size: size)
        _ = canvas(shell, &fixture)
        shell.type("=", &fixture)
        let text = canvas(shell, &fixture).text
        if let context = fixture.voice.state?.sessions.first?.lastGenerationContext,
          let speaker = context.speakerName, size.width >= 120
        {
          #expect(text.contains(PlainText(speaker, limit: 10).description))
        }
      }
      drawn += 1
    }
    #expect(drawn > 0)
    #expect(fixture.voice.problem == nil)
  }
}

/// The recorded traffic beside the repository, where there is some.
enum Recorded {
  static let file: URL? = {
    var folder = URL(filePath: #filePath)
    for _ in 0..<8 {
      folder.deleteLastPathComponent()
      let file = folder.appending(path: "shared/wire/captures/voice.sse")
      if FileManager.default.fileExists(atPath: file.path) { return file }
    }
    return nil
  }()

  static var exists: Bool { file != nil }

  /// Every tenth voice state that holds a session.
  static func voiceStates() throws -> [String] {
    guard let file else { return [] }
    let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var states: [String] = []
    var isState = false
    for line in lines {
      if line.hasPrefix("event:") { isState = line.hasSuffix("voice_state") }
      if isState, line.hasPrefix("data: "), line.contains("\"sessionId\"") {
        states.append(String(line.dropFirst(6)))
      }
    }
    return states.enumerated().filter { $0.offset % 10 == 0 }.map(\.element)
  }
}
