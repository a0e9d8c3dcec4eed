import Testing

@testable import CockpitDemo

/// The voice lanes of contract section 8.4 over a long evening.
@Suite(.serialized) struct VoiceStoryTests {
  struct Evening {
    var rows: [DemoJSON] = []
    var states: [DemoJSON] = []

    var names: Set<String> {
      Set(rows.compactMap { $0["content"]?.stringValue }.map { String($0.prefix { $0 != ":" }) })
    }

    func rows(_ name: String) -> [DemoJSON] { rows.filter { $0["content"]?.stringValue == name } }

    func values(_ name: String, _ key: String) -> [DemoJSON] {
      rows(name).compactMap { $0["metadata"]?[key] }
    }
  }

  /// Voice rows and the state every two seconds.
  static func evening(
    _ options: DemoOptions, seconds: Int, withStates: Bool = true,
    faults: [Int: DemoFault] = [:]
  ) async throws -> Evening {
    var evening = Evening()
    try await withServer(options) { server, client, clock in
      for second in stride(from: 0, to: seconds, by: 2) {
        if let fault = faults[second] { await server.inject(fault) }
        await server.advance(clock, seconds: 2)
        if withStates {
          let state = try await client.get("/api/voice/state").json
          evening.states += state["sessions"]?.arrayValue ?? []
        }
        guard second % 60 == 58 else { continue }
        let path =
          "/api/actions?limit=1000&sinceHours=\(60.0 / 3600)&kinds=voice_runtime,voice_error,"
          + "voice_turn_in,voice_turn_out,voice_session_start,voice_session_end"
        evening.rows += (try await client.get(path).json.arrayValue ?? []).reversed()
      }
    }
    return evening
  }

  static let flow = """
    voice_activity_started bot_audio_started voice_turn_finalized voice_turn_addressing \
    openai_realtime_asr_partial_segment openai_realtime_asr_final_segment \
    voice_reply_classifier_debug voice_barge_in_gate voice_barge_in_interrupt \
    voice_barge_in_suppression_cleared voice_output_lease_released \
    realtime_turn_skipped_output_locked voice_music_turn_ignored_not_awake \
    voice_turn_dropped_asr_low_confidence voice_realtime_transcription_empty voice_turn_dropped \
    voice_turn_dropped_silence_gate voice_generation_watchdog_timeout \
    voice_brain_generation_failed response_silent_retry realtime_reply_skipped \
    voice_thought_decision voice_thought_spoken voice_pending_thought_created \
    voice_pending_thought_updated voice_pending_thought_cleared voice_brain_tool_call \
    realtime_tool_call_started realtime_tool_call_completed realtime_tool_call_failed \
    openai_realtime_text_turn_forwarded xai_transcript xai_response_done voice_music_started \
    voice_music_paused voice_music_disambiguation_required voice_tool_music_queue_add \
    voice_soundboard_directive_played stream_watch_frame_ingested \
    stream_watch_commentary_requested stream_watch_memory_recap_saved voice_membership_changed \
    voice_runtime_event_decision voice_latency_stage voice_screen_watch_capability
    """.split(separator: " ").map(String.init)

