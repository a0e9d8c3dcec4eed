/// Timetables of the scenarios.
extension World {
  var hasVoice: Bool { options.flood == nil || options.scenario == .voice }

  func planStartup() {
    log(
      "bot_lifecycle", user: Cast.bot.id, content: "bot_logged_in",
      metadata: ["tag": .string(tag)])
    log(
      "bot_runtime", content: "public_https_entrypoint_ready",
      metadata: [
        "provider": "cloudflared", "publicUrl": .string("https://\(tunnel.host)"),
        "targetUrl": .string("http://127.0.0.1:\(boundPort)"),
      ])
  }

  /// The first minute is fixed, so that a newcomer sees everything; then the lanes loop.
  func planStory() {
    planStartup()
    if hasVoice { after(pace(900)) { $0.runSession(in: Cast.ridge, greeting: true) } }
    let opening = [3200, 9500, 15_500, 24_000, 33_000, 44_000, 54_000]
    for at in opening { after(pace(at)) { $0.nextText() } }
    after(pace(20_000)) { $0.tour() }
    let busy = options.scenario == .busy
    after(pace(62_000)) { $0.textLane(every: busy ? 5000 : 28_000) }
  }

  func planTwoSessions() {
    planStartup()
    after(pace(500)) { $0.runSession(in: Cast.ridge, greeting: true) }
    after(pace(2500)) { $0.runSession(in: Cast.bakery, greeting: true) }
    after(pace(8000)) { $0.textLane(every: 25_000) }
    after(pace(200_000)) { $0.runBareSession() }
  }

  func nextText() {
    let turn = Script.text[cursors.textCursor % Script.text.count]
    cursors.textCursor += 1
    textTurn(turn)
  }

  func textLane(every ms: Int) {
    nextText()
    let gap = Double(ms) * (0.7 + random.unit() * 0.6)
    after(pace(Int(gap))) { $0.textLane(every: ms) }
  }

  /// A whole session: joining, a conversation, leaving, and the next one somewhere else.
  func runSession(
    in guild: Guild, voice: Channel? = nil, text: Channel? = nil, requester: Person? = nil,
    greeting: Bool
  ) {
    guard !sessions.contains(where: { $0.guild == guild }) else { return }
    let session = startSession(in: guild, voice: voice, text: text, requester: requester)
    guard greeting else { return }
    let first = session.participants.first { !$0.isBot } ?? Cast.nadia
    after(pace(1500)) { world in
      world.vlog(
        session, "voice_runtime_event_decision", user: Cast.bot.id,
        [
          "mode": .string(session.mode), "inputKind": "event", "source": "bot_join_greeting",
          "transcript": "[YOU joined the voice channel]",
          "runtimeEventContext": [
            "category": "membership", "eventType": "join", "actorUserId": .string(Cast.bot.id),
            "actorDisplayName": .string(Cast.bot.name), "actorRole": "self",
          ],
          "allow": true, "reason": "generation_decides",
          "participantCount": .int(session.humans),
        ])
    }
    after(pace(3000)) { $0.converse(session, left: $0.random.int(16...26), first: first) }
    after(pace(1600)) { world in
      world.say(session, "Evening, everybody. I can hear you.", source: "bot_join_greeting")
    }
    let extra = guild == Cast.ridge ? Cast.hana : guild == Cast.bakery ? Cast.hana : Cast.wren
    after(pace(26_000)) { $0.membership(session, extra, joined: true) }
    after(pace(95_000)) { $0.membership(session, extra, joined: false) }
    after(pace(130_000)) { $0.idleRecogniser(session, first) }
  }

  private func converse(_ session: VoiceSession, left: Int, first: Person) {
    guard !session.ended else { return }
    guard left > 0 else {
      let reasons = ["nl_leave", "inactivity_timeout", "assistant_leave_directive", "nl_leave"]
      let reason = reasons[cursors.sessionCount % reasons.count]
      after(pace(4000)) { world in
        world.end(session, reason: reason)
        world.afterSession(session)
      }
      return
    }
    let lines = Script.voice(session.guild)
    let cursor = cursors.voiceCursor[session.guild.id, default: 0]
    cursors.voiceCursor[session.guild.id] = cursor + 1
    let turn = lines[cursor % lines.count]
    voiceTurn(session, turn) { world in
      let opening = world.now - world.startMs < Int64(world.pace(50_000))
      let gap = opening ? world.random.int(900...1800) : world.random.int(13_000...29_000)
      world.aside(session, after: turn, gap: gap)
      world.after(world.pace(gap)) { $0.converse(session, left: left - 1, first: first) }
    }
  }

  /// Small things between turns.
  private func aside(_ session: VoiceSession, after turn: VoiceTurn, gap: Int) {
    if turn.text.contains("pause it") { pauseMusic(session, by: turn.speaker) }
    guard gap > 4000 else { return }
    after(pace(random.int(1500...gap / 2))) { $0.episode(session) }
    after(pace(gap * 2 / 3)) { $0.thought(session) }
    switch random.int(0...7) {
    case 0: nextTrack(session)
    case 1 where session.music.phase == "paused": stopMusic(session, by: turn.speaker)
    case 2: dropTurn(session, turn.speaker)
    case 3: after(pace(gap / 3)) { $0.episode(session) }
    default: break
    }
  }

  private func afterSession(_ session: VoiceSession) {
    guard options.scenario != .voice else {
      after(pace(8000)) { $0.runSession(in: session.guild, greeting: true) }
      return
    }
    after(pace(18_000)) { $0.nextSession() }
  }

  /// The bot is called to the next server that has no session; when all have one, later.
  private func nextSession() {
    let order = [Cast.ridge, Cast.bakery, Cast.arcade]
    let free = (0..<order.count).map { order[(cursors.sessionCount + $0) % order.count] }
      .first { guild in !sessions.contains { $0.guild == guild } }
    guard let free else {
      after(pace(20_000)) { $0.nextSession() }
      return
    }
    runSession(in: free, greeting: true)
  }
}
