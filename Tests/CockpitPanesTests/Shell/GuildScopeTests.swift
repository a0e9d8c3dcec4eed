import ClankyWire
import CockpitDomain
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// The guild that all tabs are about.
@MainActor
@Suite struct GuildScopeTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]
  nonisolated static let workshop = "500000000000000001"
  nonisolated static let crew = "500000000000000002"

  /// Rows of two guilds and of none, and the figures of the second.
  private func fixture(
    hasStats: Bool = true, story: [String] = Fixture.story
  ) -> Fixture {
    let fixture = Fixture(
      rows: story + [
        Fixture.row(
          21, "14:31:59.000", "sent_reply", content: "The kiln is at 900 degrees.",
          user: "900000000000000001", channel: "600000000000000022",
          metadata: #"{"performance":{"totalMs":2100}}"#, guild: Self.crew),
        Fixture.row(
          22, "14:31:40.000", "llm_call", content: "openai:gpt-5", channel: "600000000000000022",
          cost: 0.02, guild: Self.crew),
        Fixture.row(
          23, "14:30:59.000", "llm_error", content: "429 slow down", channel: "600000000000000022",
          guild: Self.crew),
        Fixture.row(24, "14:30:10.000", "bot_lifecycle", content: "bot_logged_in", guild: nil),
      ])
    fixture.connection.learn(guilds: [Guild(id: Self.crew, name: "Kiln Crew")])
    fixture.connection.learn(channels: [
      Channel(id: "600000000000000022", name: "firing", type: .text)
    ])
    if hasStats {
      fixture.activity.applyGuildStats(
        Stats(
          last24h: ["llm_call": 7, "sent_reply": 3], totalCostUsd: 1.25,
          dailyCost: [DailyCost(day: "2026-03-01", usd: 0.4)],
          performance: Performance(
            windowHours: 24, sampleCount: 3,
            totalMs: Metric(count: 3, minMs: 900, p50Ms: 2100, p95Ms: 4000, avgMs: 2333.3))),
        of: Self.crew, atMs: Fixture.nowMs)
    }
    return fixture
  }

  private func shell(_ tab: Tab, _ size: Size, _ fixture: inout Fixture) -> CockpitShell {
    var shell = CockpitShell.withVerbs(size: size)
    _ = shell.line("guild kiln crew", &fixture)
    shell.tab = tab
    shell.note(nil)
    fixture.scope = shell.scope
    _ = shell.update(fixture.facts(), size: size)
    return shell
  }

  @Test("each tab about one guild", arguments: sizes)
  func tabs(size: Size) throws {
    for tab in Tab.allCases {
      // CMD has a line about names that are not known.
      var fixture = fixture(story: tab == .cmd ? CommandFixture.known : Fixture.story)
      let shell = shell(tab, size, &fixture)
      let canvas = shell.render(fixture.facts(), size: size).canvas
      #expect(canvas.text(row: 0).contains("Kiln Crew"), "\(tab)")
      try expectGolden(canvas, "guild-\(tab)-\(size.width)x\(size.height)")
    }
  }

  @Test("a guild without a row and without figures claims neither")
  func nothing() throws {
    var fixture = fixture(hasStats: false)
    var shell = CockpitShell.withVerbs(size: Self.sizes[1])
    _ = shell.line("guild 777", &fixture)
    fixture.scope = shell.scope
    _ = shell.update(fixture.facts(), size: Self.sizes[1])
    shell.note(nil)
    let canvas = shell.render(fixture.facts(), size: Self.sizes[1]).canvas
    let text = (0..<40).map { canvas.text(row: $0) }.joined(separator: "\n")
    #expect(text.contains("No row of guild"))
    #expect(text.contains("ACT 0"))
    #expect(text.contains("- UTC"))
    #expect(!text.contains("$2.47"))
  }

  @Test("the scope is given by name, by id and by a click on MEMORY's guilds, and ends with off")
  func choosing() {
    var fixture = fixture()
    var shell = CockpitShell.withVerbs(size: Self.sizes[0])
    #expect(shell.scope.isAll)
    _ = shell.line("guild KILN crew", &fixture)
    #expect(shell.scope.guild == Self.crew && shell.memory.query.guild == Self.crew)
    #expect(shell.shown.scope.guild == Self.crew)
    _ = shell.line("guild " + Self.workshop, &fixture)
    #expect(shell.scope.guild == Self.workshop)
    _ = shell.line("guild off", &fixture)
    #expect(shell.scope.isAll && shell.memory.query.guild == nil)
    _ = shell.line("guild nowhere", &fixture)
    #expect(shell.scope.isAll)
    shell.type("Esc Esc", &fixture)
    // The key asks which.
    shell.type("g G", &fixture)
    #expect(shell.commandLine?.field.text == "guild ")
  }

  @Test("while a guild is chosen, another one in MEMORY is another one everywhere")
  func memory() {
    var fixture = fixture()
    var shell = CockpitShell.withVerbs(size: Self.sizes[0])
    _ = shell.line("guild kiln crew", &fixture)
    fixture.memory.guilds = [Self.crew, Self.workshop]
    shell.tab = .memory
    shell.type("}", &fixture)
    #expect(shell.scope.guild == Self.workshop)
    shell.type("}", &fixture)
    #expect(shell.scope.isAll)
    // Without a scope MEMORY has its own.
    shell.type("}", &fixture)
    #expect(shell.scope.isAll && shell.memory.query.guild == Self.crew)
  }

  @Test("a guild that is named at the start is found when the guilds are known")
  func atStart() {
    var fixture = fixture()
    var shell = CockpitShell(guild: "kiln CREW", size: Self.sizes[0])
    #expect(shell.scope.guild == "kiln CREW")
    _ = shell.update(fixture.facts(), size: Self.sizes[0])
    #expect(shell.scope.guild == Self.crew)
    var lost = CockpitShell(guild: "nowhere", size: Self.sizes[0])
    _ = lost.update(fixture.facts(), size: Self.sizes[0])
    #expect(lost.scope.isAll)
    let canvas = lost.render(fixture.facts(), size: Self.sizes[0]).canvas
    let text = (0..<24).map { canvas.text(row: $0) }.joined(separator: "\n")
    #expect(text.contains("The bot is in no guild called 'nowhere'"))
  }

  @Test("a cited row of another guild is not shown as one of this")
  func otherRow() throws {
    var fixture = fixture()
    var shell = shell(.pulse, Self.sizes[0], &fixture)
    let log = fixture.activity.log
    let other = try #require(
      (0..<log.count).map { log.row(at: $0) }.first { $0.guildID == Self.workshop })
    _ = shell.followed([.show(row: other.id)], shell.withKeys(fixture.facts()))
    #expect(!shell.pulse.isDetailOpen)
    #expect(shell.pulse.message?.description.contains(":guild off") == true)
  }
}
