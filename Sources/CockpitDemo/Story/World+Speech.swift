/// A reply while it is spoken; times in milliseconds.
struct BotSpeech: Sendable {
  var reply: String
  var request: Int
  var playback: Int
  var firstAudio: Int
  var source: String
}

/// Sends the reply to the provider, plays it and accounts for it.
extension World {
  func request(
    _ session: VoiceSession, _ turn: VoiceTurn, reply: String, prompt: String,
    _ times: TurnTimes, done: @escaping (World) -> Void
  ) {
    guard !session.ended else {
      done(self)
      return
    }
    let id = logRequest(session, turn, reply: reply, prompt: prompt, times)
    var delay = pace(random.int(80...280))
    if case .mute = turn.fate { delay += planSilentRetry(session, request: id) }
    after(delay) { world in
      world.speak(session, turn, reply: reply, times, request: id, done: done)
    }
  }

  /// Logs that the reply was sent to the provider; returns the number of the request.
  func logRequest(
    _ session: VoiceSession, _ turn: VoiceTurn, reply: String, prompt: String, _ times: TurnTimes
  ) -> Int {
    session.requestID += 1
    session.batchPending = nil
    session.interrupted = nil
    let id = session.requestID
    logLatency(session, turn, "reply_requested", times, audio: nil, request: id)
    vlog(
      session, "realtime_reply_requested", user: Cast.bot.id,
      [
        "mode": .string(session.mode), "source": .string(turn.source), "requestId": .int(id),
        "replyText": .string(reply), "requestedRealtimeUtterance": true, "soundboardRefs": [],
        "playedSoundboardCount": 0,
        "usedWebSearchFollowup": .bool(turn.tools.contains { $0.name == "web_search" }),
        "usedScreenShareOffer": false, "talkingTo": .string(turn.speaker.name),
        "directedConfidence": 0.9, "leaveVoiceChannelRequested": false,
        "replyPrompts": session.generation?.bundle ?? session.bridge?.bundle ?? .null,
        "contextTurnsSent": .int(min(50, session.turns.count)),
        "contextTurnsAvailable": .int(session.turns.count),
        "contextCharsSent": .int(prompt.utf16.count),
        "systemPromptChars": .int(prose.voiceSystem.utf16.count),
        "userPromptChars": .int(prompt.utf16.count), "toolCount": .int(prose.toolCount),
        "toolDefinitionChars": 3904,
        "totalPromptChars": .int(prose.voiceSystem.utf16.count + prompt.utf16.count + 3904),
      ])
    session.addOutbound(
      "response.create",
      [
        "type": "response.create",
        "response": [
          "conversation": "none", "outputModalities": ["audio"], "inputItems": 1,
          "inputTextChars": .int(reply.utf16.count), "hasInputImage": false,
        ],
      ], now: now)
    session.activeResponse = "resp_" + random.token(9)
    return id
  }

  private func logLatency(
    _ session: VoiceSession, _ turn: VoiceTurn, _ stage: String, _ times: TurnTimes,
    audio: Int64?, request: Int
  ) {
    var metadata: DemoJSON = [
      "mode": .string(session.mode), "stage": .string(stage), "source": .string(turn.source),
      "captureReason": turn.source == "realtime" ? "stream_end" : nil, "requestId": .int(request),
      "queueWaitMs": .int(times.queueWait), "pendingQueueDepth": 0,
    ]
    for (name, value) in zip(VoiceSession.stageNames, times.stages(audio: audio)) {
      metadata = metadata.setting(name, .number(value))
    }
    vlog(session, "voice_latency_stage", user: Cast.bot.id, metadata)
  }

  private func speak(
    _ session: VoiceSession, _ turn: VoiceTurn, reply: String, _ times: TurnTimes, request: Int,
    done: @escaping (World) -> Void
  ) {
    guard !session.ended else {
      done(self)
      return
    }
    let speech = startSpeaking(session, turn, reply: reply, times, request: request)
    switch turn.disturbance {
    case .interruption(let line, let answer):
      interrupt(session, speech, by: line, answer: answer, done: done)
      return
    case .talkOver(let line):
      talkOver(session, line, playback: speech.playback)
    case nil:
      break
    }
    after(speech.playback) { world in
      guard !session.ended else {
        done(world)
        return
      }
      world.finishSpeaking(session, speech)
      done(world)
    }
  }

