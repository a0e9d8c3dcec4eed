import Foundation
import Testing

@testable import CockpitDemo

@Suite struct StoryTests {
  /// Kinds a backend of that release really writes (contract 4.4).
  static let both = """
    llm_call llm_error llm_tool_call voice_session_start voice_session_end voice_turn_in \
    voice_turn_out voice_runtime voice_error voice_warn voice_info voice_soundboard_play \
    stream_discovery asr_call asr_error tts_call tts_error sent_reply sent_message reply_skipped \
    reacted text_runtime memory_fact memory_embedding_call memory_embedding_error \
    browser_agent_session_turn browser_agent_reasoning browser_agent_final browser_browse_call \
    browser_browse_failed browser_tool_step browser_tool_result image_call image_error gif_call \
    gif_error video_call video_error video_context_call video_context_error code_agent_call \
    code_agent_error discovery_feed_snapshot search_call search_error automation_created \
    automation_updated automation_post automation_run automation_error initiative_post \
    initiative_skip initiative_source_add initiative_source_remove bot_error bot_warning bot_runtime
    """.split(separator: " ").map(String.init)

  @Test(arguments: DemoDialect.allCases)
  func everyKindHappensInALongRun(dialect: DemoDialect) async throws {
    let options = DemoOptions(rate: 8, token: "secret", dialect: dialect, history: 50)
    try await withServer(options) { server, client, clock in
      // 3 minutes at eightfold speed are 24 minutes of story.
      await server.advance(clock, seconds: 180)
      let actions = try await client.get("/api/actions?limit=1000").json.arrayValue ?? []
      #expect(actions.count == 1000)
      let seen = await server.kinds()
      let own = dialect == .may ? Kinds.mayOnly : Kinds.marchOnly
      #expect(Set(Self.both).union(own).subtracting(seen) == [])
      #expect(seen.subtracting(Self.both).subtracting(own) == [])
    }
  }

  @Test func theFirstMinuteTellsTheStory() async throws {
    try await withServer(DemoOptions(token: "secret")) { server, client, clock in
      let stream = try await client.stream("/api/activity/events")
      _ = try await stream.next()
      await server.advance(clock, seconds: 60)
      let rows = try await client.get("/api/actions?limit=1000&sinceHours=0.0167").json.arrayValue
      let kinds = (rows ?? []).map { $0["kind"]?.stringValue ?? "" }
      let contents = Set((rows ?? []).compactMap { $0["content"]?.stringValue })
      for kind in [
        "voice_session_start", "voice_turn_in", "voice_turn_out", "sent_reply", "llm_call",
        "llm_error", "reply_skipped", "memory_fact", "search_call",
      ] {
        #expect(kinds.contains(kind), "\(kind)")
      }
      for name in [
        "voice_brain_tool_call", "bot_utterance_completed", "stream_watch_note_updated",
        "voice_music_started", "openai_realtime_asr_partial_segment",
      ] {
        #expect(contents.contains(name), "\(name)")
      }
      let stats = try await client.get("/api/stats").json["stats"]
      #expect((stats?["dailyCost"]?.arrayValue?.count ?? 0) == 14)
      #expect((stats?["totalCostUsd"]?.doubleValue ?? 0) > 1)
      stream.close()
    }
  }

  @Test func sameSeedSameRows() async throws {
    func rows(_ seed: UInt64) async throws -> String {
      var text = ""
      let options = DemoOptions(seed: seed, token: "secret", history: 120)
      try await withServer(options) { server, client, clock in
        await server.advance(clock, seconds: 75)
        text = try await client.get("/api/actions?limit=1000").text
        text += try await client.get("/api/voice/state").text
        // The port is the one thing the seed does not decide.
        text = text.replacing(":\(server.port)", with: ":PORT")
      }
      return text
    }
    let first = try await rows(5)
    #expect(first == (try await rows(5)))
    #expect(first != (try await rows(6)))
  }

  @Test func latencyRowsAgreeWithTheState() async throws {
    try await withServer(DemoOptions(token: "secret")) { server, client, clock in
      await server.advance(clock, seconds: 70)
      let state = try await client.get("/api/voice/state").json
      let session = try #require(state["sessions"]?.arrayValue?.first)
      let id = session.field("sessionId")
      let entries = try #require(session["latency"]?["recentTurns"]?.arrayValue)
      #expect(entries.count >= 2)
      let events = try await client.get("/api/voice/history/sessions/\(id)/events").json
      let stages = (events.arrayValue ?? []).filter {
        $0["content"] == "voice_latency_stage"
          && $0["metadata"]?["stage"]?.stringValue == "audio_started"
      }
      for (entry, row) in zip(entries, stages.reversed()) {
        #expect(entry["at"] == row["created_at"])
        for name in VoiceSession.stageNames + ["queueWaitMs"] {
          #expect(entry[name] == row["metadata"]?[name])
        }
        let sum = VoiceSession.stageNames.reduce(0.0) { $0 + (entry[$1]?.doubleValue ?? 0) }
        #expect(entry["totalMs"]?.doubleValue == sum)
      }
      let partials = (events.arrayValue ?? []).filter {
        $0["content"] == "openai_realtime_asr_partial_segment"
      }
      let times = partials.compactMap { $0.field("created_at") }
      #expect(times == times.sorted() && Set(times).count == times.count)
      let stats = try await client.get("/api/stats").json
      let embedded = stats["runtime"]?["voice"]?["sessions"]?.arrayValue?.first
      #expect(embedded?.text == session.text)
    }
  }

