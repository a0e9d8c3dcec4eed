/// The bot's unprompted thoughts (contract 5.2.3 and Appendix A, thought).
extension World {
  private static let ideas = [
    "somebody should check the bus back on sunday", "the loaf from tuesday deserves a mention",
    "nobody has asked who brings the map", "the kettle is on the packing list twice",
  ]

  /// One pass of the thought engine: a new thought waits, an old one is revised, spoken or dropped.
  func thought(_ session: VoiceSession) {
    guard !session.ended, !session.botTurnOpen, !session.thoughtBusy else { return }
    session.thoughtBusy = true
    session.lastThoughtMs = now
    session.nextThoughtMs = now + Int64(pace(30_000))
    after(pace(random.int(500...1100))) { world in
      session.thoughtBusy = false
      guard !session.ended else { return }
      world.consider(session)
    }
  }

  private func consider(_ session: VoiceSession) {
    guard var thought = session.thought else {
      draft(session)
      return
    }
    thought.revision += 1
    thought.updatedMs = now
    if thought.revision == 2 {
      thought.status = "reconsider"
      thought.invalidatedMs = now
      thought.invalidatedBy = session.participants.first { !$0.isBot }?.id
      thought.invalidation = "new_user_turn"
      thought.reason = "still waiting for a gap"
      session.thought = thought
      log(session, "voice_pending_thought_updated", thought)
      decide(session, thought, action: "hold", reason: "still waiting for a gap")
      return
    }
    session.thought = nil
    guard thought.revision == 3, session.captures.isEmpty else {
      decide(session, thought, action: "drop", reason: "the moment has passed")
      clear(session, thought, reason: "dropped")
      return
    }
    decide(session, thought, action: "speak_now", reason: "a quiet gap, and it is still useful")
    speak(session, thought)
  }

  private func draft(_ session: VoiceSession) {
    guard random.chance(0.8) else {
      vlog(
        session, "voice_thought_skipped_probability", user: Cast.bot.id,
        [
          "mode": .string(session.mode), "trigger": "timer", "thoughtEagerness": 40,
          "probability": 0.4, "roll": 0.71, "silenceMs": 12000,
        ])
      return
    }
    let thought = VoiceSession.Thought(
      id: "\(session.id):thought:\(random.token(8))", text: random.pick(Self.ideas),
      createdMs: now, updatedMs: now, revision: 1, reason: "people are mid-conversation",
      action: "hold")
    session.thought = thought
    log(session, "voice_pending_thought_created", thought)
    // Longer than three passes: an unspoken thought goes stale (contract 5.2.3, expiresAt).
    after(pace(240_000)) { world in
      guard !session.ended, session.thought?.id == thought.id else { return }
      session.thought = nil
      world.clear(session, thought, reason: "expired")
    }
  }

  private func log(_ session: VoiceSession, _ name: String, _ thought: VoiceSession.Thought) {
    vlog(
      session, name, user: Cast.bot.id,
      [
        "trigger": "timer", "thoughtId": .string(thought.id), "thoughtText": .string(thought.text),
        "draftText": .string(thought.text), "thoughtRevision": .int(thought.revision),
        "notBeforeAt": .time(now + 10_000), "expiresAt": .time(thought.createdMs + 240_000),
        "reason": .text(thought.reason), "usedMemory": true, "memoryFactCount": 2,
      ])
  }

  private func decide(
    _ session: VoiceSession, _ thought: VoiceSession.Thought, action: String, reason: String
  ) {
    session.thought?.action = action
    session.thought?.reason = reason
    vlog(
      session, "voice_thought_decision", user: Cast.bot.id,
      [
        "mode": .string(session.mode), "trigger": "timer", "action": .string(action),
        "allow": .bool(action == "speak_now"), "reason": .string(reason),
        "thoughtDraft": .string(thought.text),
        "finalThought": action == "speak_now" ? .string(thought.text) : nil,
        "memoryFactCount": 2, "usedMemory": true, "pendingThoughtId": .string(thought.id),
      ])
  }

  private func clear(
    _ session: VoiceSession, _ thought: VoiceSession.Thought, reason: String
  ) {
    vlog(
      session, "voice_pending_thought_cleared", user: Cast.bot.id,
      ["trigger": "timer", "thoughtId": .string(thought.id), "reason": .string(reason)])
  }

  private func speak(_ session: VoiceSession, _ thought: VoiceSession.Thought) {
    session.lastSpokenThoughtMs = now
    session.addTurn("thought", role: "assistant", speaker: "YOU", text: thought.text, now: now)
    vlog(
      session, "voice_thought_spoken", user: Cast.bot.id,
      [
        "mode": .string(session.mode), "trigger": "timer", "thoughtText": .string(thought.text),
        "requestedRealtimeUtterance": true, "pendingThoughtId": .string(thought.id),
      ])
    clear(session, thought, reason: "spoken")
    say(
      session, thought.text.prefix(1).uppercased() + thought.text.dropFirst() + ".",
      source: "voice_thought")
  }

  /// An unprompted statement of the bot.
  func say(
    _ session: VoiceSession, _ text: String, source: String,
    done: @escaping (World) -> Void = { _ in }
  ) {
    guard !session.ended, !session.botTurnOpen else {
      done(self)
      return
    }
    var turn = VoiceTurn(speaker: Cast.bot, text: "", reply: text)
    turn.source = source
    var times = TurnTimes()
    times.generation = now
    let ready = times
    let spoken = turn
    let prompt = prose.voicePrompt(
      transcript: "", turns: session.turns.map { ($0.speaker, $0.text) })
    after(pace(random.int(500...1000))) { world in
      var times = ready
      times.request = world.now
      world.request(session, spoken, reply: text, prompt: prompt, times, done: done)
    }
  }
}