  @Test(arguments: DemoDialect.allCases)
  func everySubTypeHappensInALongEvening(dialect: DemoDialect) async throws {
    let evening = try await Self.evening(
      DemoOptions(token: "secret", dialect: dialect, history: 0), seconds: 1680,
      withStates: dialect == .may)
    let absent = dialect == .may ? Kinds.marchOnlyVoice : Kinds.mayOnlyVoice
    let episodes = VoiceEpisode.all.flatMap(\.rows).map { String($0.name.prefix { $0 != ":" }) }
    let expected = Set(Self.flow + episodes).subtracting(absent)
    #expect(expected.subtracting(evening.names) == [])
    #expect(evening.names.intersection(absent) == [])
    #expect(evening.names.count > 95)

    let reasons = Set(evening.values("voice_turn_addressing", "reason").compactMap(\.stringValue))
    #expect(
      reasons.isSuperset(of: [
        "generation_decides", "model_yes", "model_no", "bot_turn_open", "music_playing_not_awake",
      ]))
    let lengths = evening.values("voice_turn_finalized", "durationMs").compactMap(\.doubleValue)
    #expect((lengths.max() ?? 0) > 12_000)
    let tools =
      evening.values("voice_brain_tool_call", "durationMs")
      + evening.values("realtime_tool_call_completed", "runtimeMs")
    #expect((tools.compactMap(\.doubleValue).max() ?? 0) > 3000)
    if dialect == .may {
      let cut = evening.values("bot_utterance_completed", "hadBargeSuppression")
      #expect(cut.contains(true) && cut.contains(false))
    }
    #expect(evening.values("openai_realtime_response_done", "responseStatus").contains("cancelled"))

    // What only the state shows; it is the same in both releases, and large.
    guard dialect == .may else { return }
    let states = evening.states
    func some(_ test: (DemoJSON) -> Bool) -> Bool { states.contains(where: test) }
    #expect(some { ($0["activeCaptures"]?.arrayValue?.count ?? 0) > 1 })
    #expect(some { ($0["pendingDeferredTurns"]?.doubleValue ?? 0) > 0 })
    #expect(some { ($0["music"]?["pendingResults"]?.arrayValue?.count ?? 0) == 3 })
    #expect(some { ($0["music"]?["queueState"]?["tracks"]?.arrayValue?.count ?? 0) >= 3 })
    #expect(some { ($0["durableContext"]?.arrayValue?.count ?? 0) >= 2 })
    #expect(some { $0["mcpStatus"]?.arrayValue?.contains { $0["connected"] == false } == true })
    #expect(some { ($0["streamWatch"]?["visualFeed"]?.arrayValue?.count ?? 0) >= 6 })
    let turns = states.flatMap { $0["recentTurns"]?.arrayValue ?? [] }
    #expect(turns.contains { $0.field("text").hasPrefix("[interrupted] ") })
    #expect(turns.contains { $0.field("kind") == "thought" && $0.field("speakerName") == "YOU" })
    let thoughts = states.compactMap { $0["conversation"]?["thoughtEngine"]?["pendingThought"] }
    #expect(Set(thoughts.map { $0.field("status") }).isSuperset(of: ["queued", "reconsider"]))
  }

  @Test func theBridgeSessionAndTheBareOne() async throws {
    let evening = try await Self.evening(
      DemoOptions(scenario: .voice, token: "secret", history: 0), seconds: 60,
      faults: [40: .secondSession])
    let native = evening.states.filter {
      $0.field("realtimeToolOwnership") == "provider_native"
    }
    #expect(native.contains { $0["batchAsr"]?["pendingTurns"]?.doubleValue ?? 0 > 0 })
    let last = try #require(native.last)
    #expect(last["asrSessions"] == .null && last["sharedAsrSession"] != .null)
    #expect(last["promptState"]?["classifier"] != .null && last["promptState"]?["bridge"] != .null)
    let tools = last["brainTools"]?.arrayValue ?? []
    #expect(Set(tools.map { $0.field("toolType") }) == ["function", "mcp"])
    #expect(last["lastGenerationContext"]?["llmConfig"] == nil)

    let bare = try #require(evening.states.last)
    #expect(bare.field("guildId") == Cast.arcade.id)
    for key in [
      "maxEndsAt", "inactivityEndsAt", "lastGenerationContext", "asrSessions", "sharedAsrSession",
      "brainTools", "toolCalls", "mcpStatus", "batchAsr", "latency",
    ] {
      #expect(bare[key] == .null, "\(key)")
    }
    #expect(bare["realtime"]?["state"] == .null)
    #expect(bare["participants"] == .array([]))
  }
}
