import TerminalUI
import ClankyWire
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// A screen that is too small to show anything: what nobody sees is not acted on (promise P8).
@MainActor
@Suite struct SmallScreenTests {
  private let small = Size(width: 30, height: 5)

  private func text(_ shell: CockpitShell, _ fixture: inout Fixture, _ size: Size? = nil) -> String
  {
    shell.render(fixture.facts(), size: size ?? shell.size).canvas.text
  }

  private func key(
    _ key: Key, _ modifiers: KeyModifiers = [], _ shell: inout CockpitShell,
    _ fixture: inout Fixture
  ) -> [Effect] { shell.send(.key(key, modifiers), &fixture) }

  @Test("no key, paste or click reaches the list: nothing is asked, deleted or opened")
  func list() {
    var fixture = MemoryFixture()
    var shell = CockpitShell(tab: .memory, size: Size(width: 39, height: 9))
    let before = shell.memory
    #expect(fixture.type("D y Enter v v e Enter u U 1 : / x ? Tab g r", &shell) == [])
    fixture.send(.paste("y\n"), &shell)
    fixture.send(.mouse(.down(0), column: 3, row: 3, []), &shell)
    #expect(shell.dialog == nil && shell.tab == .memory && shell.commandLine == nil)
    #expect(shell.help == nil && shell.overlay == nil && shell.pending.isEmpty)
    #expect(shell.memory.cursor.id == before.cursor.id && shell.memory.selection.isEmpty)
  }

  @Test("a hidden form takes no text and sends nothing; it is there when there is room again")
  func form() {
    var fixture = Fixture()
    var shell = CockpitShell(tab: .memory, size: small)
    shell.dialog = FactForm(DialogFixture.plain, on: fixture.facts()).map(MemoryDialog.form)
    let before = shell.dialog
    #expect(before != nil)
    for character in "hello 12" { #expect(key(.char(character), [], &shell, &fixture) == []) }
    for press in [
      KeyPress(.char("s"), .ctrl), KeyPress(.char("x"), .ctrl), KeyPress(.char("d"), .ctrl),
      KeyPress(.enter), KeyPress(.escape), KeyPress(.backspace),
    ] { #expect(key(press.key, press.modifiers, &shell, &fixture) == []) }
    #expect(shell.send(.paste("pasted"), &fixture) == [])
    #expect(shell.dialog == before)
  }

  @Test("C-l, C-z and, with nothing unfinished, q and C-c do what they always do")
  func through() {
    var fixture = Fixture()
    var shell = CockpitShell(tab: .pulse, size: small)
    #expect(key(.char("l"), .ctrl, &shell, &fixture) == [.repaint])
    #expect(key(.char("z"), .ctrl, &shell, &fixture) == [.suspend])
    #expect(key(.char("q"), [], &shell, &fixture) == [.quit])
    #expect(key(.char("c"), .ctrl, &shell, &fixture) == [.quit])
    #expect(text(shell, &fixture).contains("q quits"))
  }

  @Test("with something unfinished the first q says what the second one does")
  func unfinished() {
    for first in ["q", "C-c"] {
      var fixture = Fixture()
      fixture.memory.deletions = [
        HeldDeletion(id: 1, facts: [DialogFixture.plain, DialogFixture.hostile], dueNs: 0)
      ]
      fixture.memory.unsavedDrafts = [1042]
      var shell = CockpitShell(tab: .pulse, size: small)
      let press = try? KeyChord(parsing: first).presses.first
      let (code, modifiers) = (press?.key ?? .tab, press?.modifiers ?? [])
      #expect(key(code, modifiers, &shell, &fixture) == [])
      let words = text(shell, &fixture)
      #expect(words.contains("need 40x10") && words.contains("q again loses 1 draft"))
      #expect(words.contains("q again: 2 deletions not sent"))
      // Other keys answer nothing.
      for other in "y 1" { #expect(key(.char(other), [], &shell, &fixture) == []) }
      #expect(key(.enter, [], &shell, &fixture) == [])
      #expect(key(code, modifiers, &shell, &fixture) == [.quit])
    }
  }

  @Test("the question goes with Esc, and is the usual one when there is room again")
  func question() {
    var fixture = Fixture()
    fixture.memory.unsavedDrafts = [1042]
    var shell = CockpitShell(tab: .pulse, size: small)
    #expect(key(.char("q"), [], &shell, &fixture) == [])
    #expect(text(shell, &fixture, Size(width: 80, height: 24)).contains("[QUIT, LOSE THE TEXT]"))
    #expect(text(shell, &fixture, Size(width: 12, height: 2)).contains("q again"))
    #expect(text(shell, &fixture, Size(width: 30, height: 1)).contains("loses 1 draft"))
    #expect(key(.escape, [], &shell, &fixture) == [])
    #expect(text(shell, &fixture).contains("q quits"))
    #expect(key(.char("q"), [], &shell, &fixture) == [])
  }

  @Test("deletions that are sent while quitting are waited for, and only C-c does not wait")
  func waiting() {
    var fixture = Fixture()
    fixture.memory.deletions = [HeldDeletion(id: 1, facts: [DialogFixture.plain], dueNs: 0)]
    var shell = CockpitShell(tab: .pulse, size: small)
    shell.heldAtQuit = .send
    #expect(key(.char("q"), [], &shell, &fixture) == [.finishAndQuit])
    #expect(text(shell, &fixture).contains("waiting for answers"))
    #expect(key(.char("q"), [], &shell, &fixture) == [])
    #expect(key(.escape, [], &shell, &fixture) == [])
    #expect(key(.char("c"), .ctrl, &shell, &fixture) == [.quit])
  }
}
