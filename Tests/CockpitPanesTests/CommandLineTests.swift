import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes

@MainActor
@Suite struct CommandLineTests {
  private let size = Size(width: 80, height: 24)

  @Test("a command is carried out by its name, by an alias and by a prefix that fits one")
  func names() {
    for (line, tab) in [("tab-voice", Tab.voice), ("brain", .brain), ("jour", .memory)] {
      var fixture = Fixture()
      var shell = CockpitShell(size: size)
      shell.type(":", &fixture)
      for letter in line { shell.type(String(letter), &fixture) }
      shell.type("Enter", &fixture)
      #expect(shell.tab == tab, "\(line)")
      #expect(shell.commandLine == nil)
    }
  }

  @Test("an unknown name stays to be mended, and Esc leaves")
  func unknown() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    for key in [":", "x", "x", "Enter"] { shell.type(key, &fixture) }
    let row = shell.render(fixture.facts(), size: size).canvas.text(row: 23)
    #expect(row.hasPrefix(":xx"))
    #expect(row.contains("no command is called xx"))
    shell.type("Esc", &fixture)
    #expect(shell.commandLine == nil)
  }

  @Test("Tab walks the names that begin so")
  func completion() {
    var line = CommandLine()
    for letter in "next-e" { _ = line.press(KeyPress(.char(letter)), .standard) }
    _ = line.press(KeyPress(.tab), .standard)
    #expect(line.field.text == "next-error")
    #expect(line.press(KeyPress(.enter), .standard) == .run(.nextError))
  }

  @Test("what has no key with --read-only has no name either")
  func readOnly() {
    for command in CockpitCommand.allCases where command.isMutation {
      var line = CommandLine()
      for letter in command.rawValue { _ = line.press(KeyPress(.char(letter)), .standard) }
      #expect(line.press(KeyPress(.enter), .standard.withoutMutations) != .run(command))
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
}
