/// Joining, leaving and membership of the channel.
extension World {
  /// A `voice_runtime` (or other voice) row of a session; the session id comes first.
  func vlog(
    _ session: VoiceSession, _ content: String, user: String, kind: String = "voice_runtime",
    cost: Double? = nil, _ metadata: DemoJSON = [:]
  ) {
    guard !session.ended else { return }
    let head: DemoJSON = ["sessionId": .string(session.id)]
    log(
      kind, in: session.place, user: user, content: .string(content),
      metadata: head.merging(metadata), cost: cost)
  }

  /// Starts a session with the people of that place and returns it.
  @discardableResult
  func startSession(
    in guild: Guild, voice: Channel? = nil, text: Channel? = nil, requester: Person? = nil
  ) -> VoiceSession {
    cursors.sessionCount += 1
    let room = VoiceRoom.of(guild)
    let channel = voice ?? guild.voice(room.voice)
    let people = room.people
    let session = VoiceSession(
      id: random.uuid(), guild: guild, voice: channel, text: text ?? guild.text(room.text),
      mode: room.mode, ownership: room.ownership, dialect: dialect,
      requester: requester ?? people[0], participants: people, now: now,
      providerSession: "sess_" + random.token(9))
    loadFacts(session)
    session.servers = [
      .init(
        name: "trail-notes",
        tools: [
          ("list_routes", "List saved routes"), ("next_event", "The next calendar entry"),
        ]),
      .init(name: "weather-station", tools: [("read_sensor", "Read one outdoor sensor")]),
    ]
    if session.isNative { session.brainTools = ToolCatalogue.short(with: session.servers).frozen }
    session.nextThoughtMs = now + 60_000
    sessions.append(session)
    let label = session.label
    // Rows of the provider client carry no session id.
    log(
      "voice_runtime", in: session.place, user: Cast.bot.id,
      content: "\(label)_client_event_sent", metadata: sessionUpdate(session))
    session.addOutbound("session.update", sessionUpdate(session)["payload"] ?? [:], now: now)
    vlog(
      session, "voice_joined:\(channel.id)", user: session.requester.id,
      kind: "voice_session_start",
      [
        "mode": .string(session.mode), "requestedByUserId": .string(session.requester.id),
        "voiceChannelId": .string(channel.id), "maxSessionMinutes": .int(session.maxMinutes),
        "inactivityLeaveSeconds": .int(session.inactivitySeconds), "intentConfidence": 0.93,
      ])
    session.addTurn(
      "membership", role: "user", speaker: Cast.bot.name,
      text: "[\(Cast.bot.name) joined the voice channel]", now: now)
    log(
      "voice_runtime", content: "clankvox_gateway_op4_forwarded",
      metadata: ["guildId": .string(guild.id), "channelId": .string(channel.id), "count": 1])
    refreshInstructions(session, speaker: Cast.bot, transcript: "", source: "session_start")
    return session
  }

  private func sessionUpdate(_ session: VoiceSession) -> DemoJSON {
    [
      "type": "session.update", "at": .time(now),
      "payload": [
        "type": "session.update", "sessionType": "realtime",
        "model": session.mode == "openai_realtime" ? "gpt-realtime" : "grok-voice",
        "outputModalities": ["audio"],
        "inputAudioFormat": ["type": "audio/pcm", "rate": 24000],
        "outputAudioFormat": ["type": "audio/pcm", "rate": 24000], "outputVoice": "ash",
        "inputTranscriptionModel": "gpt-4o-mini-transcribe",
        "inputTranscriptionPromptChars": 191,
        "instructionsChars": .int(prose.instructions.utf16.count),
        "toolCount": .int(session.isNative ? prose.toolCount : 0),
      ],
    ]
  }

  func loadFacts(_ session: VoiceSession) {
    let facts = store.facts.list(guild: session.guild.id, limit: 200)
    session.peopleFacts = session.participants.filter { !$0.isBot }.map { person in
      (person, facts.filter { $0.subject == person.id && $0.scope != "owner" })
    }
    session.selfFacts = facts.filter { $0.subject == "__self__" }
    session.loreFacts = facts.filter { $0.subject == "__lore__" }
  }

