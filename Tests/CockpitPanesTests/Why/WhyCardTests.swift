@testable import CockpitShell
import CockpitAnswers
import CockpitStores
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes

/// `W`: the answer to why, over the tabs.
@MainActor
@Suite struct WhyCardTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]

  /// A log that one rule answers, at the time of the fixture.
  private func fixture(_ rule: String) throws -> Fixture {
    let rule = try #require(WhyRule.all.first { $0.name == rule })
    let fixture = Fixture(
      rows: rule.fixture.rows.reversed().map {
        $0.replacing("2026-05-09T18:", with: "2026-03-01T14:")
      })
    fixture.voice.follow(fixture.activity.log)
    return fixture
  }

  /// The card about the row with an id.
  private func shell(
    _ actionID: Int, _ fixture: inout Fixture, size: Size
  ) throws -> CockpitShell {
    var shell = CockpitShell(size: size)
    let row = try #require(fixture.activity.log.rowID(actionID: actionID))
    shell.pulse.reveal(row, fixture.facts())
    shell.type("W", &fixture)
    return shell
  }

  private func text(_ shell: CockpitShell, _ fixture: inout Fixture) -> [String] {
    let canvas = shell.render(fixture.facts(), size: shell.size).canvas
    return (0..<canvas.size.height).map { canvas.text(row: $0) }
  }

  @Test("an answer and an answer that was never sent", arguments: sizes.prefix(2))
  func goldens(size: Size) throws {
    for (rule, asks) in [("text.replied", 5), ("text.not_sent.error", 2)] {
      var fixture = try fixture(rule)
      let shell = try shell(asks, &fixture, size: size)
      try expectGolden(
        shell.render(fixture.facts(), size: size).canvas,
        "why-\(rule.split(separator: ".")[1])-\(size.width)x\(size.height)")
    }
  }

  @Test("the sentence stands in the top third and the next step is whole", arguments: sizes)
  func layout(size: Size) throws {
    for rule in WhyRule.all where !rule.fixture.isOpen {
      var fixture = try fixture(rule.name)
      let shell = try shell(rule.fixture.asks, &fixture, size: size)
      let card = try #require(
        shell.overlay as? WhyCard, "\(rule.name): \(text(shell, &fixture).suffix(2))")
      let lines = text(shell, &fixture)
      let words = card.why.answer.sentence.split(separator: " ").map(String.init)
      let third = lines.prefix(size.height / 3).joined(separator: " ")
      #expect(words.allSatisfy(third.contains), "\(rule.name): \(third)")
      let all = lines.joined(separator: " ")
      let next = try #require(card.why.answer.next).sentence.split(separator: " ").map(String.init)
      #expect(all.contains("next: " + next[0]) && next.allSatisfy(all.contains), "\(rule.name)")
    }
  }

  @Test("Enter on a step goes to its row in PULSE, n takes the next step, Esc closes")
  func going() throws {
    var fixture = try fixture("text.replied")
    var shell = try shell(5, &fixture, size: Self.sizes[0])
    shell.type("g g j j Enter", &fixture)
    #expect(shell.overlay == nil)
    #expect(shell.tab == .pulse)
    #expect(shell.pulse.selectedRow(fixture.facts())?.actionID == 1, "the admission")
    shell.type("W n", &fixture)
    #expect(shell.pulse.selectedRow(fixture.facts())?.actionID == 4, "the call")
    shell.type("W Esc", &fixture)
    #expect(shell.overlay == nil)
  }

  @Test("in BRAIN it is about the selected call, and : takes an id and words")
  func others() throws {
    var fixture = try fixture("text.replied")
    var shell = CockpitShell(tab: .brain, size: Self.sizes[1])
    shell.type("W", &fixture)
    #expect((shell.overlay as? WhyCard)?.why.rule == "text.replied")
    for line in ["why 5", "why last", "why 'slow one'", "why tomasz"] {
      var shell = CockpitShell(size: Self.sizes[1])
      shell.type(":", &fixture)
      shell.write(line, &fixture)
      shell.type("Enter", &fixture)
      #expect((shell.overlay as? WhyCard)?.why.rule == "text.replied", "\(line)")
    }
  }

  @Test("W alone opens the newest answer, though newer rows belong to nothing")
  func alone() throws {
    var fixture = try fixture("text.replied")
    #expect(fixture.activity.log.row(at: 0).kind == "dashboard")
    var shell = CockpitShell(size: Self.sizes[1])
    shell.type("W", &fixture)
    #expect((shell.overlay as? WhyCard)?.why.rule == "text.replied")
    #expect(shell.pulse.isFollowing)
  }

  @Test("a long text is whole where lines would stand empty, else in the selected line")
  func whole() throws {
    for size in [Self.sizes[2], Size(width: 80, height: 16)] {
      var fixture = try fixture("text.not_sent.error")
      var shell = try shell(2, &fixture, size: size)
      shell.type("g g j j j j j j j", &fixture)
      let delivered = text(shell, &fixture).joined(separator: " ")
        .split { " │".contains($0) }.joined(separator: " ")
      #expect(delivered.contains("discord_send_failed: Missing Permissions"), "\(delivered)")
    }
  }

  @Test("what is on no row here is looked for by the program")
  func elsewhere() throws {
    var fixture = try fixture("text.replied")
    var shell = CockpitShell(size: Self.sizes[1])
    shell.type(":", &fixture)
    shell.write("why 4711", &fixture)
    shell.type("Enter", &fixture)
    #expect((shell.overlay as? VerbOutput)?.words == ["why", "4711"])
  }

  @Test("a row that belongs to no answer says so")
  func nothing() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: Self.sizes[0])
    shell.type("j j j j j W", &fixture)
    #expect(shell.overlay == nil)
    #expect(text(shell, &fixture).joined().contains("nothing on record of why"))
  }
}
