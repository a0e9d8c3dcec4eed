/// A full channel in which no user speaks to the bot: one live voice session whose state is as
/// large as real ones get (about 100 KB: prompts, facts of twelve people, an hour of conversation),
/// sent again every 3 s with only its ages changed.
extension World {
  /// Sets the room up; not one row is written afterwards.
  func planParked() {
    planStartup()
    let session = parkedSession()
    sessions.append(session)
    breathe(session)
  }

  /// Occasional noise: it keeps the session from its idle deadline and writes no row.
  private func breathe(_ session: VoiceSession) {
    session.lastActivityMs = now
    after(90_000) { $0.breathe(session) }
  }

  /// The whole cast, and four who only listen: twelve.
  private static let parkedPeople: [Person] =
    Cast.people + [
      Person(id: "318804419020390401", name: "Mirela"),
      Person(id: "640117720965120002", name: "aiko 🍙"),
      Person(id: "229940188115009536", name: "Benedikt Rø"),
      Person(id: "977013382200524801", name: "osk4r"),
    ]

  private func parkedSession() -> VoiceSession {
    let guild = Cast.ridge
    let room = VoiceRoom.of(guild)
    let people = Self.parkedPeople
    let start = now - 52 * 60_000
    let session = VoiceSession(
      id: random.uuid(), guild: guild, voice: guild.voice(room.voice), text: guild.text(room.text),
      mode: room.mode, ownership: room.ownership, dialect: dialect, requester: people[0],
      participants: people, now: start, providerSession: "sess_" + random.token(9))
    session.maxMinutes = 1440
    loadFacts(session)
    session.peopleFacts = people.map { ($0, parkedFacts(of: $0, in: guild)) }
    session.membership = people.suffix(6).enumerated().map { index, person in
      .init(person: person, joined: true, ms: start + Int64(index + 1) * 240_000)
    }
    let silence = now - 95_000
    fillTurns(session, until: silence)
    fillMachinery(session, until: silence)
    fillPrompts(session, at: silence)
    return session
  }

  private func parkedFacts(of person: Person, in guild: Guild) -> [FactRow] {
    let about = [
      "is happiest when the plan fits on the back of an envelope and says so often",
      "reads the weather aloud before anybody asked and is usually right about the wind",
      "would rather walk an hour longer than cross the lower stream after rain",
      "keeps a list of everything that was forgotten and reads it out at the next start",
    ]
    return about.enumerated().map { index, text in
      FactRow(
        id: Int64(4000 + index), createdMs: startMs - Int64(index + 2) * DemoTime.day,
        updatedMs: startMs - Int64(index + 1) * DemoTime.day, scope: "user", guild: guild.id,
        channel: guild.text("campfire").id, user: person.id, subject: person.id,
        fact: "\(person.name) \(text).", factType: ["preference", "behavioral"][index % 2],
        evidence: "said so at the campfire", sourceMessage: snowflake(), confidence: 0.84)
    }
  }

  private func fillTurns(_ session: VoiceSession, until end: Int64) {
    let lines = Script.voice(session.guild)
    let people = session.participants
    for index in 0..<48 {
      let line = lines[index % lines.count]
      let at = end - Int64(48 - index) * 21_000
      let speaker = people[index % people.count]
      session.addTurn(
        role: "user", speaker: speaker.name, text: line.text, now: at,
        addressing: [
          "talkingTo": .string(line.target), "directedConfidence": 0.87, "source": "generation",
          "reason": nil,
        ])
      guard let reply = line.reply else { continue }
      session.addTurn(role: "assistant", speaker: Cast.bot.name, text: reply, now: at + 4000)
    }
    session.lastReplyMs = end
    session.lastAddressMs = end - 4000
    session.lastAddressUser = people[3].id
    session.guesses = people.prefix(6).map {
      .init(speaker: $0.name, talkingTo: "ME", confidence: 0.81, ms: end - 9000)
    }
    session.notes = (0..<20).map { index in
      .init(
        text: "\(people[index % people.count].name) wants to be asked before the route changes.",
        category: ["plan", "preference", "fact"][index % 3], ms: end - Int64(index) * 60_000)
    }
  }

  private func fillMachinery(_ session: VoiceSession, until end: Int64) {
    session.recognisers = session.participants.enumerated().map { index, person in
      .init(
        person: person, connectedMs: session.startedMs + Int64(index) * 700,
        lastAudioMs: end - Int64(index) * 6100, lastTranscriptMs: end - Int64(index) * 6000,
        finals: 3 + index, bytesSent: 190_000 + index * 4800,
        providerSession: "sess_" + random.token(9))
    }
    session.toolCalls = (0..<16).map { index in
      let at = end - Int64(16 - index) * 90_000
      return .init(
        id: "toolu_01" + random.token(9), name: index % 2 == 0 ? "web_search" : "memory_search",
        arguments: ["query": "wind on the north ridge tomorrow morning", "max_results": 3],
        startedMs: at, completedMs: at + 840, runtimeMs: 840, success: true,
        output: ["ok": true, "summary": "Three forecasts agree: light wind until noon."])
    }
    session.latencies = (0..<10).map { index in
      .init(
        ms: end - Int64(10 - index) * 40_000, stages: [40 + index, 21, 900 + index * 30, 140],
        queueWait: 4, depth: 0)
    }
    session.servers = [
      .init(
        name: "trail-notes",
        tools: [
          ("list_routes", "List saved routes"), ("next_event", "The next calendar entry"),
        ], lastConnectedMs: session.startedMs)
    ]
    session.lastEventMs = end
  }

  /// Prompts as large as they become with a long conversation and many facts in them.
  private func fillPrompts(_ session: VoiceSession, at ms: Int64) {
    let known = session.peopleFacts.flatMap(\.facts).map(\.fact)
    let lines = session.turns.map { ChatLine(guild: "", speaker: $0.speaker, text: $0.text) }
    let memory = "\n=== WHO IS HERE ===\n\n" + known.map { "- \($0)\n" }.joined()
    let system = prose.voiceSystem + memory
    let last = session.turns.last
    let user =
      prose.voicePrompt(
        transcript: last?.text ?? "", turns: session.turns.map { ($0.speaker, $0.text) })
      + prose.textPrompt(
        speaker: last?.speaker ?? "", text: last?.text ?? "", history: lines, facts: known)
    session.instructions = .init(
      ms: ms, source: "realtime_instruction_refresh",
      bundle: prose.bundle(system: prose.instructions + memory, user: "", withTools: false))
    session.classifier = .init(
      ms: ms, source: "realtime",
      bundle: prose.bundle(
        system: "Decide whether the newest line is for the bot. Answer YES or NO.",
        user: String(user.prefix(1500)), withTools: false))
    session.generation = .init(
      ms: ms, source: "realtime", bundle: prose.bundle(system: system, user: user))
    session.modelContext = [
      "source": "realtime", "capturedAt": .time(ms), "availableTurns": .int(session.turns.count),
      "sentTurns": 50, "maxTurns": 50, "contextChars": .int(user.utf16.count),
      "transcriptChars": 61, "directAddressed": true,
    ]
    let turn = Script.voice(session.guild)[0]
    session.generationContext = generationContext(session, turn)
  }
}
