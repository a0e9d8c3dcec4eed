extension World {
  /// One stop, then the next after a while.
  func tour() {
    let stops = Tour.stops
    let length = stops.count + Tour.sceneCount
    let index = cursors.tourCursor % length
    cursors.tourRound = cursors.tourCursor / length
    cursors.tourCursor += 1
    if index < stops.count {
      show(stops[index])
    } else {
      scene(index - stops.count)
    }
    after(pace(random.int(7000...12_000))) { $0.tour() }
  }

  private func show(_ stop: TourStop) {
    let stop = isMay ? stop : Tour.march[stop.kind] ?? stop
    log(
      stop.kind, in: stop.place, message: stop.hasMessage ? snowflake() : nil,
      user: stop.user?.id, content: stop.content, metadata: stop.metadata, cost: stop.cost,
      extra: stop.extra)
  }

  private func scene(_ index: Int) {
    switch index {
    case 0: browserRun(fails: false)
    case 1: browserRun(fails: true)
    case 2: automationRun(fails: false)
    case 3: automationRun(fails: true)
    case 4: initiative()
    // Discord asks every client to reconnect now and then, which takes a moment.
    case 5: reconnectGateway(afterMs: pace(4000))
    case 6: minecraft()
    case 7: swarm()
    case 8: createAutomation()
    case 9: toggleAutomation()
    default: reflection()
    }
  }

  // MARK: Scenes

  /// An automation runs; a failure pauses it (contract 7.4).
  func automationRun(fails: Bool) {
    let guild = fails ? Cast.arcade : Cast.ridge
    let all = store.automations.list(
      guild: guild.id, statuses: ["active", "paused"], limit: 9)
    guard let row = all.last else { return }
    run(
      row, fails: fails, next: fails ? nil : now + 86_400_000,
      text: "ridge at seven: 6 °C, dry, a cloud shaped like a boot")
  }

  /// One that somebody made runs when it is due, again and again.
  private func runWhenDue(_ id: Int64, everyMs ms: Int64) {
    after(Int(ms)) { world in
      guard let row = world.store.automations[id], row.status == "active" else { return }
      world.run(row, fails: false, next: world.now + ms, text: "Fold the dough, it is time.")
      world.runWhenDue(id, everyMs: ms)
    }
  }

  private func run(_ row: AutomationRow, fails: Bool, next: Int64?, text: String) {
    let place = Place(guild: row.guild, channel: row.channel)
    let message = snowflake()
    let bundle = prose.bundle(system: prose.textSystem, user: row.instruction)
    let started = now
    store.automations.addRun(
      .init(
        automation: row.id, startedMs: started, finishedMs: started + 900,
        status: fails ? "error" : "ok", summary: fails ? nil : text,
        error: fails ? "LLM timed out" : nil, message: fails ? nil : message,
        metadata: #"{"source":"automation_cycle"}"#),
      status: fails ? "paused" : "active", nextRunMs: next)
    let result: DemoJSON = [
      "automationId": .int(Int(row.id)), "runStatus": fails ? "error" : "ok",
      "statusAfterRun": fails ? "paused" : "active", "nextRunAt": .time(next),
      "replyPrompts": bundle,
    ]
    guard !fails else {
      log(
        "automation_error", in: place, user: Cast.bot.id,
        content: .string("automation #\(row.id): LLM timed out"), metadata: result)
      return
    }
    let call = logModelCall(
      in: place, user: Cast.bot.id, model: .haiku, source: "automation_cycle", event: nil,
      message: nil, session: nil, system: prose.textSystem, prompt: row.instruction, reply: text,
      tools: [], streaming: false)
    log(
      "automation_post", in: place, message: message, user: Cast.bot.id, content: .string(text),
      metadata: [
        "automationId": .int(Int(row.id)), "media": nil, "replyPrompts": bundle,
        "llm": [
          "provider": "anthropic", "model": "claude-haiku-4-5", "usage": call.usage.json,
          "costUsd": .double(call.cost),
        ],
      ])
    log(
      "automation_run", in: place, message: message, user: Cast.bot.id,
      content: .string("automation #\(row.id): \(text)"), metadata: result)
  }

  /// A user asks for a reminder; only once, then it exists.
  func createAutomation() {
    let place = Place(Cast.bakery, "proofing")
    let guild = Cast.bakery.id
    let title = "fold the dough"
    let known = store.automations.list(guild: guild, statuses: ["active"], limit: 120)
    guard !known.contains(where: { $0.title == title }) else { return }
    let next = now + 1_800_000
    let schedule: DemoJSON = ["kind": "interval", "everyMinutes": 30]
    let row = AutomationRow(
      id: 0, createdMs: now, updatedMs: now, guild: guild, channel: place.channel ?? "",
      creator: Cast.dov.id, creatorName: Cast.dov.name, title: title,
      instruction: "Remind dov to fold the dough.", schedule: schedule.text, nextRunMs: next,
      status: "active")
    let id = store.automations.add(row)
    log(
      "automation_created", in: place, user: Cast.dov.id,
      content: .string("\(title): \(row.instruction)"),
      metadata: [
        "automationId": .int(Int(id)), "schedule": schedule, "nextRunAt": .time(next),
      ])
    runWhenDue(id, everyMs: 1_800_000)
  }

  /// The stretch reminder is switched off and on again.
  func toggleAutomation() {
    let guild = Cast.arcade.id
    let rows = store.automations.list(guild: guild, statuses: ["active", "paused"], limit: 9)
    guard let row = rows.first else { return }
    let pause = row.status == "active"
    store.automations.set(
      id: row.id, status: pause ? "paused" : "active", nextRunMs: pause ? nil : now + 5_400_000,
      now: now)
    log(
      "automation_updated", in: Tour.bench, user: Cast.kofi.id,
      content: .string("\(pause ? "pause" : "resume"): #\(row.id)"),
      metadata: [
        "operation": pause ? "pause" : "resume", "updatedIds": [.int(Int(row.id))],
        "targetQuery": .string(row.title),
      ])
  }

  /// The bot looks around and decides whether to say something on its own.
  func initiative() {
    let place = Place(Cast.arcade, "general")
    log(
      "discovery_feed_snapshot", in: place, user: Cast.bot.id, content: "candidates=6",
      metadata: [
        "sourceCounts": [
          ["sourceLabel": "Hacker News", "count": 4], ["sourceLabel": "r/soldering", "count": 2],
        ]
      ])
    let text = "someone built a synth out of a rice cooker: https://example.org/rice-cooker-synth"
    let prompt = prose.textPrompt(
      speaker: "initiative", text: "anything worth sharing?", history: conversation, facts: [])
    let bundle = prose.bundle(system: prose.textSystem, user: prompt)
    after(pace(2600)) { world in
      let call = world.logModelCall(
        in: place, user: Cast.bot.id, model: .opus, source: "initiative_cycle", event: nil,
        message: nil, session: nil, system: world.prose.textSystem, prompt: prompt, reply: text,
        tools: [])
      guard world.cursors.tourRound % 2 == 0 else {
        world.log(
          "initiative_skip", in: Place(guild: place.guild, channel: nil), user: Cast.bot.id,
          content: "room is mid-conversation, nothing to add",
          metadata: [
            "parseState": "json", "reason": "room is mid-conversation, nothing to add",
            "replyPrompts": bundle,
          ])
        return
      }
      world.log(
        "initiative_post", in: place, message: world.snowflake(), user: Cast.bot.id,
        content: .string(text),
        metadata: [
          "reason": "fits the maker crowd", "pendingThoughtId": nil,
          "pendingThoughtRevision": nil, "mediaDirective": "none",
          "sourceLabels": ["r/soldering"], "urls": ["https://example.org/rice-cooker-synth"],
          "replyPrompts": bundle,
          "llm": [
            "provider": "claude-oauth", "model": "claude-opus-4-6", "usage": call.usage.json,
            "costUsd": .double(call.cost), "toolLoopSteps": 0, "totalToolCalls": 0,
          ],
          "channelSummary": ["channelId": .text(place.channel), "channelName": "general"],
          "discoveryCandidateCount": 6,
        ])
    }
  }

  func reflection() {
    let run = "reflection_\(DemoTime.utcDay(now))_\(Cast.ridge.id)_\(now)"
    let head: DemoJSON = [
      "runId": .string(run), "dateKey": .string(DemoTime.utcDay(now)),
      "guildId": .string(Cast.ridge.id), "provider": "claude-oauth", "model": "claude-opus-4-6",
      "maxFacts": 20, "journalEntryCount": 184, "authorCount": 5,
    ]
    let place = Place(guild: Cast.ridge.id, channel: nil)
    let label = "reflection for \(DemoTime.utcDay(now)) guild:\(Cast.ridge.id)"
    log(
      "memory_reflection_start", in: place,
      content: .string("Reflecting on \(label.dropFirst(15)) via claude-oauth:claude-opus-4-6"),
      metadata: head)
    let fails = cursors.tourRound % 2 == 1
    after(pace(4000)) { world in
      if fails {
        world.log(
          "memory_reflection_error", in: place,
          content: .string("Failed \(label): model returned no JSON"), metadata: head)
      } else {
        world.log(
          "memory_reflection_complete", in: place, content: .string("Completed \(label)"),
          metadata: head.merging(Tour.reflectionResult), cost: 0.0413)
      }
    }
  }
}
