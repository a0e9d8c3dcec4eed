/// The troubles, in windows without everyday messages that would end them.
extension NightScript {
  func troubles() -> [Entry] {
    var entries: [Entry] = [
      (35, { script, _ in script.isSearchDown = true }),
      (44, { script, _ in script.isSearchDown = false }),
      (44.2, { $0.search(at: $1) }),
      (65, { script, _ in script.areEmbeddingsDown = true }),
      (75, { script, _ in script.areEmbeddingsDown = false }),
      // Between two everyday messages.
      (97.6, { $0.failingModels(at: $1) }),
      (168, { $0.browser(fails: false, at: $1) }),
      (61, { $0.automation(1, .replied, at: $1) }),
      (188.5, { $0.automation(nil, .failed, at: $1) }),
      (213.5, { $0.missAutomation(at: $1) }),
      (423.5, { $0.automation(1, .replied, at: $1) }),
      (503.5, { $0.automation(4, .skipped, at: $1) }),
      (233, { $0.loseGateway(at: $1) }),
      (258, { $0.loseTunnel(at: $1) }),
      (131, { $0.recognise(fails: false, at: $1) }),
      (148, { $0.speak(fails: false, at: $1) }),
    ]
    for minute in [36.5, 38.5, 40.5] { entries.append((minute, { $0.search(at: $1) })) }
    for minute in [67.6, 69.3, 73] {
      entries.append((minute, { script, ms in script.text(script.plan { .reply($0) }, at: ms) }))
    }
    for minute in [125.0, 126.5, 129.0] {
      entries.append((minute, { $0.recognise(fails: true, at: $1) }))
    }
    for minute in [141.0, 143.0, 145.5] {
      entries.append((minute, { $0.speak(fails: true, at: $1) }))
    }
    for minute in [156.0, 159.0, 163.0] {
      entries.append((minute, { $0.browser(fails: true, at: $1) }))
    }
    for minute in [702.5, 707.5, 712.5, 716.5] {
      entries.append((minute, { $0.rejectAtQueue(at: $1) }))
    }
    return entries
  }

  private func search(at ms: Int64) {
    var plan = plan { .reply($0) }
    plan.turn.tools = [.search(plan.turn.text, ["First page"], ms: 900)]
    text(plan, at: ms)
  }

  /// Four consecutive messages whose calls fail, then one that works.
  private func failingModels(at ms: Int64) {
    for index in 0..<4 {
      var plan = plan { .reply($0) }
      plan.fate = .modelFails(2)
      text(plan, at: ms + Int64(index) * 20_000)
    }
    text(plan { .reply($0) }, at: ms + 100_000)
  }

  private func recognise(fails: Bool, at ms: Int64) {
    let (place, user) = (Place(Cast.ridge, "campfire"), lines.person())
    let rows = write("recognition", at: ms) { world in
      world.log(
        fails ? "asr_error" : "asr_call", in: place, user: user.id,
        content: fails
          ? "500 The server had an error while processing your request" : "gpt-4o-mini-transcribe",
        metadata: [
          "provider": "openai", "model": "gpt-4o-mini-transcribe", "language": nil, "prompt": nil,
          "source": "voice_file_asr",
        ])
    }
    guard fails else { return isOver("recognition", at: ms, rows) }
    trouble("recognition", at: ms, rows, next: "Check the speech recognition provider.")
  }

  private func speak(fails: Bool, at ms: Int64) {
    let place = Place(Cast.ridge, "campfire")
    let rows = write("speech", at: ms) { world in
      let metadata: DemoJSON = [
        "provider": "openai", "model": "gpt-4o-mini-tts", "voice": "ash", "speed": 1,
        "responseFormat": "pcm",
      ]
      let more: DemoJSON =
        fails ? ["source": "voice_api_tts"] : ["textChars": 47, "source": "voice_api_tts"]
      world.log(
        fails ? "tts_error" : "tts_call", in: place, user: Cast.bot.id,
        content: fails
          ? "500 The server had an error while processing your request" : "gpt-4o-mini-tts",
        metadata: metadata.merging(more))
    }
    guard fails else { return isOver("speech", at: ms, rows) }
    trouble("speech", at: ms, rows, next: "Check the speech provider.")
  }

