/// From hearing to speaking.
extension World {
  func generate(
    _ session: VoiceSession, _ turn: VoiceTurn, _ times: TurnTimes,
    done: @escaping (World) -> Void
  ) {
    guard !session.ended else {
      done(self)
      return
    }
    guard let reply = turn.reply else {
      vlog(
        session, "realtime_reply_skipped", user: Cast.bot.id,
        ["source": "realtime", "skipCause": "model_skip", "replyTextPreview": "[SKIP]"])
      session.setOutput("idle", reason: "idle", trigger: "reply_skipped", request: 0, now: now)
      done(self)
      return
    }
    let prompt = prose.voicePrompt(
      transcript: turn.text, turns: session.turns.map { ($0.speaker, $0.text) })
    prepare(session, turn, prompt: prompt)
    var delay = pace(random.int(30...120))
    if case .stalled = turn.fate { delay += planWatchdog(session) }
    after(delay) { $0.refreshInstructions(session, speaker: turn.speaker, transcript: turn.text) }
    if session.isNative {
      delay = planNativeTools(session, turn, prompt: prompt, after: delay)
    } else {
      delay = planBrain(session, turn, reply: reply, prompt: prompt, after: delay)
    }
    after(delay) { world in
      var times = times
      times.request = world.now
      world.request(session, turn, reply: reply, prompt: prompt, times, done: done)
    }
  }

  func prepare(_ session: VoiceSession, _ turn: VoiceTurn, prompt: String) {
    session.pendingTurns = 0
    session.setOutput(
      "response_pending", reason: "pending_response", trigger: "response_requested",
      request: session.requestID + 1, now: now)
    for stage in ["memory_slice", "soundboard_candidates"] {
      vlog(
        session, "voice_generation_prep_stage", user: Cast.bot.id,
        [
          "source": "realtime", "stage": .string(stage), "state": "start", "timeoutMs": 1200,
        ])
    }
    let load = random.int(8...170)
    vlog(
      session, "voice_generation_memory_loaded", user: turn.speaker.id,
      [
        "memorySource": "voice_realtime_generation",
        "transcriptChars": .int(turn.text.utf16.count), "continuityLoadMs": .int(load),
        "behavioralMemoryLoadMs": 2, "totalLoadMs": .int(load + 3), "warmMemoryVerdict": "warm",
        "warmMemorySimilarity": 0.82, "usedCachedBehavioralFacts": true,
        "participantProfileCount": .int(session.humans), "userFactCount": 3,
        "relevantFactCount": 2, "guidanceFactCount": 1, "behavioralFactCount": 0,
        "recentConversationHistoryCount": 2,
      ])
    let context: DemoJSON = [
      "source": "realtime", "capturedAt": .time(now), "availableTurns": .int(session.turns.count),
      "sentTurns": .int(min(50, session.turns.count)), "maxTurns": 50,
      "contextChars": .int(prompt.utf16.count), "transcriptChars": .int(turn.text.utf16.count),
      "directAddressed": .bool(turn.target == "ME"),
    ]
    // The provider bridge path leaves this empty (contract 5.2.6).
    session.modelContext = session.isNative ? .null : context
    session.generationContext = generationContext(session, turn)
    let bundle = prose.bundle(
      system: prose.voiceSystem, user: prompt, withTools: !session.isNative)
    if session.isNative {
      session.bridge = .init(ms: now, source: "realtime_transcript_turn", bundle: bundle)
    } else {
      session.generation = .init(ms: now, source: "realtime", bundle: bundle)
    }
  }

  private func planBrain(
    _ session: VoiceSession, _ turn: VoiceTurn, reply: String, prompt: String, after start: Int
  ) -> Int {
    var delay = start + pace(random.int(420...900))
    func call(_ tools: [String], _ text: String, at ms: Int) {
      after(ms) { world in
        guard !session.ended else { return }
        world.logModelCall(
          in: session.place, user: turn.speaker.id, model: .sonnet,
          source: "voice_realtime_generation", event: "voice_turn", message: nil,
          session: session.id, system: world.prose.voiceSystem, prompt: prompt, reply: text,
          tools: tools)
      }
    }
    if !turn.tools.isEmpty {
      call(turn.tools.map(\.name), "One moment.", at: delay)
      for (index, tool) in turn.tools.enumerated() {
        let ms = pace(tool.ms)
        delay += ms
        after(delay) { world in
          guard !session.ended else { return }
          world.brainTool(
            session, turn, tool, index: index + 1, ms: ms, startedMs: world.now - Int64(ms))
        }
      }
      delay += pace(random.int(380...800))
    }
    call([], reply, at: delay)
    return delay + pace(random.int(12...40))
  }

