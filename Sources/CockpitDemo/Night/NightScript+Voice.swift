/// Voice sessions: each turn whole, from the first sound to the last.
extension NightScript {
  enum VoiceFate {
    case spoken(tool: Tool?)
    /// Heard and not let in, with the code of the wire.
    case denied(String)
    /// Never understood; the name of the row that says so.
    case unheard(String)
    /// The model answers with nothing.
    case skipped(String)
    /// An answer that is sent to the provider and never plays.
    case mute
    case superseded
    /// The model fails, with the reason of the row.
    case failed(String)
  }

  /// Writes a whole turn of `session` that begins at `ms`; returns its end time.
  @discardableResult
  func voice(_ session: VoiceSession, _ fate: VoiceFate, at ms: Int64) -> Int64 {
    let ask = lines.line()
    var turn = VoiceTurn(
      speaker: random.pick(session.participants.filter { !$0.isBot }), text: ask.text,
      reply: ask.reply)
    if case .spoken(let tool?) = fate { turn.tools = [tool] }
    if case .denied("model_no") = fate {
      turn.target = "ALL"
      turn.text = lines.aside()
    }
    var exchange = TruthExchange(
      medium: .voice, outcome: .spoken, session: session.id, place: session.place,
      author: turn.speaker, words: turn.text, atMs: ms, isAddressed: turn.target == "ME")
    let ended = walk(session, turn, fate, &exchange)
    exchange.endedMs = ended
    truth.exchanges.append(exchange)
    return ended
  }

  private func walk(
    _ session: VoiceSession, _ turn: VoiceTurn, _ fate: VoiceFate,
    _ exchange: inout TruthExchange
  ) -> Int64 {
    let user = turn.speaker.id
    let promotion = random.int(210...480)
    var at = exchange.atMs + Int64(promotion)
    write("promotion", at: at, to: &exchange) { world in
      world.vlog(
        session, "voice_activity_started", user: user, kind: "voice_turn_in",
        [
          "promotionReason": "server_vad_confirmed", "promotionDelayMs": .int(promotion),
          "promotionBytes": .int(promotion * 48), "promotionServerVadConfirmed": true,
          "promotionPeak": 0.41, "promotionRms": 0.06, "promotionActiveSampleRatio": 0.5,
        ])
    }
    let speech = max(900, turn.text.split(separator: " ").count * 340)
    at += Int64(speech)
    var times = TurnTimes(finalized: at, queueWait: random.int(0...24))
    write("finalized", at: at, to: &exchange) { world in
      world.vlog(
        session, "voice_turn_finalized", user: user,
        [
          "reason": "stream_end", "bytesSent": .int(speech * 48), "durationMs": .int(speech),
        ])
    }
    times.asrStart = at + Int64(random.int(18...70))
    times.asrDone = times.asrStart + Int64(random.int(160...520))
    at = times.asrDone
    if case .unheard(let name) = fate {
      write("outcome", at: at, to: &exchange) { self.logUnheard(name, session, turn, speech, $0) }
      (exchange.outcome, exchange.reason) = (.unheard, name)
      // A turn without a transcript has no words.
      exchange.words = nil
      return at
    }
    let item = "item_" + random.token(8)
    write("transcript", at: at, to: &exchange) {
      $0.logSegment(session, turn, item: item, text: turn.text, final: true)
    }
    let decision = decision(fate)
    let wait = times.queueWait
    write("decision", at: at + 1, to: &exchange) {
      $0.address(session, turn, decision, speech: speech, queueWait: wait)
    }
    guard decision.allow else {
      (exchange.outcome, exchange.reason) = (.notAdmitted, decision.reason)
      return at + 1
    }
    times.generation = at + Int64(random.int(20...140))
    return answer(session, turn, fate, times, &exchange)
  }

  private func decision(_ fate: VoiceFate) -> VoiceDecision {
    guard case .denied(let reason) = fate else {
      return VoiceDecision(allow: true, reason: "generation_decides")
    }
    var decision = VoiceDecision(allow: false, reason: reason)
    if reason == "bot_turn_open" { decision.lock = "bot_audio_live" }
    if reason == "model_no" {
      decision.classifier = .init(yes: false, confidence: 0.81, latency: random.int(140...420))
    }
    return decision
  }

  private func logUnheard(
    _ name: String, _ session: VoiceSession, _ turn: VoiceTurn, _ speech: Int, _ world: World
  ) {
    world.vlog(
      session, name, user: turn.speaker.id,
      [
        "source": "realtime", "captureReason": "stream_end",
        "transcript": name.hasSuffix("low_confidence") ? .string(turn.text) : "",
        "meanLogprob": -1.42, "threshold": -1, "peak": 0.034, "rms": 0.006,
        "activeSampleRatio": 0.02, "clipDurationMs": .int(speech),
      ])
  }

