/// The timetable, in minutes from the beginning.
extension NightScript {
  /// A scheduled event.
  typealias Entry = (minute: Double, run: (NightScript, Int64) -> Void)

  func play() {
    var plan = background() + troubles() + events()
    plan += sessions()
    for entry in plan.sorted(by: { $0.minute < $1.minute }) {
      entry.run(self, startMs + Int64(entry.minute * Double(Self.minute)))
    }
    world.lastBotMessageMs = truth.exchanges.last { $0.outcome == .replied }?.endedMs
    world.pendingReplies = 5
  }

  // MARK: Everyday life

  /// A message every five minutes or so.
  private func background() -> [Entry] {
    var entries: [Entry] = []
    var order: [Int] = []
    for slot in 0..<142 {
      if order.isEmpty { order = Array(0..<14).shuffled(using: &random) }
      let kind = order.removeFirst()
      let minute = Double(slot) * 5 + 1 + random.unit()
      entries.append((minute, { $0.everyday(kind, at: $1) }))
    }
    return entries
  }

  private func everyday(_ kind: Int, at ms: Int64) {
    // From the change of the prompt on it stays out of more.
    let isShy = promptVersion > 1 && (kind == 0 || kind == 1 || kind == 2)
    switch isShy ? 8 : kind {
    case 0...3: text(plan { .reply($0) }, at: ms)
    case 4: text(plan { .message($0) }, at: ms)
    case 5:
      var plan = plan { .reply($0) }
      plan.turn.tools = [.search("\(plan.turn.text) site", ["First page", "Second page"], ms: 700)]
      text(plan, at: ms)
    case 6:
      var plan = plan { .reply($0) }
      plan.turn.tools = [.recall("what was said about it", count: 3)]
      text(plan, at: ms)
    case 7:
      var plan = plan { .reply($0) }
      let fact = "Keeps count of \(lines.aside())."
      plan.fact = fact
      plan.turn.tools = [.remember(fact, "preference", evidence: plan.turn.text)]
      text(plan, at: ms)
    case 8, 9:
      let reason = lines.next("skip", of: NightLines.skips)
      text(plan({ _ in .skip(reason) }, isDirect: kind == 9), at: ms)
    case 10:
      let emoji = random.pick(["🔥", "👍", "🫡", "🥖"])
      text(plan({ _ in .react(emoji) }, isDirect: random.chance(0.5)), at: ms)
    case 11, 12:
      var plan = plan({ .reply($0) }, isDirect: false)
      plan.fate = .refused(lines.next("refusal", of: NightLines.refusals))
      text(plan, at: ms)
    default:
      var plan = plan { .reply($0) }
      plan.fate = .gated(lines.next("gate", of: NightLines.gates))
      text(plan, at: ms)
    }
  }

  // MARK: Single events

  private func events() -> [Entry] {
    let spare = random.unit()
    return [
      (280 + spare, { $0.single(.modelFailsOnce, at: $1) }),
      (300, { $0.changePrompt(at: $1) }),
      (333.5, { $0.spike(at: $1) }),
      (343.5, { $0.single(.unsent(error: nil), at: $1) }),
      (363.5, { $0.loseMessage(at: $1) }),
      (383.5, { $0.forget(at: $1) }),
      (398.5, { $0.initiative(posts: true, at: $1) }),
      (413.5, { $0.initiative(posts: false, at: $1) }),
      (480, { $0.changeModel(at: $1) }),
      (
        523.5,
        { $0.single(.unsent(error: "discord_send_failed: Missing Permissions"), at: $1) }
      ),
      (543.5, { $0.loseMessage(at: $1) }),
      (593.5, { $0.spike(at: $1) }),
      (608.5, { $0.initiative(posts: true, at: $1) }),
      (613.5 + spare, { $0.single(.modelFailsOnce, at: $1) }),
    ]
  }

  private func single(_ fate: TextFate, at ms: Int64) {
    var plan = plan { .reply($0) }
    plan.fate = fate
    text(plan, at: ms)
  }

  private func changePrompt(at ms: Int64) {
    promptVersion = 2
    truth.changes.append(
      TruthChange(
        kind: "prompt", atMs: ms, from: "1", to: "2",
        effect: "more skips: two sentences say to stay out of talk between people"))
  }

  private func changeModel(at ms: Int64) {
    let before = model
    model = .sonnet
    truth.changes.append(
      TruthChange(
        kind: "model", atMs: ms, from: before.label, to: model.label,
        effect: "faster and cheaper replies"))
  }

  /// An answer with 150,000 tokens besides its prompts.
  private func spike(at ms: Int64) {
    var plan = plan { .reply($0) }
    plan.moreInput = 150_000
    let exchange = text(plan, at: ms)
    truth.spikes.append(
      TruthSpike(
        atMs: ms, cost: exchange.cost, trigger: exchange.trigger ?? "",
        why: "150,000 tokens of input besides the prompts", rows: exchange.rows))
  }

  /// A message that the bot never saw: there is no row for it.
  private func loseMessage(at ms: Int64) {
    let plan = plan { .reply($0) }
    world.now = ms
    truth.exchanges.append(
      TruthExchange(
        medium: .text, outcome: .noRow, trigger: world.snowflake(), place: plan.turn.place,
        author: plan.turn.speaker, words: plan.turn.text, atMs: ms, isAddressed: true))
  }

