import TerminalUI
import CockpitStores
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct ThemeMenuTests {
  private let size = Size(width: 80, height: 24)

  private func facts() -> ViewContext {
    var fixture = Fixture()
    var facts = fixture.facts()
    facts.setup.themes = ["auto", "terminal-dark", "okabe", "mine", "mono"]
    facts.setup.theme = "okabe"
    facts.setup.brokenThemes = ["mine": "/themes/mine.toml: line 3: there is no role \"txet\""]
    facts.setup.configPath = "/home/ada/.config/clanky-cockpit/config.toml"
    return facts
  }

  /// A shell with the menu open, and what keys do to it.
  private func run(_ keys: [KeyChord], _ table: KeyTable = .standard) -> (CockpitShell, [Effect]) {
    let facts = facts()
    var shell = CockpitShell(keys: table, size: size)
    _ = shell.perform(.theme, facts)
    var effects: [Effect] = []
    for press in keys.flatMap(\.presses) {
      let frame = shell.render(facts, size: size)
      effects += shell.handle(.key(press.key, press.modifiers), on: facts, frame: frame)
    }
    return (shell, effects)
  }

  @Test("each theme is shown at once, and Enter keeps it")
  func keep() {
    let (shell, effects) = run(["Up", "Enter"])
    #expect(
      effects == [
        .setTheme(name: "terminal-dark", isKept: false),
        .setTheme(name: "terminal-dark", isKept: true),
      ])
    #expect(shell.overlay == nil)
  }

  @Test("Esc, q and C-c take the one before", arguments: ["Esc", "q", "C-c"] as [KeyChord])
  func leave(key: KeyChord) {
    let (shell, effects) = run(["Up", "Up", key])
    #expect(effects.last == .setTheme(name: "okabe", isKept: false))
    #expect(!effects.contains(.quit))
    #expect(shell.overlay == nil)
  }

  @Test("a broken file is stepped over without a change, and not kept")
  func broken() {
    #expect(run(["Down"]).1.isEmpty)
    let (shell, effects) = run(["Down", "Enter"])
    #expect(effects.isEmpty)
    #expect(shell.overlay != nil)
    #expect(run(["Down", "Down"]).1 == [.setTheme(name: "mono", isKept: false)])
  }

  @Test("the keys that move elsewhere move here, and the ends are ends")
  func keys() {
    #expect(run(["G"]).1 == [.setTheme(name: "mono", isKept: false)])
    #expect(run(["g g"]).1.isEmpty)  // one press at a time
    #expect(run(["Home", "Up"]).1 == [.setTheme(name: "auto", isKept: false)])
    let table = KeyTable.standard.applying(
      preset: .standard, overrides: [.init(.up, ["x"])]
    ).table
    #expect(run(["x"], table).1 == [.setTheme(name: "terminal-dark", isKept: false)])
    #expect(run(["k"], table).1.isEmpty)
  }

  @Test("a click tries a theme, a second one keeps it")
  func clicks() throws {
    let facts = facts()
    var shell = CockpitShell(size: size)
    _ = shell.perform(.theme, facts)
    var effects: [Effect] = []
    for _ in 0..<2 {
      let frame = shell.render(facts, size: size)
      let target = try #require(frame.targets.first { $0.target == .overlay(4) })
      effects += shell.handle(
        .mouse(.down(0), column: target.area.x + 2, row: target.area.y, []), on: facts, frame: frame
      )
    }
    #expect(
      effects == [.setTheme(name: "mono", isKept: false), .setTheme(name: "mono", isKept: true)])
  }

  @Test("it is seen, with what is wrong with a file, on every screen")
  func seen() {
    for size in [
      Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 200, height: 60),
    ] {
      let facts = facts()
      var shell = CockpitShell(size: size)
      _ = shell.perform(.theme, facts)
      let frame = shell.render(facts, size: size)
      #expect(frame.canvas.text.contains("> okabe"))
      _ = shell.handle(.key(.down, []), on: facts, frame: frame)
      let text = shell.render(facts, size: size).canvas.text
      #expect(text.contains("cannot be used"))
      #expect(text.contains("txet"))
    }
  }

  @Test("many themes scroll")
  func scrolls() {
    var facts = facts()
    facts.setup.themes = (0..<40).map { "theme-\($0)" }
    facts.setup.theme = "theme-0"
    var shell = CockpitShell(size: size)
    _ = shell.perform(.theme, facts)
    for _ in 0..<39 {
      let frame = shell.render(facts, size: size)
      #expect(frame.canvas.text.firstMatch(of: /> theme-/) != nil)
      _ = shell.handle(.key(.down, []), on: facts, frame: frame)
    }
    #expect(shell.render(facts, size: size).canvas.text.contains("> theme-39"))
  }
}
