import Testing

@testable import CockpitDemo

/// How busy the story is; a cockpit is judged by what it shows at a normal pace.
@Suite struct PaceTests {
  /// Rows written in the last `seconds`.
  static func rows(_ client: TestClient, seconds: Double) async throws -> [DemoJSON] {
    try await client.get("/api/actions?limit=1000&sinceHours=\(seconds / 3600)").json.arrayValue
      ?? []
  }

  @Test func aboutOneActionPerSecondAfterTheOpening() async throws {
    try await withServer(DemoOptions(token: "secret", history: 0)) { server, client, clock in
      await server.advance(clock, seconds: 60)
      var count = 0
      for _ in 0..<9 {
        await server.advance(clock, seconds: 60)
        count += try await Self.rows(client, seconds: 60).count
      }
      let rate = Double(count) / 540
      #expect(rate > 0.8 && rate < 1.5, "\(rate)")
    }
  }

  @Test(arguments: [1, 2, 3]) func halfAMinuteIsEnoughForAPicture(seed: UInt64) async throws {
    let options = DemoOptions(seed: seed, token: "secret")
    try await withServer(options) { server, client, clock in
      await server.advance(clock, seconds: 30)
      let rows = try await Self.rows(client, seconds: 30)
      let kinds = Set(rows.map { $0.field("kind") })
      for kind in [
        "llm_error", "sent_reply", "reply_skipped", "search_call", "voice_turn_in",
        "voice_turn_out", "llm_call",
      ] {
        #expect(kinds.contains(kind), "\(kind)")
      }
      let state = try await client.get("/api/voice/state").json
      let session = try #require(state["sessions"]?.arrayValue?.first)
      #expect((session["recentTurns"]?.arrayValue?.count ?? 0) >= 4)
      #expect((session["toolCalls"]?.arrayValue?.count ?? 0) >= 1)
      #expect(session["streamWatch"]?["active"] == true)
    }
  }
}