  /// Deletes all facts about one person, as the dashboard does.
  private func forget(at ms: Int64) {
    let known = Cast.people.filter { person in
      !world.store.facts.about(person.id).isEmpty
    }
    guard !known.isEmpty else { return }
    let person = random.pick(known)
    let ids = world.store.facts.about(person.id)
    for id in ids { _ = world.store.facts.delete(id: id) }
    truth.forgotten.append(TruthForgotten(person: person, atMs: ms, facts: ids.sorted()))
  }

  private func initiative(posts: Bool, at ms: Int64) {
    let place = Place(Cast.arcade, "general")
    let text = "found something about \(lines.aside())"
    let reason = posts ? "fits the maker crowd" : "room is mid-conversation, nothing to add"
    let (prompt, system, model) = ("anything worth sharing? \(text)", system, model)
    var exchange = TruthExchange(
      medium: .initiative, outcome: posts ? .posted : .dropped, reason: reason, place: place,
      answer: posts ? text : nil, atMs: ms)
    exchange.model = model.label
    exchange.promptVersion = promptVersion
    write("discovery", at: ms, to: &exchange, isLinked: false) { world in
      world.log(
        "discovery_feed_snapshot", in: place, user: Cast.bot.id, content: "candidates=6",
        metadata: ["sourceCounts": [["sourceLabel": "r/soldering", "count": 6]]])
    }
    var used: (usage: World.Usage, cost: Double)?
    write("call", at: ms + 2600, to: &exchange) { world in
      used = world.logModelCall(
        in: place, user: Cast.bot.id, model: model, source: "initiative_cycle", event: nil,
        message: nil, session: nil, system: system, prompt: prompt, reply: text, tools: [])
    }
    let bundle = world.prose.bundle(system: system, user: prompt)
    let cost = used
    write("outcome", at: ms + 2700, to: &exchange) { world in
      guard posts else {
        world.log(
          "initiative_skip", in: Place(guild: place.guild, channel: nil), user: Cast.bot.id,
          content: .string(reason),
          metadata: ["parseState": "json", "reason": .string(reason), "replyPrompts": bundle])
        return
      }
      world.log(
        "initiative_post", in: place, message: world.snowflake(), user: Cast.bot.id,
        content: .string(text),
        metadata: [
          "reason": .string(reason), "pendingThoughtId": nil, "pendingThoughtRevision": nil,
          "mediaDirective": "none", "sourceLabels": ["r/soldering"], "urls": [],
          "replyPrompts": bundle,
          "llm": [
            "provider": .string(model.provider), "model": .string(model.name),
            "usage": cost?.usage.json ?? .null, "costUsd": .double(cost?.cost ?? 0),
            "toolLoopSteps": 0, "totalToolCalls": 0,
          ],
          "channelSummary": ["channelId": .text(place.channel), "channelName": "general"],
          "discoveryCandidateCount": 6,
        ])
    }
    exchange.endedMs = ms + 2700
    truth.exchanges.append(exchange)
  }

  // MARK: Voice

  private func sessions() -> [Entry] {
    [
      (418, { $0.evening(in: Cast.ridge, turns: 46, end: "nl_leave", at: $1) }),
      (558, { $0.evening(in: Cast.arcade, turns: 30, end: "realtime_socket_closed", at: $1) }),
    ]
  }

  private func evening(in guild: Guild, turns: Int, end: String, at ms: Int64) {
    var session: VoiceSession?
    var rows = write("start", at: ms) { session = $0.startSession(in: guild) }
    guard let session else { return }
    var at = ms + 6000
    for index in 0..<turns {
      at = voice(session, fate(index, in: guild), at: at) + Int64(random.int(6000...20_000))
      if index % 11 == 4 {
        at = thought(session, isSpoken: index % 2 == 0, at: at) + 5000
      }
    }
    rows += write("end", at: at) { $0.end(session, reason: end) }
    truth.sessions.append(
      TruthSession(
        id: session.id, place: session.place, startMs: ms, endMs: at, reason: end, rows: rows))
  }

  private func fate(_ index: Int, in guild: Guild) -> VoiceFate {
    switch index % 10 {
    case 1: return .denied(lines.next("denial", of: NightLines.denials))
    case 2: return .unheard(lines.next("unheard", of: NightLines.unheard))
    case 3: return .denied(lines.next("denial", of: NightLines.denials))
    case 4:
      // Three calls in a row fail, then the tool server is back.
      let isDown = guild == Cast.ridge && (14...34).contains(index)
      let error = isDown ? "Unable to connect." : nil
      return .spoken(tool: .route(error: error))
    case 5: return .unheard(lines.next("unheard", of: NightLines.unheard))
    case 6: return index % 20 == 6 ? .skipped("model_skip") : .superseded
    case 7:
      return index % 20 == 7
        ? .mute : .failed(index % 40 == 17 ? "fetch_failed" : "watchdog_timeout")
    case 8: return .spoken(tool: .search("wind tonight", ["Forecast", "Webcam"], ms: 620))
    default: return .spoken(tool: nil)
    }
  }
}

extension Tool {
  /// A tool of the MCP server `trail-notes`.
  fileprivate static func route(error: String?) -> Tool {
    Tool(
      name: "list_routes", ms: error == nil ? 240 : 1500, input: ["near": "north ridge"],
      output: ["ok": .bool(error == nil), "count": 3, "error": .text(error)], error: error,
      type: "mcp", effect: .mcp(server: "trail-notes", error: error))
  }
}
