/// Small events around a conversation, and the outside world.
extension World {
  /// Someone coughs: a capture that is dropped again.
  func dropTurn(_ session: VoiceSession, _ person: Person) {
    guard !session.ended else { return }
    session.captures.append(.init(person: person, startedMs: now))
    let length = pace(random.int(300...600))
    after(length) { world in
      session.captures.removeAll { $0.person == person }
      world.vlog(
        session, "voice_turn_dropped_silence_gate", user: person.id,
        [
          "source": "realtime", "captureReason": "stream_end", "peak": 0.034, "rms": 0.006,
          "activeSampleRatio": 0.02, "clipDurationMs": .int(length),
        ])
    }
  }

  /// The state of the public tunnel changes (contract 7.6).
  func setTunnel(_ status: String) {
    tunnel.status = status
    switch status {
    case "ready":
      tunnel.lastError = ""
      tunnel.startedMs = now
      log(
        "bot_runtime", content: "public_https_entrypoint_ready",
        metadata: [
          "provider": "cloudflared", "publicUrl": .string("https://\(tunnel.host)"),
          "targetUrl": .string("http://127.0.0.1:\(boundPort)"),
        ])
    case "starting":
      log(
        "bot_runtime", content: "public_https_entrypoint_starting",
        metadata: [
          "provider": "cloudflared", "targetUrl": .string("http://127.0.0.1:\(boundPort)"),
          "binary": "cloudflared",
        ])
    case "error":
      tunnel.lastError = "cloudflared exited with code 1"
      log(
        "bot_error", content: "public_https_entrypoint_exited: cloudflared exited with code 1",
        metadata: ["code": 1, "signal": nil, "retryMs": 15000])
    default:
      break
    }
  }

  /// The gateway drops and comes back.
  func reconnectGateway(afterMs ms: Int) {
    gateway.reconnecting = true
    gateway.attempts = 1
    log(
      "bot_error", user: Cast.bot.id, content: "gateway_error: read ECONNRESET")
    after(ms / 2) { world in
      world.gateway.attempts = 2
      world.log(
        "bot_error", content: "gateway_reconnect_failed: socket hang up",
        metadata: ["attempt": 2, "nextRetryMs": .int(ms / 2)])
    }
    after(ms) { world in
      world.gateway.reconnecting = false
      world.gateway.attempts = 0
      world.gateway.lastEventMs = world.now
      world.log(
        "bot_lifecycle", user: Cast.bot.id, content: "bot_logged_in",
        metadata: ["tag": .string(world.tag)])
    }
  }

  // MARK: Flood

  /// `perSecond` additional rows, in batches of one 20 ms tick that share one statistics event body.
  func planFlood(perSecond: Int) {
    let tick = 20
    cursors.floodDebt += Double(perSecond) * Double(tick) / 1000
    let count = Int(cursors.floodDebt)
    cursors.floodDebt -= Double(count)
    var actions: [Action] = []
    for _ in 0..<count {
      if let action = floodAction() { actions.append(action) }
    }
    save(actions.map(\.row))
    broadcast(actions)
    after(tick) { $0.planFlood(perSecond: perSecond) }
  }

  private func floodAction() -> Action? {
    let guild = random.pick(Cast.guilds)
    let channel = random.pick(guild.channels.filter { !$0.isVoice })
    let person = random.pick(Cast.people)
    let place = Place(guild: guild.id, channel: channel.id)
    switch random.int(0...9) {
    case 0:
      return makeAction(
        "search_call", in: place, message: nil, user: person.id, content: "trail conditions",
        metadata: [
          "query": "trail conditions", "source": "message_event", "maxResults": 5,
          "returnedResults": 4, "pageReadsRequested": 2, "pageReadsSucceeded": 2,
          "providerUsed": "brave", "fallbackUsed": false,
          "latencyMs": .int(random.int(200...2400)),
        ], cost: nil)
    case 1, 2:
      return makeAction(
        "memory_embedding_call", in: place, message: nil, user: person.id,
        content: "text-embedding-3-small",
        metadata: [
          "provider": "openai", "model": "text-embedding-3-small",
          "inputChars": .int(random.int(8...300)), "vectorDims": 1536,
          "usage": ["inputTokens": .int(random.int(4...90)), "outputTokens": 0],
          "traceSource": "conversation_message_embed", "traceEvent": nil, "traceReason": nil,
          "traceMessageId": nil,
        ], cost: 2.8e-7)
    default:
      let message = snowflake()
      return makeAction(
        "text_runtime", in: place, message: message, user: person.id,
        content: "reply_admission_decision",
        metadata: [
          "botId": .string(Cast.bot.id), "deployment": nil, "triggerMessageId": .string(message),
          "sessionId": nil, "turnId": nil, "source": "message_event", "stage": "admission",
          "allow": .bool(random.chance(0.2)), "reason": "ambient_no_signal",
          "isReplyChannel": true, "attentionMode": "AMBIENT",
        ], cost: nil)
    }
  }
}
