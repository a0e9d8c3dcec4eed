/// Decides whether a turn is for the bot, and handles those that are not.
extension World {
  func decide(_ session: VoiceSession, _ turn: VoiceTurn) -> VoiceDecision {
    if session.botTurnOpen {
      return VoiceDecision(allow: false, reason: "bot_turn_open", lock: session.outputReason)
    }
    if case .duringMusic = turn.fate, session.music.phase == "playing" {
      return VoiceDecision(allow: false, reason: "music_playing_not_awake")
    }
    if session.captures.contains(where: { $0.person != turn.speaker }), turn.overlap != nil {
      vlog(
        session, "voice_interrupt_overlap_burst_resolved", user: turn.speaker.id,
        [
          "source": "realtime", "reason": "other_speaker_not_addressing_bot",
          "speakerCount": 2, "interrupts": false,
        ])
    }
    // A turn with the bot's name needs no second opinion, except on the provider's own path.
    guard turn.target != "ME" || session.isNative else {
      return VoiceDecision(allow: true, reason: "generation_decides")
    }
    return classify(session, turn)
  }

  private func classify(_ session: VoiceSession, _ turn: VoiceTurn) -> VoiceDecision {
    let yes = turn.reply != nil || turn.target == "ME"
    let verdict = VoiceDecision.Classifier(
      yes: yes, confidence: 0.7 + Double(random.int(0...25)) / 100,
      latency: pace(random.int(140...420)))
    let reason = yes ? "model_yes" : "model_no"
    let system =
      "You are \"\(Cast.bot.name)\" in a Discord voice channel. You hear everybody, and you do not "
      + "answer everybody. Decide whether the newest line is for you. Answer YES or NO."
    var prompt = "People: \(session.participants.map(\.name).joined(separator: ", "))\n"
    prompt += "Speaker: \(turn.speaker.name)\nAttention: "
    prompt += session.lastReplyMs.map { now - $0 <= 35_000 } == true ? "ACTIVE\n" : "AMBIENT\n"
    prompt += "\nLast lines:\n"
    for line in session.turns.suffix(8) { prompt += "\(line.speaker): \"\(line.text)\"\n" }
    prompt += "\(turn.speaker.name): \"\(turn.text)\"\n\nIs the last line for you?"
    session.classifier = .init(
      ms: now, source: "realtime",
      bundle: prose.bundle(system: system, user: prompt, withTools: false))
    vlog(
      session, "voice_reply_classifier_debug", user: turn.speaker.id,
      [
        "source": "realtime", "stage": "decision", "provider": "anthropic",
        "model": "claude-haiku-4-5",
        "promptSnapshot": ["systemPrompt": .string(system), "userPrompt": .string(prompt)],
        "rawOutput": yes ? "YES" : "NO",
        "parsedDecision": [
          "decision": yes ? "allow" : "deny", "confidence": .double(verdict.confidence),
          "target": .string(turn.target),
        ],
        "allow": .bool(yes), "reason": .string(reason), "latencyMs": .int(verdict.latency),
      ])
    return VoiceDecision(allow: yes, reason: reason, classifier: verdict)
  }

  /// A turn that must wait, or is not for the bot at all.
  func parkDenied(_ session: VoiceSession, _ turn: VoiceTurn, _ decision: VoiceDecision) {
    switch decision.reason {
    case "bot_turn_open":
      session.deferredTurns += 1
      vlog(
        session, "realtime_turn_skipped_output_locked", user: turn.speaker.id,
        [
          "source": "realtime", "reason": "bot_turn_open",
          "outputLockReason": .text(decision.lock),
          "deferredQueueSize": .int(session.deferredTurns),
        ])
    case "music_playing_not_awake":
      vlog(
        session, "voice_music_turn_ignored_not_awake", user: turn.speaker.id,
        [
          "source": "realtime", "reason": "music_playing_not_awake",
          "transcript": .string(turn.text), "musicPhase": .string(session.music.phase),
        ])
    default:
      break
    }
  }

  /// Sound that produced no usable speech.
  func dropUnheard(_ session: VoiceSession, _ turn: VoiceTurn, item: String, speech: Int) {
    guard case .mumbled = turn.fate else {
      vlog(
        session, "voice_realtime_transcription_empty", user: turn.speaker.id,
        [
          "source": "realtime", "captureReason": "stream_end", "model": "gpt-4o-mini-transcribe",
          "clipDurationMs": .int(speech), "pcmBytes": .int(speech * 48), "silenceDetected": true,
        ])
      vlog(
        session, "voice_turn_dropped", user: turn.speaker.id,
        [
          "reason": "missing_transcript", "bytesSent": .int(speech * 48),
          "durationMs": .int(speech),
        ])
      return
    }
    logSegment(session, turn, item: item, text: turn.text, final: true)
    vlog(
      session, "voice_turn_dropped_asr_low_confidence", user: turn.speaker.id,
      [
        "source": "realtime", "captureReason": "stream_end", "transcript": .string(turn.text),
        "meanLogprob": -1.42, "threshold": -1, "clipDurationMs": .int(speech),
      ])
  }

  /// The model does not answer: the watchdog times out and the turn is generated again. Returns the
  /// time lost, in milliseconds.
  func planWatchdog(_ session: VoiceSession) -> Int {
    // 20 s of story, as long as upstream waits (contract Appendix A).
    let wait = pace(20_000)
    after(wait) { world in
      world.vlog(
        session, "voice_generation_watchdog_timeout", user: Cast.bot.id,
        [
          "source": "realtime", "mode": .string(session.mode), "timeoutMs": 20000,
          "elapsedMs": .int(wait), "phase": "llm_stream", "requestId": .int(session.requestID + 1),
        ])
      world.logModelError(
        in: session.place, user: Cast.bot.id, model: .sonnet, status: 529,
        type: "overloaded_error", message: "Overloaded")
      world.vlog(
        session, "voice_brain_generation_failed", user: Cast.bot.id, kind: "voice_error",
        [
          "source": "realtime", "mode": .string(session.mode), "reason": "watchdog_timeout",
          "error": "voice generation aborted after 20000ms",
        ])
    }
    return wait + pace(300)
  }

  /// The provider accepts a reply and stays silent; the request is repeated. Returns the time lost.
  func planSilentRetry(_ session: VoiceSession, request: Int) -> Int {
    let wait = pace(3400)
    after(wait) { world in
      world.vlog(
        session, "response_silent_retry", user: Cast.bot.id,
        [
          "requestId": .int(request), "retryCount": 1, "trigger": "response_done_without_audio",
          "responseId": .text(session.activeResponse), "responseStatus": "completed",
        ])
    }
    return wait + pace(500)
  }
}
