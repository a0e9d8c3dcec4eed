/// The past: events before the start of the demo.
extension World {
  func seedFacts() {
    let day = DemoTime.day
    func add(
      _ age: Int64, _ scope: String, _ guild: Guild?, _ user: Person?, _ subject: String,
      _ text: String, _ type: String, _ evidence: String?, _ confidence: Double
    ) {
      // March knows guild facts only (contract 6.1).
      let march = !isMay
      if march, scope == "owner" { return }
      let home = guild ?? Cast.ridge
      let ms = startMs - age * day - Int64(random.int(0...40_000_000))
      let row = FactRow(
        id: 0, createdMs: ms, updatedMs: ms, scope: march ? "guild" : scope,
        guild: march || scope == "guild" ? home.id : nil, channel: home.channels[0].id,
        user: march || scope == "guild" ? nil : user?.id, subject: subject, fact: text,
        factType: type, evidence: evidence, sourceMessage: nil, confidence: confidence)
      store.facts.add(row)
    }
    for seed in SeedFacts.people {
      add(
        seed.age, "user", seed.guild, seed.person, seed.person.id, seed.text, seed.type,
        seed.evidence, seed.confidence)
    }
    for seed in SeedFacts.shared {
      add(
        seed.age, "guild", seed.guild, nil, seed.subject, seed.text, seed.type, seed.evidence,
        seed.confidence)
    }
    for seed in SeedFacts.owner {
      add(seed.age, "owner", nil, Cast.owner, "__owner__", seed.text, seed.type, nil, 0.9)
    }
  }

