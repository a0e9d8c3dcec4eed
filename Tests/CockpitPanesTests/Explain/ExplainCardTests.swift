import CockpitAnswers
import CockpitStores
import CockpitText
import Foundation
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// `K` on every tab.
@MainActor
@Suite struct ExplainCardTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 40, height: 10),
  ]

  private func card(_ shell: CockpitShell) -> [String] {
    (shell.overlay as? ExplainCard)?.texts.map { "\($0.family.rawValue)/\($0.name)" } ?? []
  }

  /// What `K` explains on the row with this number, from 1; the first `j` selects the newest row.
  private func pulse(_ row: Int) -> [String] {
    var fixture = Fixture()
    var shell = CockpitShell(size: Self.sizes[0])
    shell.type(Array(repeating: "j", count: row).joined(separator: " ") + " K", &fixture)
    return card(shell)
  }

  @Test("in PULSE it explains the kind, the event and the reason of a row")
  func rows() {
    #expect(pulse(8) == ["kind/reply_skipped", "reason/llm_skip"])
    #expect(pulse(3) == ["event/openai_realtime_asr_final_segment", "kind/voice_runtime"])
    #expect(pulse(7) == ["kind/memory_fact", "reason/added_new"])
    #expect(pulse(0) == pulse(1), "nothing is selected: the newest")
    #expect(pulse(2) == ["event/voice_brain_tool_call", "kind/voice_runtime"])
    #expect(pulse(1) == ["kind/llm_call", "state/tool_use"])
  }

  @Test("of an unknown kind it says that this version does not know it")
  func unknown() {
    var fixture = Fixture(rows: [Fixture.row(1, "14:32:00.000", "tea_served", content: "x")])
    var shell = CockpitShell(size: Self.sizes[0])
    shell.type("j K", &fixture)
    #expect(card(shell) == ["kind/tea_served"])
    let text = shell.render(fixture.facts(), size: shell.size).canvas.text
    #expect(text.contains("This version does not know the kind"), "\(text)")
  }

  @Test("a row that this program made of a gateway's event has no such text")
  func ownRow() {
    var fixture = Fixture(
      rows: [
        Fixture.row(
          1, "14:32:00.000", "node_connected", content: "x", metadata: #"{"source":"openclaw"}"#)
      ])
    var shell = CockpitShell(size: Self.sizes[0])
    shell.type("j K", &fixture)
    #expect(shell.overlay == nil)
    #expect(
      shell.render(fixture.facts(), size: shell.size).canvas.text.contains(":explain NAME"))
  }

  @Test("in the detail it explains the member under the cursor and its value, or the label")
  func detail() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: Self.sizes[1])
    // The metadata page of the model call: a member for each line.
    shell.type("Enter Tab p p", &fixture)
    var seen: Set<String> = []
    for _ in 0..<12 {
      shell.type("K", &fixture)
      seen.formUnion(card(shell))
      shell.type("Esc j", &fixture)
    }
    #expect(
      seen.isSuperset(of: ["field/provider", "field/stopReason", "state/tool_use"]), "\(seen)")
    shell.type("p p g g K", &fixture)
    #expect(card(shell).first == "field/provider", "the label PROVIDER")
  }

  @Test("every label of the detail has a text")
  func labels() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/CockpitPanes/Pulse/DetailContent.swift")
    let code = try String(contentsOf: file, encoding: .utf8)
    let labels = Set(code.matches(of: /"([A-Z]{3,})"/).map { String($0.1) })
    #expect(labels.count > 15)
    for label in labels.sorted() {
      let names = ExplainedName.all(label: label, line: "")
      #expect(!ExplainedName.texts(of: names).isEmpty, "\(label)")
    }
  }

  @Test("every short word of help that is one word has a text")
  func glossary() {
    for tab in Tab.allCases {
      let shell = CockpitShell(tab: tab, size: Self.sizes[0])
      for entry in shell.pane.glossary {
        let word = entry.word.description
        guard word.wholeMatch(of: /[A-Z]{2,}|[a-z]+>[a-z]+/) != nil else { continue }
        // What BRAIN could do, or the tools it had not, are lists and no states.
        guard !["OUT"].contains(word) else { continue }
        #expect(!Explanations.meanings(of: word).isEmpty, "\(tab): \(word)")
      }
    }
  }

  @Test("in VOICE it explains the lane, the step of a verdict, and why a turn ended so")
  func voice() {
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    var shell = CockpitShell(tab: .voice, size: Self.sizes[1])
    shell.voice.focus = .lanes
    shell.type("K", &fixture)
    #expect(card(shell) == ["stage/capture"])
    shell.type("Esc W", &fixture)
    var seen: Set<String> = []
    for _ in 0..<14 {
      shell.type("K", &fixture)
      seen.formUnion(card(shell))
      shell.type("Esc j", &fixture)
    }
    #expect(seen.contains("stage/decision") && seen.contains("stage/audio"), "\(seen)")
    var skips = CockpitShell(tab: .voice, size: Self.sizes[1])
    skips.type("] ] ] ] K", &fixture)
    #expect(card(skips).contains { $0.hasPrefix("reason/") }, "\(card(skips))")
  }

  @Test("in BRAIN, MEMORY and CMD it explains calls, facts and rows of the panels")
  func others() {
    var brain = Fixture.brain()
    var shell = CockpitShell(tab: .brain, size: Self.sizes[1])
    shell.type("K", &brain)
    #expect(card(shell).first?.hasPrefix("kind/llm_") == true, "\(card(shell))")
    for panel in [BrainPane.Panel.budget, .prompt, .context] {
      shell.overlay = nil
      shell.brain.focus = panel
      shell.type("K", &brain)
      #expect(!card(shell).isEmpty, "\(panel)")
    }

    var memory = MemoryFixture()
    var facts = CockpitShell(tab: .memory, size: Self.sizes[1])
    memory.type("K", &facts)
    #expect(card(facts).contains { $0.hasPrefix("state/") }, "\(card(facts))")
    #expect(card(facts).contains("field/confidence"))

    var command = CommandFixture.rich()
    var cmd = CockpitShell(tab: .cmd, size: Self.sizes[1])
    cmd.command.focus = .history
    command.type("K", &cmd)
    #expect(card(cmd).contains("kind/voice_session_end"), "\(card(cmd))")
    var seen: Set<String> = []
    cmd.overlay = nil
    cmd.command.focus = .system
    for _ in 0..<10 {
      command.type("K", &cmd)
      seen.formUnion(card(cmd))
      command.type("Esc j", &cmd)
    }
    #expect(seen.contains("word/GATEWAY") && seen.contains("word/TUNNEL"), "\(seen)")
  }

  @Test("K, Esc, q and Enter close it; nothing else does")
  func closing() {
    for key in ["K", "Esc", "q", "Enter", "C-c"] {
      var fixture = Fixture()
      var shell = CockpitShell(size: Self.sizes[2])
      shell.type("K j k PgDn", &fixture)
      #expect(shell.overlay is ExplainCard)
      shell.type(key, &fixture)
      #expect(shell.overlay == nil, "\(key)")
    }
  }

  @Test("it is a small layer at every size", arguments: sizes)
  func looks(size: Size) throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("j j j j j j j j K", &fixture)
    try expectGolden(
      shell.render(fixture.facts(), size: size).canvas, "explain-\(size.width)x\(size.height)")
    guard size == Self.sizes[0] else { return }
    VoiceFixture.rich(fixture)
    var voice = CockpitShell(tab: .voice, size: size)
    voice.type("] ] ] ] K", &fixture)
    try expectGolden(
      voice.render(fixture.facts(), size: size).canvas, "explain-voice-\(size.width)x\(size.height)"
    )
  }
}
