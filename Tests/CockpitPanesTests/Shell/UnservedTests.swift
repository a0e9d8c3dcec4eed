import ClankyWire
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// What a backend does not serve: said once, and seen in key bar and help.
@MainActor
@Suite struct UnservedTests {
  private func text(_ shell: CockpitShell, _ fixture: inout MemoryFixture) -> String {
    var fixture = fixture
    var shell = shell
    return fixture.draw(&shell).canvas.text
  }

  @Test("a search that is not served is said once; its key says so in the bar and in help")
  func search() {
    var fixture = MemoryFixture()
    var shell = CockpitShell(tab: .memory, size: Size(width: 120, height: 40))
    _ = shell.update(fixture.facts(shell), size: shell.size)
    #expect(text(shell, &fixture).contains(" s search  "))
    #expect(!text(shell, &fixture).contains("not serve"))

    fixture.store.search = .notServed
    _ = shell.update(fixture.facts(shell), size: shell.size)
    let said =
      "this backend has no search by meaning: it does not serve /api/memory/search; without use: s"
    #expect(text(shell, &fixture).contains(said), "\(text(shell, &fixture))")
    #expect(text(shell, &fixture).contains("s search (not served)"))
    // Once: the next key takes the sentence away, and it does not come back.
    fixture.type("j", &shell)
    _ = shell.update(fixture.facts(shell), size: shell.size)
    #expect(!text(shell, &fixture).contains("it does not serve"))
    #expect(text(shell, &fixture).contains("s search (not served)"))

    fixture.type("?", &shell)
    fixture.write("by meaning", &shell)
    #expect(text(shell, &fixture).contains("in MEMORY facts by meaning, on the backend"))
    #expect(text(shell, &fixture).contains("(not served by this backend)"))
  }

  @Test("one that answers again is served again")
  func again() {
    var fixture = MemoryFixture()
    var shell = CockpitShell(tab: .memory, size: Size(width: 120, height: 40))
    fixture.store.search = .notServed
    _ = shell.update(fixture.facts(shell), size: shell.size)
    fixture.store.search = .loaded(SearchResult(results: []), atMs: Fixture.nowMs)
    fixture.type("j", &shell)
    _ = shell.update(fixture.facts(shell), size: shell.size)
    #expect(!text(shell, &fixture).contains("not serve"))
  }

  @Test("what was asked for and is not there, is no missing route")
  func otherWords() {
    #expect(RequestFailure.refused(status: 404, words: "Not found.").isMissingRoute)
    #expect(RequestFailure.refused(status: 405, words: nil).isMissingRoute)
    #expect(!RequestFailure.refused(status: 404, words: "guild_not_found").isMissingRoute)
    #expect(!RequestFailure.refused(status: 500, words: "Not found.").isMissingRoute)
  }
}