  private func browser(fails: Bool, at ms: Int64) {
    let (place, user) = (Place(Cast.ridge, "bot-corner"), lines.person())
    let key = "reply:browser:\(place.guild ?? ""):\(place.channel ?? ""):\(ms)"
    let head: DemoJSON = [
      "sessionKey": .string(key), "runtime": "local_browser_agent", "provider": "anthropic",
      "model": "claude-sonnet-4-6", "currentUrl": "https://huts.example.org/booking",
    ]
    let tail: DemoJSON =
      fails
      ? [
        "steps": 2, "totalCostUsd": 0.0192, "source": "reply_browser_browse",
        "durationMs": 31_200, "errorName": "TimeoutError",
        "errorMessage": "page.goto: Timeout 30000ms exceeded.", "errorCode": nil,
      ]
      : [
        "steps": 2, "hitStepLimit": false, "imageInputCount": 0, "totalCostUsd": 0.0192,
        "source": "reply_browser_browse", "durationMs": 4800,
      ]
    let rows = write("browser", at: ms) { world in
      world.log(
        fails ? "browser_browse_failed" : "browser_browse_call", in: place, user: user.id,
        content: "check whether the hut booking page is up", metadata: head.merging(tail),
        cost: fails ? nil : 0.0192)
    }
    guard fails else { return isOver("browser", at: ms, rows) }
    trouble("browser", at: ms, rows, next: "Look whether the browser on the bot's host starts.")
  }

  // MARK: Automations

