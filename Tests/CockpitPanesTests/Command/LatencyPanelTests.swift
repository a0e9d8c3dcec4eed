import ClankyWire
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores
@testable import CockpitText

/// Reply latency by phase, and the counts of 24 hours.
@MainActor
@Suite struct LatencyPanelTests {
  private func panel(_ performance: Performance, _ fixture: inout Fixture) -> LatencyPanel {
    let stats = Stats(last24h: ["llm_call": 1], performance: performance)
    fixture.activity.applyGuildStats(stats, of: "1", atMs: Fixture.nowMs)
    var facts = fixture.facts()
    facts.scope = GuildScope("1")
    return LatencyPanel(facts: facts, width: 50)
  }

  private func text(_ panel: LatencyPanel) -> String {
    panel.rows.map(\.text).joined(separator: "\n")
  }

  @Test("a backend without the figures says so once, and one without phases too")
  func notServed() {
    var fixture = Fixture()
    let without = text(panel(Performance(), &fixture))
    #expect(without.contains("does not serve reply latency"))
    #expect(!without.contains("TOTAL"))
    let total = text(panel(Performance(totalMs: Metric(count: 52, p50Ms: 10)), &fixture))
    #expect(total.contains("TOTAL") && total.contains("does not tell the phases apart"))
    #expect(!total.contains("queue"))
  }

  @Test("few replies are marked, and what cannot be a duration is not one")
  func doubt() throws {
    var fixture = Fixture()
    var performance = Performance(
      windowHours: 24, sampleCount: 7, byKind: ["sent_reply": 7],
      totalMs: Metric(count: 7, minMs: 1, p50Ms: 900, p95Ms: 2000, avgMs: 1000, maxMs: 2000))
    performance.phases.queueMs = Metric(
      count: 7, minMs: 0, p50Ms: 12, p95Ms: 1_800_000_000_000, avgMs: 257_142_857_142.9,
      maxMs: 1_800_000_000_000)
    let panel = panel(performance, &fixture)
    let lines = panel.rows.map(\.text)
    #expect(lines.contains("TOTAL 900ms 2.00s 1.00s ~7"), "\(lines)")
    #expect(lines.contains("queue 12ms - - ~7"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("~ fewer than 20") })
    #expect(panel.trailing == "24h at the backend")
  }

  @Test("Enter on a phase shows its rows, or says that the figure is the backend's own")
  func opening() throws {
    var fixture = CommandFixture.rich()
    var shell = CockpitShell(tab: .cmd, size: Size(width: 80, height: 24))
    shell.command.focus = .latency
    fixture.type("j j j Enter", &shell)
    #expect(shell.tab == .pulse)
    #expect(
      shell.pulse.query.text.hasPrefix(
        "kind:reply_skipped|sent_message|sent_reply meta.performance.queueMs>=0 since:"),
      "\(shell.pulse.query.text)")

    var bare = CommandFixture(base: Fixture(rows: []))
    bare.fillRuntime(tunnel: "")
    var other = CockpitShell(tab: .cmd, size: Size(width: 80, height: 24))
    other.command.focus = .latency
    bare.type("j Enter", &other)
    #expect(other.tab == .cmd)
    #expect(other.note?.description.contains("bot's own figures") == true)
  }
}
