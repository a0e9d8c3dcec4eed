import TerminalUI
import CockpitStores
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct PromptLineTests {
  private let size = Size(width: 80, height: 24)

  @Test("a command is carried out by its name, by an alias and by a prefix that fits one")
  func names() {
    for (line, tab) in [("tab-voice", Tab.voice), ("brain", .brain), ("jour", .memory)] {
      var fixture = Fixture()
      var shell = CockpitShell.withVerbs(size: size)
      let effects: [Effect] = line == "jour" ? [.memory(.loadJournal)] : []
      #expect(shell.line(line, &fixture) == effects)
      #expect(shell.tab == tab, "\(line)")
      #expect(shell.commandLine == nil)
    }
  }

  @Test("an unknown name stays to be mended, and Esc leaves")
  func unknown() {
    var fixture = Fixture()
    var shell = CockpitShell.withVerbs(size: size)
    _ = shell.line("fackts", &fixture)
    let canvas = shell.render(fixture.facts(), size: size).canvas
    #expect(canvas.text(row: 23).hasPrefix(":fackts"))
    #expect(canvas.text(row: 22).contains("did you mean facts?"))
    shell.type("Esc", &fixture)
    #expect(shell.commandLine == nil)
  }

  @Test("Tab walks what can follow, S-Tab back")
  func completion() {
    var fixture = Fixture()
    var shell = CockpitShell.withVerbs(size: size)
    shell.type(":", &fixture)
    shell.write("next-e", &fixture)
    shell.type("Tab", &fixture)
    #expect(shell.commandLine?.field.text == "next-error")
    shell.type("C-u", &fixture)
    shell.write("facts s", &fixture)
    for (key, text) in [("Tab", "search"), ("Tab", "show"), ("Tab", "search"), ("S-Tab", "show")] {
      shell.type(key, &fixture)
      #expect(shell.commandLine?.field.text == "facts \(text) ")
    }
  }

  @Test("Up and Down walk the lines before, of this session")
  func history() {
    var fixture = Fixture()
    var shell = CockpitShell.withVerbs(size: size)
    _ = shell.line("tab voice", &fixture)
    _ = shell.line("tab pulse", &fixture)
    shell.type(": Up", &fixture)
    #expect(shell.commandLine?.field.text == "tab pulse")
    shell.type("Up Up", &fixture)
    #expect(shell.commandLine?.field.text == "tab voice")
    shell.type("Down Down", &fixture)
    #expect(shell.commandLine?.field.text == "")
    shell.type("Up Up Enter", &fixture)
    #expect(shell.tab == .voice)
  }

  @Test("what has no key with --read-only has no name either")
  func readOnly() {
    for command in KeyAction.allCases where command.isMutation {
      var fixture = Fixture()
      var shell = CockpitShell(
        keys: .standard.withoutMutations, size: size, verbs: { LineFixture.table })
      #expect(shell.line(command.rawValue, &fixture) == [])
    }
  }

  @Test("a paste is text, a line break in it carries nothing out")
  func paste() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type(":", &fixture)
    let effects = shell.send(.paste("quit\n"), &fixture)
    #expect(effects == [])
    #expect(shell.commandLine != nil)
  }

  // MARK: What lines do

  @Test("filter and find act on the open tab")
  func filterAndFind() throws {
    var fixture = Fixture()
    var shell = CockpitShell.withVerbs(tab: .voice, size: size)
    #expect(shell.line("filter kind:llm_*", &fixture) == [.keepQueries(["kind:llm_*"])])
    #expect(shell.tab == .pulse)
    #expect(shell.pulse.query.text == "kind:llm_*")
    #expect(shell.pulse.bar == nil)
    _ = shell.line("filter chip:err", &fixture)
    #expect(shell.pulse.query.text == "chip:err")
    _ = shell.line("find 529", &fixture)
    #expect(shell.pulse.findText == "529")

    var memory = CockpitShell.withVerbs(tab: .memory, size: size)
    _ = memory.line("filter type:preference", &fixture)
    #expect(memory.memory.query.filter == "type:preference")
    _ = memory.line("find cello", &fixture)
    #expect(memory.memory.query.find == "cello")
    #expect(memory.tab == .memory)
  }

  @Test("facts list and facts search land in MEMORY; a search waits for the guilds")
  func facts() {
    var fixture = Fixture()
    var shell = CockpitShell.withVerbs(size: size)
    _ = shell.line("facts list --guild 500000000000000001 --filter conf>0.8", &fixture)
    #expect(shell.tab == .memory)
    #expect(shell.memory.query.guild == "500000000000000001")
    #expect(shell.memory.query.filter == "conf>0.8")
    let effects = shell.line("facts search short answers", &fixture)
    #expect(effects == [.memory(.search(text: "short answers", guild: "500000000000000001"))])

    var unknown = CockpitShell.withVerbs(size: size)
    #expect(unknown.line("facts search cello", &fixture) == [])
    #expect(unknown.waitingInMemory == .search("cello"))
    unknown.memory.query.guild = "500000000000000001"
    let later = unknown.update(fixture.facts(), size: size)
    #expect(later.contains(.memory(.search(text: "cello", guild: "500000000000000001"))))
  }

  @Test("slash=filter gives / another meaning, in help too")
  func slash() {
    var fixture = Fixture()
    var shell = CockpitShell.withVerbs(size: size)
    _ = shell.line("set slash=filter", &fixture)
    shell.type("/", &fixture)
    #expect(shell.pulse.bar == .filter)
    #expect(shell.keys.binding(for: .find)?.keyTexts == [":find"])
    shell.type("Esc", &fixture)
    _ = shell.line("set slash=find", &fixture)
    shell.type("/", &fixture)
    #expect(shell.pulse.bar == .find)
  }

  @Test("themes, profiles, sessions and verbs are effects")
  func effects() {
    var fixture = Fixture()
    for (line, expected): (String, [Effect]) in [
      ("theme mono", [.setTheme(name: "mono", isKept: true)]),
      ("status", [.verb(["status"])]),
      ("facts list --json", [.verb(["facts", "list", "--json"])]), ("q", [.quit]),
    ] {
      var shell = CockpitShell.withVerbs(size: size)
      #expect(shell.line(line, &fixture) == expected, "\(line)")
    }
  }

  @Test("session and sessions go to VOICE")
  func sessions() {
    var fixture = Fixture()
    var shell = CockpitShell.withVerbs(size: size)
    let effects = shell.line("session s-1", &fixture)
    #expect(shell.tab == .voice)
    #expect(!effects.contains(.showSession(id: "s-1")))
    _ = shell.line("tab pulse", &fixture)
    _ = shell.line("sessions", &fixture)
    #expect(shell.tab == .voice)
    #expect(shell.voice.view == .history)
  }

  @Test("the line with what can follow, and with a problem", arguments: [size80, size40])
  func looks(size: Size) throws {
    var fixture = Fixture()
    var shell = CockpitShell.withVerbs(size: size)
    shell.type(":", &fixture)
    shell.write("facts s", &fixture)
    shell.type("Tab", &fixture)
    try expectGolden(
      shell.render(fixture.facts(), size: size).canvas, "line-offer-\(size.width)x\(size.height)")
    shell.type("C-u", &fixture)
    shell.write("facts serch cello", &fixture)
    shell.type("Enter", &fixture)
    try expectGolden(
      shell.render(fixture.facts(), size: size).canvas, "line-problem-\(size.width)x\(size.height)")
  }

  nonisolated static let size80 = Size(width: 80, height: 24)
  nonisolated static let size40 = Size(width: 40, height: 10)
}
