/// Users who talk while the bot talks (contract Appendix A, capture and output).
extension World {
  /// A user takes over: the gate opens, the reply stops, and their turn is heard.
  func interrupt(
    _ session: VoiceSession, _ speech: BotSpeech, by line: VoiceTurn.Line, answer: String?,
    done: @escaping (World) -> Void
  ) {
    let heard = max(400, speech.playback * 45 / 100)
    guard session.participants.contains(line.person), heard < speech.playback else {
      after(speech.playback) { world in
        if !session.ended { world.finishSpeaking(session, speech) }
        done(world)
      }
      return
    }
    // The bot keeps talking until the capture is old enough to count as an interruption.
    let lead = min(heard / 2, pace(760))
    after(heard - lead) { world in
      world.voiceTurn(
        session, VoiceTurn(speaker: line.person, text: line.text, reply: answer), done: done)
    }
    after(heard) { world in
      guard !session.ended else { return }
      world.logGate(session, line.person, opens: true, ageMs: lead)
      world.cut(session, speech, by: line.person, heard: heard)
      world.after(world.pace(420)) { $0.clearSuppression(session, line.person) }
    }
  }

  private func cut(
    _ session: VoiceSession, _ speech: BotSpeech, by person: Person, heard: Int
  ) {
    vlog(
      session, "voice_barge_in_interrupt", user: person.id,
      [
        "mode": .string(session.mode), "source": "barge_in", "requestId": .int(speech.request),
        "interruptedUserId": .string(Cast.bot.id), "minCaptureMs": 700,
        "truncateAttempted": true, "truncateSucceeded": true,
        "truncateContentIndex": 0, "truncateAudioEndMs": .int(heard),
        "responseCancelAttempted": true, "responseCancelSucceeded": true,
        "suppressionMs": 4000, "pendingResponseDropped": true,
      ])
    session.superseded += 1
    session.interrupted = speech.reply
    if let index = session.turns.lastIndex(where: { $0.role == "assistant" }) {
      let words = speech.reply.split(separator: " ")
      let kept = words.prefix(max(1, words.count * 45 / 100)).joined(separator: " ")
      session.turns[index].text = "[interrupted] " + kept
    }
    session.addOutbound(
      "response.cancel",
      ["type": "response.cancel", "responseId": .text(session.activeResponse)], now: now)
    finishSpeaking(session, speech, heard: heard)
    vlog(
      session, "voice_output_lease_released", user: Cast.bot.id,
      ["requestId": .int(speech.request), "reason": "barge_in_interrupt", "leaseMode": "atomic"])
  }

  private func clearSuppression(_ session: VoiceSession, _ person: Person) {
    vlog(
      session, "voice_barge_in_suppression_cleared", user: person.id,
      [
        "reason": "user_turn_in_progress", "droppedAudioChunks": .int(random.int(2...9)),
        "droppedAudioBytes": .int(random.int(9000...40_000)),
      ])
  }

  /// Talk that is too quiet or too short to stop the bot; it is heard, and parked.
  func talkOver(_ session: VoiceSession, _ line: VoiceTurn.Line, playback: Int) {
    guard session.participants.contains(line.person) else { return }
    after(playback / 8) { world in
      guard !session.ended else { return }
      var turn = VoiceTurn(speaker: line.person, text: line.text, reply: nil)
      turn.target = "ALL"
      world.voiceTurn(session, turn)
      world.after(world.pace(300)) { world in
        world.logGate(session, line.person, opens: false, ageMs: world.pace(300))
      }
    }
  }

  /// The gate that decides whether captured sound may stop the bot.
  func logGate(_ session: VoiceSession, _ person: Person, opens: Bool, ageMs: Int) {
    let peak = opens ? 0.3 + random.unit() * 0.4 : 0.04 + random.unit() * 0.05
    vlog(
      session, "voice_barge_in_gate", user: person.id,
      [
        "allow": .bool(opens), "reason": opens ? "barge_in_ready" : "insufficient_signal",
        "stage": opens ? "interrupt" : "assertive_check", "captureAgeMs": .int(ageMs),
        "minCaptureAgeMs": 700, "captureBytesSent": .int(ageMs * 48),
        "signalPeak": .double((peak * 1000).rounded() / 1000),
        "signalRms": .double((peak * 160).rounded() / 1000),
        "signalActiveSampleRatio": opens ? 0.61 : 0.07, "outputLocked": .bool(session.botTurnOpen),
        "outputLockReason": .string(session.outputReason),
        "outputBotTurnOpen": .bool(session.botTurnOpen), "outputBufferedBotSpeech": false,
        "outputPendingResponse": false, "outputOpenAiActiveResponse": true,
        "outputAwaitingToolOutputs": false, "outputStreamBufferedBytes": 0,
      ])
  }

  /// Another user talks to someone else during a turn.
  func planOverlap(_ session: VoiceSession, _ turn: VoiceTurn) {
    guard let line = turn.overlap, session.participants.contains(line.person) else { return }
    var other = VoiceTurn(speaker: line.person, text: line.text, reply: nil)
    other.target = turn.speaker.name
    let late = other
    after(pace(900)) { world in
      guard !session.captures.contains(where: { $0.person == line.person }) else { return }
      world.voiceTurn(session, late)
    }
  }
}