  func seedAutomations() {
    let day = DemoTime.day
    func add(
      _ title: String, _ instruction: String, _ schedule: DemoJSON, _ guild: Guild,
      _ channel: String, _ person: Person, _ status: String, runs: [(String, String?, String?)]
    ) {
      let next: Int64? = status == "active" ? startMs + Int64(random.int(1...20)) * 1_800_000 : nil
      let row = AutomationRow(
        id: 0, createdMs: startMs - 12 * day, updatedMs: startMs - Int64(random.int(1...9)) * day,
        guild: guild.id, channel: guild.text(channel).id, creator: person.id,
        creatorName: person.name, title: title, instruction: instruction,
        schedule: schedule.text, nextRunMs: next, status: status)
      let id = store.automations.add(row)
      for (index, run) in runs.enumerated() {
        let ms = startMs - Int64(runs.count - index) * day
        let failed = run.2 != nil
        store.automations.addRun(
          .init(
            automation: id, startedMs: ms, finishedMs: ms + 4200, status: run.0,
            summary: run.1, error: run.2, message: failed ? nil : "13\(ms)01",
            metadata: #"{"source":"automation_cycle"}"#),
          status: status, nextRunMs: next)
      }
    }
    add(
      "morning weather", "Post the ridge forecast in one line, with one joke at most.",
      ["kind": "daily", "hour": 7, "minute": 30], Cast.ridge, "campfire", Cast.nadia, "active",
      runs: [
        ("ok", "dry, 4 °C, the wind is only pretending", nil),
        ("ok", "fog until ten, then views you didn't pay for", nil),
        ("skipped", "model skipped this run", nil),
        ("ok", "rain. bring the other jacket", nil),
      ])
    add(
      "friday bake-along", "Remind everyone to feed their starter.",
      ["kind": "daily", "hour": 18, "minute": 0], Cast.bakery, "proofing", Cast.rosalind,
      "active", runs: [("ok", "feed your jars, they are judging you", nil)])
    add(
      "stretch reminder", "Tell the bench to stretch and drink water.",
      ["kind": "interval", "everyMinutes": 90], Cast.arcade, "build-log", Cast.kofi, "paused",
      runs: [("ok", "shoulders down, water in", nil), ("error", nil, "LLM timed out")])
    add(
      "hut booking deadline", "Remind trip-plans to confirm the hut.",
      ["kind": "once", "atIso": .time(startMs + 2 * day)], Cast.ridge, "trip-plans", Cast.wren,
      "active", runs: [])
    add(
      "old standup", "Post a standup thread.", ["kind": "daily", "hour": 9, "minute": 0],
      Cast.arcade, "general", Cast.yusuf, "deleted", runs: [])
  }

  /// Rows of the last 14 days, oldest first.
  func seedHistory() {
    let count = options.history
    guard count > 0 else { return }
    let liveNow = now
    // Denser towards the present, like a server people come back to every evening.
    let span = Double(13 * DemoTime.day)
    let times = (0..<count).map { index -> Int64 in
      let share = 1 - Double(index) / Double(count)
      return startMs - 60_000 - Int64(span * share * share)
    }
    var rows: [ActionRow] = []
    var sessionID = random.uuid()
    for (index, ms) in times.enumerated() {
      now = ms
      let step = index % 40
      if step == 4 { sessionID = random.uuid() }
      if let action = pastAction(step, index: index, session: sessionID) { rows.append(action.row) }
    }
    seedPastSessions(into: &rows)
    now = liveNow
    rows.sort { $0.createdMs < $1.createdMs }
    stats = StatsTotals()
    for row in rows {
      let timings = row.kind.hasPrefix("sent_") || row.kind == "reply_skipped"
      let performance =
        timings ? row.metadata.flatMap { try? DemoJSON.parse($0.utf8)["performance"] } : nil
      stats.add(
        kind: row.kind, ms: row.createdMs, cost: row.cost,
        timings: performance.flatMap(StatsTotals.timings))
    }
    save(rows)
    lastBotMessageMs = rows.last { $0.kind == "sent_reply" }?.createdMs
  }

  private func pastAction(_ step: Int, index: Int, session: String) -> Action? {
    let turn = Script.text[index % Script.text.count]
    switch step % 8 {
    case 0, 4: return pastModelCall(turn)
    case 1, 5: return pastReply(turn)
    case 2:
      return makeAction(
        "search_call", in: turn.place, message: nil, user: turn.speaker.id,
        content: "hut opening hours",
        metadata: [
          "query": "hut opening hours", "source": "message_event", "maxResults": 5,
          "returnedResults": 4, "pageReadsRequested": 2, "pageReadsSucceeded": 1,
          "providerUsed": "brave", "fallbackUsed": false,
          "latencyMs": .int(random.int(400...2600)),
        ], cost: nil)
    case 3:
      return makeAction(
        "memory_embedding_call", in: turn.place, message: nil, user: turn.speaker.id,
        content: "text-embedding-3-small",
        metadata: [
          "provider": "openai", "model": "text-embedding-3-small", "inputChars": 64,
          "vectorDims": 1536, "usage": ["inputTokens": 14, "outputTokens": 0],
          "traceSource": "memory_search", "traceEvent": nil, "traceReason": nil,
          "traceMessageId": .string(snowflake()),
        ], cost: 2.8e-7)
    default:
      return makeAction(
        "text_runtime", in: turn.place, message: snowflake(), user: turn.speaker.id,
        content: "reply_admission_decision",
        metadata: [
          "botId": .string(Cast.bot.id), "deployment": nil, "triggerMessageId": nil,
          "sessionId": nil, "turnId": nil, "source": "message_event", "stage": "admission",
          "allow": true, "reason": "hard_address", "isReplyChannel": true,
          "attentionMode": "ACTIVE",
        ], cost: nil)
    }
  }

  private func pastModelCall(_ turn: TextTurn) -> Action? {
    let usage = usage(system: 9000, user: random.int(1200...9000), reply: 240)
    return makeAction(
      "llm_call", in: turn.place, message: nil, user: turn.speaker.id,
      content: .string(Model.opus.label),
      metadata: [
        "provider": "claude-oauth", "model": "claude-opus-4-6", "usage": usage.json,
        "inputImages": 0, "toolCallCount": 0, "toolNames": nil, "stopReason": "end_turn",
        "responseChars": 120, "responseShape": "raw=array[1] items=text:1",
        "rawContentSummary": nil, "responseDiagnostics": nil,
        "transcript": .string(turn.replyText), "transcriptSource": "output",
        "source": "message_event", "event": "reply_pipeline:message_create", "reason": nil,
        "messageId": .string(snowflake()), "sessionId": nil, "streaming": true,
        "systemPrompt": .string(prose.browserSystem),
        "userPrompt": .string("\(turn.speaker.name): \(turn.text)"), "contextMessageCount": 0,
      ], cost: usage.cost(.opus) * Double(random.int(2...14)))
  }

  private func pastReply(_ turn: TextTurn) -> Action? {
    let total = random.int(1800...8200)
    let llm = random.int(700...2900)
    let isReply: Bool
    let text: String
    switch turn.outcome {
    case .reply(let reply): (isReply, text) = (true, reply)
    case .message(let reply): (isReply, text) = (false, reply)
    default: return pastModelCall(turn)
    }
    let kind = isReply ? "sent_reply" : "sent_message"
    return makeAction(
      kind, in: turn.place, message: snowflake(), user: Cast.bot.id, content: .string(text),
      metadata: [
        "triggerMessageId": .string(snowflake()), "source": "message_event",
        "replyPrompts": nil, "sendAsReply": .bool(isReply),
        "performance": [
          "version": 1, "source": "message_event", "actionKind": .string(kind),
          "totalMs": .int(total), "queueMs": .int(random.int(1...40)),
          "processingMs": .int(total - 20), "ingestMs": .int(random.int(4...40)),
          "memorySliceMs": .int(random.int(40...320)), "llm1Ms": .int(llm),
          "followupMs": .int(max(0, total - llm - 1400)),
          "typingDelayMs": .int(random.int(300...1100)), "sendMs": .int(random.int(80...260)),
        ],
      ], cost: nil)
  }
}
