import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitShell

@MainActor @Suite struct HistorySearchTests {
  private static let size = Size(width: 80, height: 24)

  private func hits(_ count: Int, _ fixture: inout Fixture) -> [HistoryFound.Hit] {
    let log = fixture.facts().activity.log
    let names = fixture.facts().names
    return (0..<count).compactMap { index in
      let row = log.row(at: index % max(1, log.count))
      guard let parsed = fixture.facts().actions.action(for: row) else { return nil }
      let summary = ActionSummary(of: parsed.action, metadata: parsed.metadata, names: names)
      return HistoryFound.Hit(row, summary, names: names)
    }
  }

  private func text(_ shell: CockpitShell, _ fixture: inout Fixture) -> String {
    let frame = shell.render(fixture.facts(), size: Self.size)
    return (0..<Self.size.height).map {
      frame.canvas.text(in: Rect(x: 0, y: $0, width: Self.size.width, height: 1)).description
    }.joined(separator: "\n")
  }

  @Test("s searches, Enter opens the row in the past, Down at the end searches on")
  func keys() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: Self.size)
    #expect(shell.send(.key(.char("s"), []), &fixture) == [])
    shell.type("cat", &fixture)
    #expect(shell.send(.key(.enter, []), &fixture) == [.find(.find("cat"))])
    var found = HistoryFound("cat")
    shell.take(found)
    #expect(text(shell, &fixture).contains("Esc keeps what was found"))
    found.isRunning = false
    found.hits = hits(2, &fixture)
    found.hasMore = true
    found.throughMs = 1_795_557_600_000
    shell.take(found)
    #expect(text(shell, &fixture).contains("2 rows back to"))
    #expect(shell.send(.key(.down, []), &fixture) == [])
    #expect(shell.send(.key(.down, []), &fixture) == [.find(.more)])
    let row = found.hits[1].row
    #expect(shell.send(.key(.enter, []), &fixture) == [.find(.stop), .replay(.seekHit(row))])
    #expect(shell.layers.isEmpty)
  }

  @Test("Esc stops a search that is running, and then leaves; a mistake is said before it is sent")
  func stopping() {
    var fixture = Fixture()
    var shell = CockpitShell(size: Self.size)
    _ = shell.send(.key(.char("s"), []), &fixture)
    shell.type("knd:x", &fixture)
    #expect(shell.send(.key(.enter, []), &fixture) == [])
    #expect(text(shell, &fixture).contains("no field \"knd\""))
    _ = shell.send(.key(.char("u"), .ctrl), &fixture)
    shell.type("cat", &fixture)
    #expect(shell.send(.key(.enter, []), &fixture) == [.find(.find("cat"))])
    #expect(shell.send(.key(.escape, []), &fixture) == [.find(.stop)])
    var found = HistoryFound("cat")
    found.isRunning = false
    shell.take(found)
    #expect(shell.send(.key(.escape, []), &fixture) == [])
    #expect(shell.layers.isEmpty)
  }

  @Test("what was found of another text is ignored, and none is told from not recorded")
  func states() {
    var fixture = Fixture()
    var shell = CockpitShell(size: Self.size)
    _ = shell.openHistorySearch("cat", fixture.facts())
    var found = HistoryFound("dog")
    found.isRunning = false
    found.hits = hits(1, &fixture)
    shell.take(found)
    #expect(text(shell, &fixture).contains("searching"))
    found = HistoryFound("cat")
    found.isRunning = false
    shell.take(found)
    #expect(text(shell, &fixture).contains("nothing is recorded yet"))
    found.recordedSinceMs = 1_795_557_600_000
    shell.take(found)
    #expect(text(shell, &fixture).contains("no row found in all that was recorded since"))
  }
}
