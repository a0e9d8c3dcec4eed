import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct PaletteTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 40, height: 10),
  ]

  @Test("letters in their order fit, others do not")
  func fits() {
    #expect(FuzzyScore.score("", in: "pause") == 0)
    #expect(FuzzyScore.score("pse", in: "pause") != nil)
    #expect(FuzzyScore.score("esp", in: "pause") == nil)
    #expect(FuzzyScore.score("pausee", in: "pause") == nil)
    #expect(FuzzyScore.score("PAU", in: "pause") != nil)
    #expect(FuzzyScore.score(words: "list fac", in: "facts list") != nil)
    #expect(FuzzyScore.score(words: "list xyz", in: "facts list") == nil)
  }

  @Test(
    "beginnings of words, neighbours and short names are better",
    arguments: [
      ("fl", "facts list", "filter"), ("pause", "pause", "page-up-search"),
      ("ne", "next-error", "pane"), ("tab", "tab-pulse", "theme-about"), ("th", "theme", "with"),
    ])
  func order(needle: String, better: String, worse: String) throws {
    let first = try #require(FuzzyScore.score(needle, in: better))
    let second = FuzzyScore.score(needle, in: worse) ?? .min
    #expect(first > second)
  }

  @Test("the best of all alignments counts, not the first one")
  func alignment() throws {
    let late = try #require(FuzzyScore.score("se", in: "semisession-se"))
    let early = try #require(FuzzyScore.score("se", in: "sxemisession-x"))
    #expect(late > early)
  }

  private func open(
    _ fixture: inout Fixture, size: Size, tab: Tab = .pulse, keys: KeyTable = .standard
  ) -> CockpitShell {
    var shell = CockpitShell.withVerbs(tab: tab, keys: keys, size: size)
    shell.type("C-p", &fixture)
    return shell
  }

  @Test("typing narrows it and Enter carries the first out")
  func run() {
    typealias Check = (inout CockpitShell, [Effect]) -> Bool
    let checks: [(String, Check)] = [
      ("tab mem", { shell, _ in shell.tab == .memory }),
      ("pause", { shell, _ in shell.pulse.isPaused }),
      ("quit", { _, effects in effects == [.quit] }),
      ("status", { _, effects in effects == [.verb(["status"])] }),
      ("facts show", { shell, _ in shell.commandLine?.field.text == "facts show " }),
      ("workshop facts", { shell, _ in shell.memory.query.guild == "500000000000000001" }),
      ("workshop rows", { shell, _ in shell.pulse.query.text == "guild:\"500000000000000001\"" }),
      ("]e", { shell, _ in shell.pulse.cursor != nil }),
    ]
    for (text, check) in checks {
      var fixture = Fixture()
      var shell = open(&fixture, size: Size(width: 80, height: 24))
      #expect(shell.overlay is CommandPalette)
      shell.write(text, &fixture)
      let effects = shell.send(.key(.enter, []), &fixture)
      let isRight = check(&shell, effects)
      #expect(isRight, "\(text): \(effects)")
      #expect(!(shell.overlay is CommandPalette), "\(text)")
    }
  }

  @Test("what means something on the open tab stands first")
  func here() throws {
    for tab in Tab.allCases {
      var fixture = Fixture()
      let size = Size(width: 100, height: 30)
      let shell = open(&fixture, size: size, tab: tab)
      let hints = shell.pane.hints(on: fixture.facts())
      let first = try #require(hints.first { shell.keys.binding(for: $0) != nil })
      let text = shell.render(fixture.facts(), size: size).canvas.text(row: 3)
      #expect(text.contains(first.rawValue), "\(tab): \(text)")
    }
  }

  @Test("arrows, pages, wheel and a click choose; Esc and C-c close")
  func choosing() throws {
    var fixture = Fixture()
    let size = Size(width: 80, height: 24)
    var shell = open(&fixture, size: size)
    shell.type("Down Down Up PgDn PgUp Up", &fixture)
    shell.write("pulse", &fixture)
    let frame = shell.render(fixture.facts(), size: size)
    let place = try #require(
      frame.targets.first { if case .overlay(0) = $0.target { true } else { false } })
    shell.tab = .brain
    _ = shell.send(.mouse(.down(0), column: place.area.x + 2, row: place.area.y, []), &fixture)
    #expect(shell.tab == .pulse)
    for key in ["Esc", "C-c"] {
      var shell = open(&fixture, size: size)
      shell.type(key, &fixture)
      #expect(shell.overlay == nil)
    }
  }

  @Test("with --read-only nothing in it changes the backend")
  func readOnly() {
    var fixture = Fixture()
    var facts = fixture.facts()
    facts.isReadOnly = true
    let reader = LineReader(
      verbs: LineFixture.table, keys: .standard.withoutMutations, facts: facts)
    var palette = CommandPalette(reader, here: [])
    for text in ["facts edit", "facts delete", "voice join", "memory-refresh"] {
      for character in text { _ = palette.press(KeyPress(.char(character)), on: facts) }
      let outcome = palette.press(KeyPress(.enter), on: facts)
      for word in LineReader.changing {
        #expect(outcome != .done([.line(word.joined(separator: " "), isWhole: true)]))
        #expect(outcome != .done([.line(word.joined(separator: " ") + " ", isWhole: false)]))
      }
      _ = palette.press(KeyPress(.char("u"), .ctrl), on: facts)
    }
  }

  @Test("it fits every size", arguments: sizes.ends)
  func looks(size: Size) throws {
    var fixture = Fixture()
    fixture.connection.learn(guilds: [.init(id: "7", name: "Evil \u{1B}[31m\u{202E}guild 作者")])
    // A new command does not change the goldens.
    var shell = open(&fixture, size: size, keys: .fixed)
    try expectGolden(
      shell.render(fixture.facts(), size: size).canvas, "palette-\(size.width)x\(size.height)")
    shell.write("gu", &fixture)
    try expectGolden(
      shell.render(fixture.facts(), size: size).canvas, "palette-typed-\(size.width)x\(size.height)"
    )
  }
}