  /// New instructions for the provider; logged with the whole bundle.
  func refreshInstructions(
    _ session: VoiceSession, speaker: Person, transcript: String,
    source: String = "realtime_instruction_refresh"
  ) {
    let bundle = prose.bundle(system: prose.instructions, user: "", withTools: false)
    session.instructions = .init(ms: now, source: source, bundle: bundle)
    session.addOutbound(
      "session.update", sessionUpdate(session)["payload"] ?? [:], now: now)
    let known = session.peopleFacts.first { $0.person == speaker }?.facts.count ?? 0
    vlog(
      session, "\(session.label)_instructions_updated", user: Cast.bot.id,
      [
        "reason": source == "session_start" ? "session_start" : "turn_context",
        "speakerUserId": .string(speaker.id), "participantCount": .int(session.humans),
        "transcriptChars": .int(transcript.utf16.count), "userFactCount": .int(known),
        "relevantFactCount": 2, "conversationWindowCount": 1, "toolNames": [],
        "recentToolOutcomeCount": .int(min(3, session.toolCalls.count)),
        "nativeDiscordSharerCount": .int(session.watch.sharers.count),
        "screenWatchAvailable": true, "screenWatchActive": .bool(session.watch.active),
        "instructionsChars": .int(prose.instructions.utf16.count), "replyPrompts": bundle,
      ])
  }

  func membership(_ session: VoiceSession, _ person: Person, joined: Bool) {
    guard !session.ended else { return }
    if joined {
      guard !session.participants.contains(person) else { return }
      session.participants.append(person)
    } else {
      session.participants.removeAll { $0 == person }
      session.captures.removeAll { $0.person == person }
    }
    session.membership.append(.init(person: person, joined: joined, ms: now))
    if session.membership.count > 6 { session.membership.removeFirst() }
    session.addTurn(
      "membership", role: "user", speaker: person.name,
      text: "[\(person.name) \(joined ? "joined" : "left") the voice channel]", now: now)
    vlog(
      session, "voice_membership_changed", user: person.id,
      [
        "eventType": joined ? "join" : "leave", "memberUserId": .string(person.id),
        "displayName": .string(person.name), "participantCount": .int(session.humans),
      ])
    if let index = session.recogniser(for: person), !joined {
      session.recognisers[index].connected = false
    }
  }

  /// Closes the recogniser of a user who has been silent for a minute.
  func idleRecogniser(_ session: VoiceSession, _ person: Person) {
    guard let index = session.recogniser(for: person), session.recognisers[index].connected
    else { return }
    session.recognisers[index].connected = false
    session.recognisers[index].phase = "idle"
    vlog(
      session, "openai_realtime_asr_ws_closed", user: person.id, ["code": 1000, "reason": nil])
    vlog(
      session, "openai_realtime_asr_session_closed", user: person.id,
      ["sessionScope": "per_user", "reason": "idle_ttl"])
  }

  func end(_ session: VoiceSession, reason: String) {
    guard !session.ended else { return }
    for recogniser in session.recognisers where recogniser.connected {
      vlog(
        session, "openai_realtime_asr_session_closed", user: recogniser.person.id,
        ["sessionScope": "per_user", "reason": "session_end"])
    }
    log(
      "voice_runtime", in: session.place, user: Cast.bot.id,
      content: "\(session.label)_ws_closed", metadata: ["code": 1000, "reason": nil])
    let isRequested = reason == "nl_leave" || reason == "assistant_leave_directive"
    vlog(
      session, reason, user: session.requester.id, kind: "voice_session_end",
      [
        "mode": .string(session.mode), "voiceChannelId": .string(session.voiceChannel.id),
        "durationSeconds": .int(Int((now - session.startedMs) / 1000)),
        "requestedByUserId": isRequested ? .string(session.requester.id) : .null,
      ])
    log(
      "memory_runtime", in: session.place, user: Cast.bot.id,
      content: "voice_session_summary_persisted",
      metadata: [
        "sessionId": .string(session.id), "source": "voice_session_end",
        "summaryChars": .int(180 + session.turns.count * 12),
      ])
    session.ended = true
    sessions.removeAll { $0 === session }
  }
}

extension VoiceSession {
  /// The prefix of provider events (contract Appendix A).
  var label: String { mode == "voice_agent" ? "xai" : "openai_realtime" }
}

/// Each server's use of voice.
struct VoiceRoom {
  var voice: String
  var text: String
  var mode: String
  var ownership: String
  var people: [Person]

  static func of(_ guild: Guild) -> VoiceRoom {
    switch guild.id {
    case Cast.bakery.id:
      VoiceRoom(
        voice: "Ovenside", text: "proofing", mode: "voice_agent", ownership: "provider_native",
        people: [Cast.rosalind, Cast.dov])
    case Cast.arcade.id:
      VoiceRoom(
        voice: "Soldering Den", text: "build-log", mode: "openai_realtime",
        ownership: "transport_only", people: [Cast.kofi, Cast.yusuf])
    default:
      VoiceRoom(
        voice: "Base Camp", text: "campfire", mode: "openai_realtime",
        ownership: "transport_only", people: [Cast.nadia, Cast.tomasz, Cast.jukebox])
    }
  }
}