  func brainTool(
    _ session: VoiceSession, _ turn: VoiceTurn, _ tool: Tool, index: Int, ms: Int,
    startedMs: Int64
  ) {
    perform(
      tool.effect, in: session.place, by: turn.speaker, message: "voice-\(session.guild.id)-\(now)",
      source: "voice_realtime_generation")
    vlog(
      session, "voice_brain_tool_call", user: turn.speaker.id,
      [
        "source": "voice_realtime_generation", "replyPath": "brain",
        "realtimeToolOwnership": "transport_only", "runtimeMode": .string(session.mode),
        "toolName": .string(tool.name), "toolInput": tool.input, "toolCallIndex": .int(index),
        "durationMs": .int(ms), "imageInputCount": 0, "isError": .bool(tool.error != nil),
        "error": .text(tool.error), "toolResultSummary": session.outputSummary(tool.output),
      ])
    // March records provider-native calls only (contract 5.2.11).
    guard isMay else { return }
    record(session, tool, id: "toolu_01" + random.token(9), ms: ms, startedMs: startedMs)
  }

  private func record(
    _ session: VoiceSession, _ tool: Tool, id: String, ms: Int, startedMs: Int64
  ) {
    session.toolCalls.append(
      .init(
        id: id, name: tool.name, type: tool.type, arguments: tool.input, startedMs: startedMs,
        completedMs: now, runtimeMs: ms, success: tool.error == nil, output: tool.output,
        error: tool.error))
    if session.toolCalls.count > 180 { session.toolCalls.removeFirst() }
  }

  private func planNativeTools(
    _ session: VoiceSession, _ turn: VoiceTurn, prompt: String, after start: Int
  ) -> Int {
    after(start) { world in
      world.vlog(
        session, "openai_realtime_text_turn_forwarded", user: turn.speaker.id,
        [
          "source": "realtime_transcript_turn", "captureReason": "stream_end",
          "transcriptChars": .int(turn.text.utf16.count),
          "labeledTranscriptChars": .int(turn.text.utf16.count + turn.speaker.name.utf16.count + 4),
          "speakerName": .string(turn.speaker.name),
          "replyPrompts": world.prose.bundle(
            system: world.prose.instructions, user: prompt, withTools: false),
        ])
    }
    var delay = start + pace(random.int(300...650))
    for tool in turn.tools {
      let id = "call_" + random.token(10)
      let ms = pace(tool.ms)
      after(delay) { world in
        session.setOutput(
          "awaiting_tool_outputs", reason: "awaiting_tool_outputs", trigger: "tool_call",
          request: session.requestID + 1, now: world.now)
        world.vlog(
          session, "realtime_tool_call_started", user: Cast.bot.id,
          [
            "callId": .string(id), "toolName": .string(tool.name),
            "toolType": .string(tool.type), "arguments": tool.input,
          ])
      }
      delay += ms
      after(delay) { world in
        guard !session.ended else { return }
        world.perform(
          tool.effect, in: session.place, by: turn.speaker,
          message: "voice-\(session.guild.id)-\(world.now)", source: "voice_realtime_tool")
        world.record(session, tool, id: id, ms: ms, startedMs: world.now - Int64(ms))
        let failed = tool.error != nil
        world.vlog(
          session, failed ? "realtime_tool_call_failed" : "realtime_tool_call_completed",
          user: Cast.bot.id, kind: failed ? "voice_error" : "voice_runtime",
          [
            "callId": .string(id), "toolName": .string(tool.name),
            "toolType": .string(tool.type), "runtimeMs": .int(ms),
            "outputSummary": session.outputSummary(tool.output), "error": .text(tool.error),
          ])
      }
      delay += pace(160)
    }
    return delay + pace(random.int(200...500))
  }
}
