import CockpitAnswers
import CockpitStores
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The one answer that all tabs stand on.
@MainActor
@Suite struct SelectedAnswerTests {
  private static let wide = Size(width: 200, height: 60)

  /// A log that some rules answer, each a minute after the one before, at the time of the fixture.
  private func fixture(_ rules: String...) throws -> Fixture {
    var rows: [String] = []
    for name in rules {
      let rule = try #require(WhyRule.all.first { $0.name == name })
      rows += rule.fixture.rows
    }
    return Fixture(
      rows: rows.reversed().map { $0.replacing("2026-05-09T18:", with: "2026-03-01T14:") })
  }

  private func text(_ shell: CockpitShell, _ fixture: inout Fixture) -> [String] {
    let canvas = shell.render(fixture.facts(query: shell.pulse.feedQuery), size: shell.size).canvas
    return (0..<canvas.size.height).map { canvas.text(row: $0) }
  }

  private func shell(on actionID: Int, _ fixture: inout Fixture, size: Size = wide) throws
    -> CockpitShell
  {
    var shell = CockpitShell(size: size)
    let row = try #require(fixture.activity.log.rowID(actionID: actionID))
    for _ in 0...fixture.activity.log.count {
      if shell.pulse.cursor == row { return shell }
      shell.type("j", &fixture)
    }
    Issue.record("row \(actionID) is not in the feed")
    return shell
  }

  @Test("a row chosen in PULSE is what BRAIN stands on; every title says which answer; Esc lets go")
  func brain() throws {
    var fixture = try fixture("text.replied")
    var shell = try shell(on: 2, &fixture)
    #expect(shell.selectedAnswer == nil, "nothing is looked up while the cursor moves")
    shell.type("3", &fixture)
    let answer = try #require(shell.selectedAnswer)
    #expect(answer.key == .message(WhyFixture.message))
    let lines = text(shell, &fixture)
    let name = "answer 14:00 to tomasz"
    #expect(lines[0].contains(name), "\(lines[0])")
    for panel in ["PROMPT", "TOOL CHAIN", "FACTS USED", "GENERATION CONTEXT", "CONTEXT BUDGET"] {
      let title = try #require(lines.first { $0.contains(" \(panel) ") }, "\(panel)")
      #expect(title.contains(name), "\(panel): \(title)")
    }
    #expect(lines.contains { $0.contains("$0.0180") })
    shell.type("Esc", &fixture)
    #expect(shell.selectedAnswer == nil)
    #expect(!text(shell, &fixture)[0].contains(name))
  }

  @Test("a silence without a call has nothing on record in the panels of a model")
  func nothing() throws {
    let rule = try #require(WhyRule.all.first { $0.outcome == .notAdmitted })
    var fixture = try fixture(rule.name)
    var shell = try shell(on: rule.fixture.asks, &fixture)
    shell.type("3", &fixture)
    #expect(shell.selectedAnswer?.why.outcome == .notAdmitted)
    let lines = text(shell, &fixture)
    #expect(lines[0].contains("silence 14:00"), "\(lines[0])")
    let said = lines.count { $0.contains("nothing on record for this answer") }
    #expect(said >= 3, "\(lines.joined(separator: "\n"))")
  }

  @Test("a spoken turn chosen in PULSE is the one of VOICE; another turn there is the one of PULSE")
  func voice() throws {
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    let turns = try #require(fixture.voice.record("s-1")).turns
    let rows = turns.compactMap { turn in
      turn.events.lazy.compactMap { fixture.voice.record("s-1")?.event($0)?.rowID }.first
    }
    try #require(rows.count >= 2)
    var shell = CockpitShell(size: Self.wide)
    shell.pulse.reveal(rows[0], fixture.facts())
    shell.type("Esc j k 2", &fixture)
    #expect(shell.selectedAnswer?.key == .turn(session: "s-1", turn: turns[0].id))
    #expect(shell.voice.turnID == turns[0].id)
    shell.type("{", &fixture)
    let next = try #require(shell.voice.turnID)
    #expect(next != turns[0].id)
    #expect(shell.selectedAnswer?.key == .turn(session: "s-1", turn: next))
    shell.type("1", &fixture)
    let row = try #require(shell.pulse.cursor)
    #expect(shell.selectedAnswer?.rows.contains(row) == true)
    shell.type("2 Esc", &fixture)
    #expect(shell.selectedAnswer == nil && shell.voice.turnID == nil)
  }

  @Test("# lists the figures of the screen, and Enter shows the rows behind one")
  func figures() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: Self.wide)
    shell.type("#", &fixture)
    let list = try #require(shell.overlay as? FigureList)
    #expect(list.figures.count > 6 && Set(list.figures.map(\.target)).count == list.figures.count)
    let errors = try #require(
      list.figures.firstIndex { $0.words.description.hasPrefix("chip:error since:") })
    for _ in 0..<errors { shell.type("j", &fixture) }
    shell.type("Enter", &fixture)
    #expect(shell.overlay == nil && shell.tab == .pulse)
    #expect(shell.pulse.query.text == list.figures[errors].words.description)
    shell.type("5 # Esc", &fixture)
    #expect(shell.overlay == nil && shell.tab == .cmd)
  }

  @Test("while nothing is chosen the tabs follow the newest, and walking them chooses nothing")
  func following() throws {
    var fixture = try fixture("text.replied")
    var shell = CockpitShell(size: Self.wide)
    shell.type("2 3 4 5 1 3", &fixture)
    #expect(shell.selectedAnswer == nil)
    #expect(shell.brain.chosen == nil && shell.pulse.chosen == nil && shell.voice.chosen == nil)
    #expect(shell.pulse.isFollowing)
    #expect(
      shell.brain.subject(fixture.facts())?.key == .message(WhyFixture.message),
      "BRAIN shows the newest answer")
  }
}
