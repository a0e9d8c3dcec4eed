import ClankyWire
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// Nothing marks success or failure (contract 4.1): what nobody said is shown as neither.
@MainActor
@Suite struct UnknownOutcomeTests {
  @Test("a call is running until it ended or failed; unknown is neither success nor failure")
  func calls() {
    typealias State = ToolRow.State
    let end = WireTime(milliseconds: 1)
    #expect(State(ToolCall(completedAt: end, success: true)) == .succeeded)
    #expect(State(ToolCall(completedAt: end, success: false)) == .failed)
    #expect(State(ToolCall(success: false)) == .running)
    #expect(State(ToolCall(success: false, error: "boom")) == .failed)
    #expect(State(ToolCall(completedAt: end)) == .ended)
    #expect(State(ToolCall(completedAt: end, error: "boom")) == .failed)
  }

  @Test("what is connected is counted only where it is known")
  func lights() {
    var fixture = Fixture()
    let facts = fixture.facts()
    func lights(_ states: [Bool?], error: String? = nil) -> String {
      var session = VoiceSession(sessionID: "s")
      session.mcpStatus = states.map { McpServer(connected: $0, lastError: error) }
      session.asrSessions = states.map { AsrSession(connected: $0) }
      let pills = VoicePills(facts: facts, session: session, skips: SkipRate())
      return pills.pills(.wide).flatMap(\.spans).map(\.text.description).joined(separator: " ")
    }
    #expect(lights([nil, nil]).contains("ASR - -/2") && lights([nil, nil]).contains("MCP -/2"))
    #expect(!lights([nil, nil]).contains("/2!"))
    #expect(lights([true, nil]).contains("MCP 1/2") && !lights([true, nil]).contains("1/2!"))
    #expect(lights([true, false]).contains("MCP 1/2!"))
    #expect(lights([nil], error: "refused").contains("MCP -/1!"))
  }

  @Test("a browser run without a word about its end has neither mark")
  func browserRuns() {
    var fixture = CommandFixture()
    func mark(_ session: BrowserSession) -> VoiceLine.Span? {
      fixture.store.browserSessions = .loaded(
        BrowserSessionPage(sessions: [session]), atMs: Fixture.nowMs)
      let panel = BrowsersPanel(
        facts: fixture.facts(CockpitShell(size: Size(width: 80, height: 24))), unfolded: [],
        width: 80)
      return panel.rows.first?.line.spans[1]
    }
    #expect(mark(BrowserSession(failed: false))?.symbol == .check)
    #expect(mark(BrowserSession(failed: true))?.symbol == .cross)
    #expect(mark(BrowserSession(errorMessage: "boom"))?.symbol == .cross)
    #expect(mark(BrowserSession())?.text == "-")
  }

  @Test("a song that is said to have no length has an unknown one")
  func songLengths() {
    var fixture = Fixture()
    var music = VoiceMusic()
    music.pendingResults = [MusicResult(durationSeconds: 0), MusicResult(durationSeconds: 75)]
    let panel = MusicPanel(facts: fixture.facts(), music: music, isFull: false, width: 60)
    let lengths = panel.lines.compactMap { $0.trailing.last?.text }
    #expect(lengths.suffix(2) == ["-", "1m15s"])
  }
}