  /// - Parameters:
  ///   - id: which one; nil makes one that fails and is paused.
  ///   - outcome: `.replied` posts.
  private func automation(_ id: Int64?, _ outcome: TruthExchange.Outcome, at ms: Int64) {
    world.now = ms
    let id = id ?? world.store.automations.add(nightCheck(at: ms))
    guard let row = world.store.automations[id] else { return }
    let place = Place(guild: row.guild, channel: row.channel)
    let posts = outcome == .replied
    let fails = outcome == .failed
    let summary = posts ? "for the night: \(lines.aside())" : fails ? nil : "model skipped this run"
    var exchange = TruthExchange(
      medium: .automation, outcome: posts ? .posted : outcome,
      reason: fails ? "LLM timed out" : nil,
      place: place, words: row.instruction, answer: posts ? summary : nil, atMs: ms)
    let message = posts ? world.snowflake() : nil
    let next = fails ? nil : endMs + 6 * 60 * Self.minute
    let result: DemoJSON = [
      "automationId": .int(Int(id)), "runStatus": fails ? "error" : posts ? "ok" : "skipped",
      "statusAfterRun": fails ? "paused" : "active", "nextRunAt": .time(next),
      "replyPrompts": world.prose.bundle(system: system, user: row.instruction),
    ]
    if !fails {
      write("call", at: ms + 2000, to: &exchange) { [system] world in
        world.logModelCall(
          in: place, user: Cast.bot.id, model: .haiku, source: "automation_cycle", event: nil,
          message: nil, session: nil, system: system, prompt: row.instruction,
          reply: posts ? summary ?? "" : "[SKIP]", tools: [], streaming: false)
      }
      exchange.model = World.Model.haiku.label
    }
    if posts {
      write("outcome", at: ms + 2200, to: &exchange) { world in
        world.log(
          "automation_post", in: place, message: message, user: Cast.bot.id,
          content: .text(summary),
          metadata: [
            "automationId": .int(Int(id)), "media": nil,
            "llm": ["provider": "anthropic", "model": "claude-haiku-4-5"],
          ])
      }
    }
    let last = exchange.rows.count
    write("run", at: ms + 2300, to: &exchange) { world in
      world.log(
        fails ? "automation_error" : "automation_run", in: place, message: message,
        user: Cast.bot.id,
        content: .string("automation #\(id): \(summary ?? "LLM timed out")"), metadata: result)
    }
    world.store.automations.addRun(
      .init(
        automation: id, startedMs: ms, finishedMs: ms + 2300,
        status: fails ? "error" : posts ? "ok" : "skipped", summary: summary,
        error: fails ? "LLM timed out" : nil, message: message,
        metadata: #"{"source":"automation_cycle"}"#),
      status: fails ? "paused" : "active", nextRunMs: next)
    exchange.endedMs = ms + 2300
    truth.exchanges.append(exchange)
    guard fails else { return }
    trouble(
      "automation_failed", at: ms + 2300, Array(exchange.rows[last...]),
      next: "Look into automation #\(id) and resume it: it is paused.")
  }

  private func nightCheck(at ms: Int64) -> AutomationRow {
    AutomationRow(
      id: 0, createdMs: ms - DemoTime.day, updatedMs: ms - DemoTime.day, guild: Cast.arcade.id,
      channel: Cast.arcade.text("general").id, creator: Cast.kofi.id, creatorName: Cast.kofi.name,
      title: "night check-in", instruction: "Ask who is still at the bench.",
      schedule: #"{"kind":"daily","hour":1,"minute":0}"#, nextRunMs: ms, status: "active")
  }

  /// One is due and nothing happens: its time stays in the past, and no row says so.
  private func missAutomation(at ms: Int64) {
    let id: Int64 = 2
    guard let row = world.store.automations[id] else { return }
    world.store.automations.set(id: id, status: "active", nextRunMs: ms, now: row.updatedMs)
    truth.exchanges.append(
      TruthExchange(
        medium: .automation, outcome: .missed,
        place: Place(guild: row.guild, channel: row.channel), words: row.instruction, atMs: ms))
    trouble(
      "automation_missed", at: ms, [],
      next: "Restart the bot: automation #\(id) was due and did not run.")
  }

  // MARK: The bot as a whole

  private func loseGateway(at ms: Int64) {
    var rows = write("gateway", at: ms) {
      $0.log("bot_error", user: Cast.bot.id, content: "gateway_error: read ECONNRESET")
    }
    for attempt in 1...3 {
      rows += write("gateway", at: ms + Int64(attempt) * 45_000) { world in
        world.log(
          "bot_error", content: "gateway_reconnect_failed: socket hang up",
          metadata: ["attempt": .int(attempt), "nextRetryMs": 45_000])
      }
    }
    trouble("gateway", at: ms, rows, next: "It reconnects by itself; else see the bot's log.")
    let end = write("gateway", at: ms + 200_000) { world in
      world.log(
        "bot_lifecycle", user: Cast.bot.id, content: "bot_logged_in",
        metadata: ["tag": .string(world.tag)])
    }
    isOver("gateway", at: ms + 200_000, end)
  }

  private func loseTunnel(at ms: Int64) {
    var rows = write("tunnel", at: ms) { $0.setTunnel("error") }
    rows += write("tunnel", at: ms + 15_000) { $0.setTunnel("starting") }
    trouble("tunnel", at: ms, rows, next: "See the bot's log; restart the bot.")
    isOver("tunnel", at: ms + 220_000, write("tunnel", at: ms + 220_000) { $0.setTunnel("ready") })
  }

  /// The queue of replies is full and stays so beyond the end of the night.
  private func rejectAtQueue(at ms: Int64) {
    var plan = plan { .reply($0) }
    let reason = lines.next("rejection", of: NightLines.rejections)
    plan.fate = .rejected(reason)
    let exchange = text(plan, at: ms)
    trouble(
      "queue", at: ms, exchange.rows, next: "See which channel has the replies that are waiting.")
  }
}