  private func answer(
    _ session: VoiceSession, _ turn: VoiceTurn, _ fate: VoiceFate, _ given: TurnTimes,
    _ exchange: inout TruthExchange
  ) -> Int64 {
    var times = given
    var at = times.generation
    let prompt = world.prose.voicePrompt(
      transcript: turn.text, turns: session.turns.map { ($0.speaker, $0.text) })
    write("prepare", at: at, to: &exchange) { $0.prepare(session, turn, prompt: prompt) }
    exchange.model = World.Model.sonnet.label
    exchange.facts = facts(of: turn.speaker, in: session).map(\.id)
    if case .failed(let reason) = fate {
      at += reason == "watchdog_timeout" ? 20_000 : 900
      fail(session, reason, at: at, &exchange)
      return at
    }
    at += Int64(random.int(420...900))
    for tool in turn.tools {
      call(session, turn, "One moment.", [tool.name], prompt, at: at, &exchange)
      at += Int64(tool.ms)
      use(tool, session, turn, at: at, &exchange)
      at += Int64(random.int(380...800))
    }
    let isSkip = if case .skipped = fate { true } else { false }
    let reply = isSkip ? "[SKIP]" : turn.reply ?? ""
    call(session, turn, reply, [], prompt, at: at, &exchange)
    at += Int64(random.int(12...40))
    switch fate {
    case .skipped(let cause):
      write("outcome", at: at, to: &exchange) { world in
        world.vlog(
          session, "realtime_reply_skipped", user: Cast.bot.id,
          ["source": "realtime", "skipCause": .string(cause), "replyTextPreview": "[SKIP]"])
      }
      (exchange.outcome, exchange.reason) = (.skipped, cause)
      return at
    case .superseded:
      write("outcome", at: at, to: &exchange) { world in
        world.vlog(
          session, "realtime_reply_superseded_newer_input", user: turn.speaker.id,
          [
            "source": "realtime", "requestId": .int(session.requestID + 1),
            "replyTextPreview": .string(reply), "newerTurnCount": 1, "pendingQueueDepth": 1,
          ])
      }
      (exchange.outcome, exchange.reason) = (.superseded, "realtime_reply_superseded_newer_input")
      exchange.answer = reply
      return at
    default: break
    }
    times.request = at
    exchange.answer = reply
    let isMute = if case .mute = fate { true } else { false }
    return speak(
      session, turn, reply: reply, prompt: prompt, times, isMute: isMute, &exchange)
  }

  private func fail(
    _ session: VoiceSession, _ reason: String, at ms: Int64, _ exchange: inout TruthExchange
  ) {
    write("outcome", at: ms, to: &exchange) { world in
      if reason == "watchdog_timeout" {
        world.vlog(
          session, "voice_generation_watchdog_timeout", user: Cast.bot.id,
          [
            "source": "realtime", "mode": .string(session.mode), "timeoutMs": 20000,
            "elapsedMs": 20000, "phase": "llm_stream", "requestId": .int(session.requestID + 1),
          ])
      }
      world.vlog(
        session, "voice_brain_generation_failed", user: Cast.bot.id, kind: "voice_error",
        [
          "source": "realtime", "mode": .string(session.mode), "reason": .string(reason),
          "error": .string(
            reason == "watchdog_timeout"
              ? "voice generation aborted after 20000ms" : "fetch failed"),
        ])
    }
    (exchange.outcome, exchange.reason) = (.modelFailed, reason)
  }

  private func facts(of person: Person, in session: VoiceSession) -> [FactRow] {
    Array((session.peopleFacts.first { $0.person == person }?.facts ?? []).prefix(8))
  }

  private func call(
    _ session: VoiceSession, _ turn: VoiceTurn, _ reply: String, _ tools: [String],
    _ prompt: String, at ms: Int64, _ exchange: inout TruthExchange
  ) {
    let known = facts(of: turn.speaker, in: session).map { "- \($0.fact)\n" }.joined()
    let system = world.prose.voiceSystem + "\n=== WHO IS HERE ===\n\n" + known
    write("call", at: ms, to: &exchange) { world in
      world.logModelCall(
        in: session.place, user: turn.speaker.id, model: .sonnet,
        source: "voice_realtime_generation", event: "voice_turn", message: nil,
        session: session.id, system: system, prompt: prompt, reply: reply,
        tools: tools)
    }
  }

  private func use(
    _ tool: Tool, _ session: VoiceSession, _ turn: VoiceTurn, at ms: Int64,
    _ exchange: inout TruthExchange
  ) {
    let first = exchange.rows.count
    write("tool", at: ms, to: &exchange) { world in
      world.brainTool(session, turn, tool, index: 1, ms: tool.ms, startedMs: ms - Int64(tool.ms))
    }
    guard case .mcp(let server, let error) = tool.effect else { return }
    let rows = Array(exchange.rows[first...])
    if error == nil {
      isOver("mcp", at: ms, rows)
    } else {
      trouble("mcp", at: ms, rows, next: "Start the tool server \(server) again.")
    }
  }