  /// The first sound of a reply.
  func startSpeaking(
    _ session: VoiceSession, _ turn: VoiceTurn, reply: String, _ times: TurnTimes, request: Int
  ) -> BotSpeech {
    session.botTurnOpen = true
    session.lastReplyMs = now
    session.lastActivityMs = now
    lastBotMessageMs = now
    session.addTurn(role: "assistant", speaker: Cast.bot.name, text: reply, now: now)
    conversation.append(
      ChatLine(guild: session.guild.id, speaker: Cast.bot.name, text: reply))
    session.setOutput(
      "speaking_live", reason: "bot_audio_live", trigger: "audio_delta", request: request,
      now: now)
    session.bufferedSamples = 24_000
    vlog(session, "bot_audio_started", user: Cast.bot.id, kind: "voice_turn_out")
    session.latencies.append(
      .init(ms: now, stages: times.stages(audio: now), queueWait: times.queueWait, depth: 0))
    if session.latencies.count > 12 { session.latencies.removeFirst() }
    logLatency(session, turn, "audio_started", times, audio: now, request: request)
    duckMusic(session)
    let words = reply.split(separator: " ").count
    let playback = pace(max(800, words * 310))
    return BotSpeech(
      reply: reply, request: request, playback: playback, firstAudio: Int(now - times.request),
      source: turn.source)
  }

  /// Ends a reply, after `heard` of its playback if a user interrupted it.
  func finishSpeaking(_ session: VoiceSession, _ speech: BotSpeech, heard: Int? = nil) {
    let played = heard ?? speech.playback
    let suppressed = speech.playback - played
    vlog(
      session, "\(session.label)_transcript", user: Cast.bot.id,
      [
        "transcript": .string(speech.reply),
        "transcriptEventType": "response.output_audio_transcript.done",
        "transcriptSource": "output", "soundboardRefs": nil,
      ])
    let input = 600 + random.int(0...700)
    let audio = played / 18
    let text = speech.reply.utf16.count / 4
    vlog(
      session, "\(session.label)_response_done", user: Cast.bot.id,
      cost: Double(input) * 4e-6 + Double(audio) * 64e-6,
      [
        "requestId": .int(speech.request), "responseId": .text(session.activeResponse),
        "responseStatus": heard == nil ? "completed" : "cancelled",
        "responseModel": session.mode == "openai_realtime" ? "gpt-realtime" : "grok-voice",
        "responseUsage": [
          "inputTokens": .int(input), "outputTokens": .int(audio + text),
          "totalTokens": .int(input + audio + text), "cacheReadTokens": 320,
          "inputAudioTokens": 0, "inputTextTokens": .int(input),
          "outputAudioTokens": .int(audio), "outputTextTokens": .int(text),
        ],
        "hadAudio": true, "retryCount": 0, "hardRecoveryAttempted": false,
      ])
    vlog(
      session, "bot_utterance_completed", user: Cast.bot.id,
      [
        "requestId": .int(speech.request), "source": .string(speech.source),
        "utteranceTextLength": .int(speech.reply.utf16.count),
        "utteranceTextPreview": .string(String(speech.reply.prefix(120))), "hadAudio": true,
        "hadBargeSuppression": .bool(heard != nil),
        "audioDeliveredBytes": .int(played * 48),
        "audioDeliveredChunks": .int(max(1, played / 100)),
        "audioSuppressedBytes": .int(suppressed * 48),
        "audioSuppressedChunks": .int(suppressed / 100), "estimatedPlaybackMs": .int(played),
        "firstAudioLatencyMs": .int(speech.firstAudio),
        "deliveryRatio": .double((Double(played) / Double(speech.playback) * 100).rounded() / 100),
        "ttsBufferedSamplesAtDone": 0,
        "ttsProviderEndReason": heard == nil ? "completed" : "interrupted",
        "mode": .string(session.mode),
      ])
    session.botTurnOpen = false
    session.bufferedSamples = 0
    session.activeResponse = nil
    session.responseStatus = heard == nil ? "completed" : "cancelled"
    session.deferredTurns = 0
    session.lastReplyMs = now
    session.lastEventMs = now
    session.setOutput("idle", reason: "idle", trigger: "runtime_state", request: 0, now: now)
    unduckMusic(session)
  }
}