  @Test func marchAndMayDiffer() async throws {
    for dialect in DemoDialect.allCases {
      let options = DemoOptions(rate: 4, scenario: .voice, token: "secret", dialect: dialect)
      try await withServer(options) { server, client, clock in
        await server.advance(clock, seconds: 40)
        let may = dialect == .may
        let state = try await client.get("/api/voice/state").json
        let sessions = try #require(state["sessions"]?.arrayValue)
        #expect(sessions.count == 2)
        let watch = sessions[0]["streamWatch"]
        #expect((watch?["noteCount"] != nil) == may)
        #expect((watch?["brainContextCount"] != nil) == !may)
        #expect(try await client.get("/api/oauth/status").status == (may ? 200 : 404))
        let facts = try await client.get("/api/memory/facts?guildId=\(Cast.ridge.id)").json
        let fact = try #require(facts["facts"]?.arrayValue?.first)
        #expect((fact["scope"] != nil) == may)
        let native = sessions.first { $0["realtimeToolOwnership"]?.stringValue != "transport_only" }
        let summaries = native?["toolCalls"]?.arrayValue?.compactMap { $0["outputSummary"] } ?? []
        #expect(!summaries.isEmpty)
        if !may { #expect(summaries.allSatisfy { $0 == .null || $0.stringValue != nil }) }
        let tiers = sessions[0]["promptState"]?["instructions"]?["replyPrompts"]?["promptTiers"]
        #expect((tiers != nil) == may)
      }
    }
  }

  @Test func hostileRowsAreValidOnTheWire() async throws {
    let options = DemoOptions(rate: 4, scenario: .hostile, token: "secret", history: 0)
    try await withServer(options) { server, client, clock in
      let stream = try await client.stream("/api/activity/events")
      _ = try await stream.next()
      await server.advance(clock, seconds: 8)
      for _ in 0..<60 {
        let event = try await stream.next()
        _ = try event.json
        #expect(!event.data.contains(10))
      }
      let all = try await client.get("/api/actions?limit=1000")
      _ = try all.json
      #expect(all.text.contains(#"\ud83d""#))
      stream.close()
    }
  }

  @Test func joinReasons() async throws {
    try await withServer { (server, client, clock) async throws in
      func reason(_ body: DemoJSON) async throws -> String {
        let reply = try await client.json("POST", "/api/voice/join", body)
        return reply.status == 200 ? try reply.json.field("reason") : "status \(reply.status)"
      }
      #expect(try await reason(["guildId": "1"]) == "guild_not_found")
      let ridge = DemoJSON.string(Cast.ridge.id)
      let wren = DemoJSON.string(Cast.wren.id)
      #expect(
        try await reason(["guildId": ridge, "requesterUserId": wren]) == "requester_not_in_voice")
      let bot = DemoJSON.string(Cast.jukebox.id)
      #expect(try await reason(["guildId": ridge, "requesterUserId": bot]) == "requester_is_bot")
      #expect(
        try await reason(["guildId": .string(Cast.arcade.id)]) == "no_voice_members_found")
      await server.inject(.joinOutcome("voice_join_unconfirmed"))
      #expect(try await reason(["guildId": ridge]) == "voice_join_unconfirmed")
      let joining = Task { try await client.json("POST", "/api/voice/join", ["guildId": ridge]) }
      while await server.log().count < 6 {
        clock.advance(byMs: 100)
        await Task.yield()
      }
      #expect(try await joining.value.json.field("reason") == "joined")
      #expect(try await reason(["guildId": ridge]) == "already_in_channel")
    }
  }

  @Test func otherScenariosRun() async throws {
    for scenario in DemoScenario.allCases {
      let options = DemoOptions(rate: 5, scenario: scenario, token: "secret", history: 20)
      try await withServer(options) { server, client, clock in
        await server.advance(clock, seconds: 20)
        await server.inject(.clear)
        let actions = try await client.get("/api/actions?limit=1000").json.arrayValue ?? []
        #expect(scenario == .empty ? actions.isEmpty : !actions.isEmpty, "\(scenario)")
        _ = try await client.get("/api/stats").json
      }
    }
  }
}
