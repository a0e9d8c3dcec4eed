import CockpitText
import ClankyWire
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitStores

/// Fields that the detail reads from wherever a kind keeps them.
@MainActor
@Suite struct DetailFieldTests {
  private func detail(_ kind: String, _ content: String, _ metadata: String) throws -> [String] {
    var fixture = Fixture()
    try fixture.live(
      """
      {"createdAt":"2026-03-01T14:32:09.000Z","kind":"\(kind)","content":"\(content)",\
      "metadata":\(metadata)}
      """)
    let facts = fixture.facts()
    let row = facts.activity.log.row(at: 0)
    let action = try #require(row.action())
    return DetailContent(
      row: row, action: action, metadata: action.metadata(), view: DetailView(), width: 80,
      names: facts.names, clock: facts.clock, nowMs: facts.nowMs
    ).lines.map { $0.spans.map(\.text.description).joined(separator: " ") }
  }

  @Test("the detail of a realtime answer has its model and its tokens")
  func realtimeDetail() throws {
    let lines = try detail(
      "voice_runtime", "openai_realtime_response_done",
      #"""
      {"responseModel":"gpt-realtime","responseStatus":"completed",\#
      "responseUsage":{"inputTokens":900,"outputTokens":210,"cacheReadTokens":640}}
      """#)
    #expect(lines.contains("MODEL     gpt-realtime"))
    #expect(lines.contains("TOKENS    900 in / 210 out"))
    #expect(lines.contains("CACHED    640 read"))
  }

  @Test(
    "the detail has the duration that the line has",
    arguments: [
      ("voice_session_end", "nl_leave", #"{"durationSeconds":90}"#, "1m30s"),
      ("voice_runtime", "bot_utterance_completed", #"{"estimatedPlaybackMs":4383}"#, "4.38s"),
      ("voice_turn_in", "voice_activity_started", #"{"promotionDelayMs":180}"#, "180ms"),
      (
        "voice_runtime", "voice_latency_stage",
        #"{"stage":"audio_started","finalizedToAsrStartMs":45,"asrToGenerationStartMs":120}"#,
        "165ms"
      ),
      ("sent_reply", "hi", #"{"performance":{"totalMs":6120}}"#, "6.12s"),
    ])
  func durations(_ kind: String, _ content: String, _ metadata: String, _ expected: String) throws {
    #expect(try detail(kind, content, metadata).contains("DURATION  \(expected)"))
  }
}
