/// Scenarios in which things go wrong: hostile text, a failing bot, a failing transport.
extension World {
  // MARK: Hostile

  func planHostile() {
    let rows = Hostile.rows + Hostile.oddRows
    let row = rows[cursors.hostileCursor % rows.count]
    cursors.hostileCursor += 1
    log(
      row.kind, in: row.place, message: row.hasMessage ? snowflake() : nil, user: row.user?.id,
      content: row.content, metadata: row.metadata, cost: row.cost, extra: row.extra)
    after(pace(700)) { $0.planHostile() }
  }

  // MARK: Faults

  /// Disturbs the transport in turn, with quiet stretches between.
  func planFaults() {
    let cycle: [DemoFault] = [
      .cutMidEvent(afterBytes: 37), .http500(count: 6), .slowDrip, .clear, .stalledStream, .clear,
      .slowREST(ms: 2500), .clear, .dropConnections, .tunnelStatus("error"),
      .tunnelStatus("starting"), .tunnelStatus("ready"), .htmlPage(count: 3),
      .closeImmediately(count: 3), .secondSession,
    ]
    after(pace(15_000)) { world in
      let fault = cycle[world.cursors.faultCursor % cycle.count]
      world.cursors.faultCursor += 1
      world.cursors.requestedFaults.append(fault)
      world.planFaults()
    }
  }

  // MARK: Failing

  func planFailing() {
    planStartup()
    truth.fromMs = now
    setTunnel("error")
    tell("tunnel", "See the bot's log; restart the bot.")
    after(pace(800)) { $0.runSession(in: Cast.ridge, greeting: false) }
    after(pace(3000)) { $0.failingLane() }
    after(pace(9000)) { $0.failingVoice() }
  }

  /// Something is wrong, or once more; the newest row shows it.
  private func tell(_ kind: String, hasRow: Bool = true, _ next: String) {
    truth.trouble(kind, at: now, hasRow ? newestRow : [], next: next)
  }

  private var newestRow: [TruthRow] {
    [TruthRow(reference: .id(store.newestID), what: "failure")]
  }

  private func failingLane() {
    let place = Place(Cast.ridge, "campfire")
    switch cursors.faultCursor % 6 {
    case 0, 3:
      let turn = Script.text[cursors.textCursor % Script.text.count]
      cursors.textCursor += 1
      logModelError(
        in: turn.place, user: turn.speaker.id, model: .opus, status: 529,
        type: "overloaded_error", message: "Overloaded")
      tell("models", "Check the model provider's status page, key and quota.")
    case 1:
      log(
        "search_error", in: place, user: Cast.nadia.id, content: "Brave Search HTTP 503",
        metadata: [
          "query": "hut opening hours", "source": "reply_tool_web_search", "provider": "brave",
          "stage": "provider", "attempts": 2, "maxAttemptsPerRequest": 2,
        ])
      tell("search", "Check the search provider's status page and key.")
    case 2:
      reconnectGateway(afterMs: pace(9000))
      tell("gateway", "It reconnects by itself; else see the bot's log.")
      after(pace(9000)) { $0.truth.isOver("gateway", at: $0.now, $0.newestRow) }
    case 4:
      log(
        "memory_embedding_error", in: place, user: Cast.nadia.id,
        content: "[openai] 429 Rate limit reached",
        metadata: [
          "provider": "openai", "model": "text-embedding-3-small", "fallbackAttempt": true,
          "traceSource": "memory_query", "traceEvent": nil, "traceReason": nil,
          "traceMessageId": nil,
        ])
      tell("embeddings", "Check the key and the quota of the embedding provider.")
    default:
      browserRun(fails: true)
      // When its last step has failed.
      after(pace(1400) * 2 + pace(1600)) {
        $0.tell("browser", "Look whether the browser on the bot's host starts.")
      }
    }
    cursors.faultCursor += 1
    after(pace(random.int(3000...6000))) { $0.failingLane() }
  }

  /// Turns that end without an answer, until the provider connection breaks.
  private func failingVoice() {
    guard let session = sessions.first else {
      after(pace(12_000)) { world in
        world.runSession(in: Cast.ridge, greeting: false)
        world.failingVoice()
      }
      return
    }
    session.pendingTurns += 1
    session.deferredTurns += 1
    if session.pendingTurns == 3 {
      tell("turns_waiting", hasRow: false, "Look into VOICE; leave and join if it stays so.")
    }
    if let index = session.servers.indices.first {
      session.servers[index].connected = false
      session.servers[index].lastError = "Unable to connect."
      session.servers[index].lastCallMs = now
      tell(
        "mcp", hasRow: false, "Start the tool server \(session.servers[index].name) again.")
    }
    let names = [
      "response_silent_retry", "voice_generation_watchdog_timeout", "response_silent_fallback",
      "openai_realtime_asr_circuit_breaker_reconnect", "realtime_generation_failed",
    ]
    let name = names[session.pendingTurns % names.count]
    vlog(
      session, name, user: Cast.bot.id,
      kind: name == "voice_generation_watchdog_timeout" ? "voice_runtime" : "voice_error",
      [
        "requestId": .int(session.requestID), "retryCount": .int(session.pendingTurns),
        "trigger": "watchdog", "timeoutMs": 20000, "responseId": nil, "responseStatus": nil,
      ])
    if session.pendingTurns >= 6 {
      session.realtimeConnected = false
      session.lastError = "socket closed"
      session.closeCode = 1006
      vlog(
        session, "\(session.label)_socket_closed", user: Cast.bot.id,
        ["code": 1006, "reason": "abnormal closure"])
      tell("voice_provider", "Leave and join again.")
      after(pace(4000)) { world in
        world.end(session, reason: "realtime_socket_closed")
        for kind in ["voice_provider", "turns_waiting", "mcp"] {
          world.truth.isOver(kind, at: world.now)
        }
      }
    }
    after(pace(7000)) { $0.failingVoice() }
  }
}
