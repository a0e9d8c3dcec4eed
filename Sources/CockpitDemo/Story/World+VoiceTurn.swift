/// A voice turn from the first sound to the decision about its addressee.
extension World {
  /// Plans a whole voice turn; `done` runs when the bot has finished (or decided not to) speak.
  func voiceTurn(
    _ session: VoiceSession, _ turn: VoiceTurn, done: @escaping (World) -> Void = { _ in }
  ) {
    guard !session.ended, session.participants.contains(turn.speaker) else {
      done(self)
      return
    }
    if session.captures.contains(where: { $0.person == turn.speaker }) {
      // One mouth, one turn: wait for the end of the sentence.
      after(pace(1500)) { $0.voiceTurn(session, turn, done: done) }
      return
    }
    session.captures.append(.init(person: turn.speaker, startedMs: now))
    connectRecogniser(session, turn.speaker)
    planOverlap(session, turn)
    let promotion = pace(random.int(210...480))
    after(promotion) { world in
      world.vlog(
        session, "voice_activity_started", user: turn.speaker.id, kind: "voice_turn_in",
        [
          "promotionReason": world.random.chance(0.7)
            ? "server_vad_confirmed" : "strong_local_audio",
          "promotionDelayMs": .int(promotion), "promotionBytes": .int(promotion * 48),
          "promotionServerVadConfirmed": true,
          "promotionPeak": .double(0.2 + world.random.unit() * 0.5),
          "promotionRms": .double(0.04 + world.random.unit() * 0.1),
          "promotionActiveSampleRatio": .double(0.3 + world.random.unit() * 0.6),
        ])
    }
    let words = turn.text.split(separator: " ").map(String.init)
    // About 160 words a minute, and at least a breath.
    let speech = pace(max(900, words.count * 340)) + promotion
    let item = "item_" + random.token(8)
    planPartials(session, turn, item: item, words: words, from: promotion, to: speech)
    after(speech) { world in
      world.finalize(session, turn, item: item, speech: speech, done: done)
    }
  }

  private func connectRecogniser(_ session: VoiceSession, _ person: Person) {
    if let index = session.recogniser(for: person) {
      if session.recognisers[index].connected {
        session.recognisers[index].lastAudioMs = now
        return
      }
      session.recognisers.remove(at: index)
    }
    session.recognisers.append(
      .init(
        person: person, connectedMs: now, lastAudioMs: now,
        providerSession: "sess_" + random.token(8)))
    vlog(
      session, "openai_realtime_asr_event_sent", user: person.id,
      [
        "type": "session.update", "at": .time(now),
        "payload": [
          "type": "session.update", "sessionType": "transcription",
          "inputFormat": ["type": "audio/pcm", "rate": 24000],
          "inputTranscriptionModel": "gpt-4o-mini-transcribe",
        ],
      ])
  }

  private func planPartials(
    _ session: VoiceSession, _ turn: VoiceTurn, item: String, words: [String], from: Int, to: Int
  ) {
    // The recogniser logs at most one partial per 180 ms and speaker (contract 2.3).
    let step = max(180, pace(620))
    var at = from + step
    while at < to - 60 {
      let share = Double(at - from) / Double(max(1, to - from))
      let count = max(1, Int(Double(words.count) * share))
      let text = words.prefix(count).joined(separator: " ")
      after(at) { world in
        guard !session.ended, let index = session.recogniser(for: turn.speaker) else { return }
        session.recognisers[index].partial = text
        session.recognisers[index].lastAudioMs = world.now
        session.recognisers[index].bytesSent += step * 48
        world.logSegment(session, turn, item: item, text: text, final: false)
      }
      at += step
    }
  }

  func logSegment(
    _ session: VoiceSession, _ turn: VoiceTurn, item: String, text: String, final: Bool
  ) {
    vlog(
      session,
      final ? "openai_realtime_asr_final_segment" : "openai_realtime_asr_partial_segment",
      user: turn.speaker.id,
      [
        "speakerName": .string(turn.speaker.name), "transcript": .string(text),
        "eventType": .string(
          "conversation.item.input_audio_transcription." + (final ? "completed" : "delta")),
        "itemId": .string(item), "previousItemId": nil,
      ])
  }

