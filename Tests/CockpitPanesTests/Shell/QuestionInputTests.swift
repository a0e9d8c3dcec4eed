import ClankyWire
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// What came together with the key that opened a question does not answer it: a terminal that does not
/// mark pastes gives them as keys (promise P8).
@MainActor
@Suite struct QuestionInputTests {
  /// Gives a shell the events of one reading of the terminal.
  private func read(
    _ number: Int, _ keys: String, _ shell: inout CockpitShell,
    _ fixture: inout MemoryFixture
  ) -> [Effect] {
    var effects: [Effect] = []
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses {
        let frame = fixture.draw(&shell)
        effects += shell.handle(
          .key(press.key, press.modifiers), on: fixture.facts(shell), frame: frame, read: number)
      }
    }
    return effects
  }

  @Test("a deletion, a retyping and quitting are answered by what comes later only")
  func questions() {
    var fixture = MemoryFixture()
    var shell = CockpitShell(tab: .memory, size: Size(width: 100, height: 40))
    #expect(read(1, "D y Enter", &shell, &fixture) == [])
    guard case .deletion? = shell.dialog else {
      Issue.record("there is no question")
      return
    }
    #expect(read(2, "y Enter", &shell, &fixture).count == 1)
    #expect(shell.dialog == nil)

    #expect(read(3, "g g v v e Enter 2 Enter", &shell, &fixture) == [])
    guard case .retyping? = shell.dialog else {
      Issue.record("there is no question")
      return
    }
    #expect(read(4, "Enter 2 Enter", &shell, &fixture).count == 1)
  }

  @Test("quitting, and what an action asks, wait for another reading too; other windows do not")
  func others() {
    var fixture = MemoryFixture()
    fixture.store.unsavedDrafts = [1]
    var shell = CockpitShell(tab: .memory, size: Size(width: 100, height: 40))
    #expect(read(1, "q Right Enter", &shell, &fixture) == [])
    #expect(shell.quitPrompt != nil)
    #expect(read(2, "Right Enter", &shell, &fixture) == [.quit])

    var typing = CockpitShell(tab: .memory, size: Size(width: 100, height: 40))
    #expect(read(1, "/ a b c", &typing, &fixture) == [])
    #expect(typing.memory.query.find == "abc")
  }
}
