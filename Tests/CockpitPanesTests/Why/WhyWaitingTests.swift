import CockpitAnswers
import CockpitStores
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// `W` while rows of voice sessions are unread: frames read them, the key does not.
@MainActor
@Suite struct WhyWaitingTests {
  private let size = Size(width: 80, height: 24)

  /// A turn of voice under the cursor of PULSE, none of whose rows was read.
  private func shell(_ fixture: inout Fixture) throws -> CockpitShell {
    fixture.readsVoice = false
    Fixture.withBytes("[\(VoiceFixture.events.joined(separator: ","))]") {
      _ = fixture.activity.applyRows($0, nowMs: Fixture.nowMs)
    }
    var shell = CockpitShell(size: size)
    let row = try #require(fixture.activity.log.rowID(actionID: 104))
    shell.pulse.reveal(row, fixture.facts())
    return shell
  }

  @Test("the key changes no store and says what it waits for; the frame that has read all answers")
  func waits() throws {
    var fixture = Fixture()
    var shell = try shell(&fixture)
    let revision = fixture.voice.log.revision
    shell.type("W", &fixture)
    #expect(fixture.voice.log.revision == revision && shell.overlay == nil)
    #expect(shell.shown.hasVoice, "so that frames read them")
    let screen = shell.render(fixture.facts(), size: size).canvas.text
    #expect(screen.contains("reading the rows of voice sessions, "), "\(screen)")
    _ = shell.update(fixture.facts(), size: size)
    #expect(shell.overlay == nil)
    while !fixture.voice.follow(fixture.activity.log, rowBudget: 3) {
      _ = shell.update(fixture.facts(), size: size)
      #expect(shell.overlay == nil)
    }
    _ = shell.update(fixture.facts(), size: size)
    #expect((shell.overlay as? WhyCard)?.why.exchange.medium == .voice)
    #expect(!shell.shown.hasVoice)
  }

  @Test("another key gives up; a row that no voice session can have is answered at once")
  func givesUp() throws {
    var fixture = Fixture()
    var shell = try shell(&fixture)
    shell.type("W j", &fixture)
    fixture.voice.follow(fixture.activity.log)
    _ = shell.update(fixture.facts(), size: size)
    #expect(shell.overlay == nil && !shell.shown.hasVoice)
    var other = Fixture()
    shell = try self.shell(&other)
    let row = try #require(other.activity.log.rowID(actionID: 6))
    shell.pulse.reveal(row, other.facts())
    shell.type("W", &other)
    #expect(shell.overlay is WhyCard)
  }

  @Test("a line after : waits as well, and goes to the backend for what is not here")
  func line() throws {
    var fixture = Fixture()
    var shell = try shell(&fixture)
    shell.type(":", &fixture)
    shell.write("why 104", &fixture)
    shell.type("Enter", &fixture)
    #expect(shell.overlay == nil)
    fixture.voice.follow(fixture.activity.log)
    #expect(shell.update(fixture.facts(), size: size).isEmpty)
    #expect(shell.overlay is WhyCard)
  }

  @Test(
    "the answer that another tab is put on waits too: the tab stands on it once the rows are read")
  func choice() throws {
    var fixture = Fixture()
    var shell = try shell(&fixture)
    shell.type("k j", &fixture)
    let row = try #require(fixture.activity.log.rowID(actionID: 104))
    shell.pulse.reveal(row, fixture.facts())
    let revision = fixture.voice.log.revision
    shell.type("3", &fixture)
    #expect(fixture.voice.log.revision == revision, "a key reads no rows")
    #expect(shell.selectedAnswer == nil && shell.shown.hasVoice)
    fixture.voice.follow(fixture.activity.log)
    _ = shell.update(fixture.facts(), size: size)
    let answer = try #require(shell.selectedAnswer)
    #expect(answer.exchange.medium == .voice && answer.rows.contains(row))
    let screen = shell.render(fixture.facts(), size: size).canvas.text
    #expect(screen.contains("1  2 [3 BRAIN] 4  5 "), "\(screen)")
    #expect(screen.split(separator: "\n").first?.contains("14:3") ?? false, "\(screen)")
  }
}