  private func finalize(
    _ session: VoiceSession, _ turn: VoiceTurn, item: String, speech: Int,
    done: @escaping (World) -> Void
  ) {
    session.captures.removeAll { $0.person == turn.speaker }
    session.lastActivityMs = now
    var times = TurnTimes()
    times.finalized = now
    times.queueWait = random.int(0...24)
    vlog(
      session, "voice_turn_finalized", user: turn.speaker.id,
      [
        "reason": "stream_end", "bytesSent": .int(speech * 48), "durationMs": .int(speech),
      ])
    let toASR = pace(random.int(18...70))
    let recognition = pace(random.int(160...520))
    times.asrStart = now + Int64(toASR)
    times.asrDone = times.asrStart + Int64(recognition)
    let ready = times
    after(toASR + recognition) { world in
      guard !session.ended else { return }
      if let index = session.recogniser(for: turn.speaker) {
        session.recognisers[index].partial = ""
        session.recognisers[index].finals += 1
        session.recognisers[index].lastTranscriptMs = world.now
        session.recognisers[index].lastAudioMs = world.now
      }
      guard !turn.isUnheard else {
        world.dropUnheard(session, turn, item: item, speech: speech)
        done(world)
        return
      }
      world.logSegment(session, turn, item: item, text: turn.text, final: true)
      let decision = world.decide(session, turn)
      world.address(session, turn, decision, speech: speech, queueWait: ready.queueWait)
      guard decision.allow else {
        world.parkDenied(session, turn, decision)
        done(world)
        return
      }
      if session.isNative {
        session.batchPending = (1, min(6, session.turns.count))
      }
      let delay = world.pace(world.random.int(20...140))
      world.after(delay) { world in
        var times = ready
        times.generation = world.now
        world.generate(session, turn, times, done: done)
      }
    }
  }

  func address(
    _ session: VoiceSession, _ turn: VoiceTurn, _ decision: VoiceDecision, speech: Int,
    queueWait: Int
  ) {
    let toMe = turn.target == "ME"
    let confidence = toMe ? 0.86 + Double(random.int(0...12)) / 100 : 0.2
    session.guesses.append(
      .init(
        speaker: turn.speaker.name, talkingTo: turn.target, confidence: confidence, ms: now))
    if session.guesses.count > 12 { session.guesses.removeFirst() }
    let sinceReply = session.lastReplyMs.map { DemoJSON.int(Int(now - $0)) } ?? .null
    let sinceAddress = session.lastAddressMs.map { DemoJSON.int(Int(now - $0)) } ?? .null
    if toMe {
      session.lastAddressMs = now
      session.lastAddressUser = turn.speaker.id
    }
    session.addTurn(
      role: "user", speaker: turn.speaker.name, text: turn.text, now: now,
      addressing: [
        "talkingTo": .string(turn.target), "directedConfidence": .double(confidence),
        "source": "decision", "reason": toMe ? nil : "room_talk",
      ])
    conversation.append(
      ChatLine(guild: session.guild.id, speaker: turn.speaker.name, text: turn.text))
    vlog(
      session, "voice_turn_addressing", user: turn.speaker.id,
      [
        "mode": .string(session.mode), "source": "realtime", "captureReason": "stream_end",
        "queueWaitMs": .int(queueWait), "allow": .bool(decision.allow),
        "reason": .string(decision.reason),
        "participantCount": .int(session.humans), "directAddressed": .bool(toMe),
        "talkingTo": .string(turn.target), "directedConfidence": .double(confidence),
        "addressingSource": "decision", "addressingReason": .string(decision.reason),
        "currentSpeakerTarget": toMe ? "ME" : nil,
        "currentSpeakerDirectedConfidence": .double(toMe ? confidence : 0),
        "heard": .string(turn.text), "transcriptChars": .int(turn.text.utf16.count),
        "transcriptionModelPrimary": "gpt-4o-mini-transcribe",
        "transcriptionUsedFallbackModel": false,
        "transcriptionPlanReason": "openai_realtime_per_user_transcription",
        "clipDurationMs": .int(speech), "asrSkippedShortClip": false, "pendingQueueDepth": 0,
        "attentionMode": "ACTIVE", "currentSpeakerActive": true,
        "recentAssistantReply": .bool(session.lastReplyMs != nil),
        "msSinceAssistantReply": sinceReply, "msSinceDirectAddress": sinceAddress,
        "msSinceInboundAudio": nil, "requiredSilenceMs": nil, "retryAfterMs": nil,
        "outputLockReason": .text(decision.lock),
        "classifierLatencyMs": .number(decision.classifier?.latency),
        "classifierDecision": .text(decision.classifier.map { $0.yes ? "allow" : "deny" }),
        "classifierConfidence": decision.classifier.map { .double($0.confidence) } ?? .null,
        "classifierTarget": decision.classifier == nil ? nil : .string(turn.target),
        "classifierReason": decision.classifier == nil ? nil : .string(decision.reason),
        "replyPrompts": decision.classifier == nil
          ? .null : session.classifier?.bundle ?? .null,
        "musicWakeLatched": .bool(session.musicWakeMs != nil),
        "musicWakeLatchedUntil": .time(session.musicWakeMs), "error": nil,
      ])
  }
}