  /// Sends the reply to the provider; it plays, or does not.
  private func speak(
    _ session: VoiceSession, _ turn: VoiceTurn, reply: String, prompt: String, _ times: TurnTimes,
    isMute: Bool, _ exchange: inout TruthExchange
  ) -> Int64 {
    var request = 0
    write("request", at: times.request, to: &exchange) { world in
      request = world.logRequest(session, turn, reply: reply, prompt: prompt, times)
    }
    guard !isMute else { return stayMute(session, request, at: times.request, &exchange) }
    let audio = times.request + Int64(random.int(80...280))
    let heard = times.finalized > 0
    let names = VoiceSession.stageNames
    exchange.steps = zip(names, times.stages(audio: audio)).compactMap { name, ms in
      ms.map { TruthExchange.Step(name: name, ms: $0) }
    }
    if heard { exchange.steps.append(.init(name: "queueWaitMs", ms: times.queueWait)) }
    var speech: BotSpeech?
    write("outcome", at: audio, to: &exchange) { world in
      speech = world.startSpeaking(session, turn, reply: reply, times, request: request)
    }
    guard let speech else { return audio }
    let end = audio + Int64(speech.playback)
    write("heard", at: end, to: &exchange) { $0.finishSpeaking(session, speech) }
    exchange.outcome = .spoken
    return end
  }

  private func stayMute(
    _ session: VoiceSession, _ request: Int, at ms: Int64, _ exchange: inout TruthExchange
  ) -> Int64 {
    let names = [
      "response_silent_retry", "response_silent_hard_recovery", "response_silent_fallback",
    ]
    var at = ms
    for (index, name) in names.enumerated() {
      at += 3400
      write(index == 2 ? "outcome" : "retry", at: at, to: &exchange) { world in
        world.vlog(
          session, name, user: Cast.bot.id, kind: index == 2 ? "voice_error" : "voice_runtime",
          [
            "requestId": .int(request), "retryCount": .int(index + 1), "trigger": "watchdog",
            "responseId": .text(session.activeResponse), "responseStatus": "completed",
          ])
      }
    }
    session.activeResponse = nil
    (exchange.outcome, exchange.reason) = (.notSent, "response_silent_fallback")
    return at
  }

  // MARK: Thoughts

  /// A thought that is spoken or dropped; returns its end time.
  @discardableResult
  func thought(_ session: VoiceSession, isSpoken: Bool, at ms: Int64) -> Int64 {
    let text = lines.aside()
    let id = "\(session.id):thought:\(random.token(8))"
    let reason = isSpoken ? "a gap, and it fits" : "nobody would miss it"
    var exchange = TruthExchange(
      medium: .thought, outcome: isSpoken ? .spoken : .dropped, reason: reason,
      session: session.id, place: session.place, words: text, atMs: ms)
    let head: DemoJSON = [
      "mode": .string(session.mode), "trigger": "timer", "thoughtText": .string(text),
      "thoughtDraft": .string(text), "thoughtId": .string(id), "pendingThoughtId": .string(id),
      "reason": .string(reason), "usedMemory": false, "memoryFactCount": 0,
    ]
    write("thought", at: ms, to: &exchange) {
      $0.vlog(session, "voice_pending_thought_created", user: Cast.bot.id, head)
    }
    write("decision", at: ms + 9000, to: &exchange) { world in
      world.vlog(
        session, "voice_thought_decision", user: Cast.bot.id,
        head.merging([
          "action": isSpoken ? "speak_now" : "drop", "allow": .bool(isSpoken),
          "finalThought": isSpoken ? .string(text) : nil,
        ]))
    }
    var at = ms + 9000
    if isSpoken {
      write("spoken", at: at + 1, to: &exchange) {
        $0.vlog(session, "voice_thought_spoken", user: Cast.bot.id, head)
      }
      var turn = VoiceTurn(speaker: Cast.bot, text: "", reply: text)
      turn.source = "voice_thought"
      var times = TurnTimes()
      times.generation = at
      times.request = at + Int64(random.int(300...700))
      exchange.answer = text
      at = speak(session, turn, reply: text, prompt: "", times, isMute: false, &exchange)
    }
    write("cleared", at: at + 2, to: &exchange) { world in
      world.vlog(
        session, "voice_pending_thought_cleared", user: Cast.bot.id,
        [
          "trigger": "timer", "thoughtId": .string(id), "reason": isSpoken ? "spoken" : "dropped",
        ])
    }
    exchange.endedMs = at + 2
    truth.exchanges.append(exchange)
    return at + 2
  }
}
