/// Messages in text channels.
extension NightScript {
  /// How far a message gets.
  enum TextFate {
    /// To the outcome of the turn.
    case whole
    /// Not let in, with the code of the wire.
    case refused(String)
    case gated(String)
    case rejected(String)
    /// The model answered; the answer is not sent.
    case unsent(error: String?)
    /// The model fails this many times, and no answer follows.
    case modelFails(Int)
    /// The model fails once, and the second call works.
    case modelFailsOnce
  }

  struct TextPlan {
    var turn: TextTurn
    var fate = TextFate.whole
    /// Tokens that go along besides the prompts.
    var moreInput = 0
    /// The fact to remember, where the turn writes one.
    var fact: String?
  }

  /// A turn of that outcome, with words of the night.
  func plan(_ outcome: (String) -> TextTurn.Outcome, isDirect: Bool = true) -> TextPlan {
    let ask = lines.ask()
    return TextPlan(
      turn: TextTurn(
        place: lines.place(), speaker: lines.person(),
        text: isDirect ? "clanky, " + ask.text : lines.aside(), outcome: outcome(ask.reply),
        direct: isDirect))
  }

  var system: String {
    guard promptVersion > 1 else { return world.prose.textSystem }
    return world.prose.textSystem + Self.addition
  }

  /// The text added in the second version of the prompt.
  static let addition =
    "\n=== TONIGHT ===\nStay out of talk between people unless somebody asks you. When in doubt, "
    + "say nothing.\n"

  /// Writes a whole text turn that begins at `ms`.
  @discardableResult
  func text(_ plan: TextPlan, at ms: Int64) -> TruthExchange {
    world.now = ms
    let turn = plan.turn
    let message = world.snowflake()
    var exchange = TruthExchange(
      medium: .text, outcome: .skipped, trigger: message, place: turn.place, author: turn.speaker,
      words: turn.text, atMs: ms, isAddressed: turn.direct)
    world.conversation.append(
      ChatLine(guild: turn.place.guild ?? "", speaker: turn.speaker.name, text: turn.text))
    if world.conversation.count > 200 { world.conversation.removeFirst(50) }
    let ended = walk(plan, message: message, &exchange)
    exchange.endedMs = ended
    truth.exchanges.append(exchange)
    return exchange
  }

  /// Proceeds as far as the plan says; returns the end time.
  private func walk(_ plan: TextPlan, message: String, _ exchange: inout TruthExchange) -> Int64 {
    let turn = plan.turn
    let start = exchange.atMs
    var progress = World.TextProgress(
      message: message, startMs: start, queueMs: random.int(2...30),
      ingestMs: random.int(4...30), memoryMs: random.int(40...220))
    progress.model = model
    progress.system = system
    if case .rejected(let reason) = plan.fate {
      write("queue", at: start, to: &exchange) { world in
        world.textRuntime(
          "reply_queue_gate_rejected", turn, message: message, stage: "queue", allow: false,
          reason: reason, ["queueDepth": 9, "attempts": 3, "forceRespond": false])
      }
      return end(&exchange, .queueRejected, reason, at: start)
    }
    let refusal: String? = if case .refused(let reason) = plan.fate { reason } else { nil }
    write("admission", at: start, to: &exchange) {
      $0.logAdmission(turn, message: message, addressing: turn.addressing, refusal: refusal)
    }
    if let refusal { return end(&exchange, .notAdmitted, refusal, at: start) }
    var at = start + Int64(progress.queueMs + progress.ingestMs)
    embed(plan, at: at, &exchange)
    at += Int64(progress.memoryMs)
    let gate: String? = if case .gated(let reason) = plan.fate { reason } else { nil }
    write("gate", at: at, to: &exchange) {
      $0.logGate(turn, message: message, addressing: turn.addressing, refusal: gate)
    }
    exchange.steps = [
      .init(name: "queueMs", ms: progress.queueMs), .init(name: "ingestMs", ms: progress.ingestMs),
      .init(name: "memorySliceMs", ms: progress.memoryMs),
    ]
    if let gate { return end(&exchange, .gateClosed, gate, at: at) }
    return answer(plan, progress, at: at, &exchange)
  }

  private func end(
    _ exchange: inout TruthExchange, _ outcome: TruthExchange.Outcome, _ reason: String?,
    at ms: Int64
  ) -> Int64 {
    exchange.outcome = outcome
    exchange.reason = reason
    return ms
  }

  /// The message is embedded; no row of it names the message.
  private func embed(_ plan: TextPlan, at ms: Int64, _ exchange: inout TruthExchange) {
    let turn = plan.turn
    let isDown = areEmbeddingsDown
    let first = exchange.rows.count
    write("embedding", at: ms, to: &exchange, isLinked: false) { world in
      guard isDown else {
        world.logEmbedding(
          in: turn.place, user: turn.speaker.id, chars: turn.text.utf16.count,
          source: "conversation_message_embed", message: nil)
        return
      }
      world.log(
        "memory_embedding_error", in: turn.place, user: turn.speaker.id,
        content: "[openai] 429 Rate limit reached",
        metadata: [
          "provider": "openai", "model": "text-embedding-3-small", "fallbackAttempt": false,
          "traceSource": "conversation_message_embed", "traceEvent": nil, "traceReason": nil,
          "traceMessageId": nil,
        ])
    }
    let rows = Array(exchange.rows[first...])
    if isDown {
      trouble(
        "embeddings", at: ms, rows, next: "Check the key and the quota of the embedding provider.")
    } else {
      isOver("embeddings", at: ms, rows)
    }
  }

  private func answer(
    _ plan: TextPlan, _ given: World.TextProgress, at start: Int64,
    _ exchange: inout TruthExchange
  ) -> Int64 {
    let turn = plan.turn
    var progress = given
    let facts = world.store.facts.list(guild: turn.place.guild ?? "", limit: 12)
    exchange.facts = facts.map(\.id)
    exchange.model = model.label
    exchange.promptVersion = promptVersion
    progress.prompt = world.prose.textPrompt(
      speaker: turn.speaker.name, text: turn.text,
      history: world.conversation.filter { $0.guild == turn.place.guild },
      facts: facts.map(\.fact))
    var at = start
    switch plan.fate {
    case .modelFails(let count):
      for _ in 0..<count { at = fail(turn, at: at, &exchange) }
      return end(&exchange, .modelFailed, "overloaded_error", at: at)
    case .modelFailsOnce: at = fail(turn, at: at, &exchange) + 1200
    default: break
    }
    // The second model is the faster one.
    let isSlow = model.name == World.Model.opus.name
    at += Int64(isSlow ? random.int(1400...3600) : random.int(500...1300))
    progress.llmMs = Int(at - start)
    call(plan, &progress, at: at, isFirst: true, &exchange)
    if !turn.tools.isEmpty {
      let before = at
      for tool in turn.tools {
        at += Int64(tool.ms)
        use(tool, plan, &progress, at: at, &exchange)
      }
      at += Int64(isSlow ? random.int(900...2200) : random.int(400...900))
      progress.followupMs = Int(at - before)
      call(plan, &progress, at: at, isFirst: false, &exchange)
    }
    exchange.steps.append(.init(name: "llm1Ms", ms: progress.llmMs))
    exchange.steps.append(.init(name: "followupMs", ms: progress.followupMs))
    if case .unsent(let error) = plan.fate {
      exchange.answer = turn.words
      if let error {
        at += 400
        write("send_error", at: at, to: &exchange, isLinked: false) {
          $0.log("bot_error", content: .string(error), metadata: ["source": "message_event"])
        }
      }
      return end(&exchange, .notSent, nil, at: at)
    }
    return send(plan, progress, at: at, &exchange)
  }

  private func send(
    _ plan: TextPlan, _ progress: World.TextProgress, at start: Int64,
    _ exchange: inout TruthExchange
  ) -> Int64 {
    let turn = plan.turn
    let typing = turn.isSilent ? 0 : random.int(300...1100)
    let sending = turn.isSilent ? 0 : random.int(80...260)
    let at = start + Int64(typing + sending)
    let total = Int(at - progress.startMs)
    exchange.steps.append(.init(name: "typingDelayMs", ms: typing))
    exchange.steps.append(.init(name: "sendMs", ms: sending))
    write("outcome", at: at, to: &exchange) { world in
      world.logOutcome(turn, progress, addressing: turn.addressing) {
        progress.performance($0, total: total, typing: typing, send: sending)
      }
    }
    switch turn.outcome {
    case .reply: exchange.outcome = .replied
    case .message: exchange.outcome = .posted
    case .skip(let reason): (exchange.outcome, exchange.reason) = (.skipped, reason)
    case .react: (exchange.outcome, exchange.reason) = (.reacted, "reply_directive")
    }
    exchange.answer = turn.words
    return at
  }

  private func fail(_ turn: TextTurn, at ms: Int64, _ exchange: inout TruthExchange) -> Int64 {
    let at = ms + Int64(random.int(1800...2600))
    let first = exchange.rows.count
    write("model_error", at: at, to: &exchange, isLinked: false) { [model] world in
      world.logModelError(
        in: turn.place, user: turn.speaker.id, model: model, status: 529,
        type: "overloaded_error", message: "Overloaded")
    }
    modelErrors.append(contentsOf: exchange.rows[first...].map { (at, $0) })
    return at
  }

  private func call(
    _ plan: TextPlan, _ progress: inout World.TextProgress, at ms: Int64, isFirst: Bool,
    _ exchange: inout TruthExchange
  ) {
    let turn = plan.turn
    let (prompt, system, model) = (progress.prompt, system, model)
    let isLast = !isFirst || turn.tools.isEmpty
    var used: (usage: World.Usage, cost: Double)?
    write("call", at: ms, to: &exchange) { world in
      used = world.logModelCall(
        in: turn.place, user: turn.speaker.id, model: model, source: "message_event",
        event: isFirst ? "reply_pipeline:message_create" : "reply_pipeline:followup",
        message: progress.message, session: nil, system: system,
        prompt: isFirst ? prompt : prompt + "\n\n=== TOOL RESULTS ===\n" + turn.toolResults,
        reply: isLast ? turn.replyText : "Let me check that.",
        tools: isFirst ? turn.tools.map(\.name) : [], moreInput: plan.moreInput)
    }
    progress.usage = used?.usage
    progress.cost += used?.cost ?? 0
    let row = Array(exchange.rows.suffix(1))
    settleModelErrors(at: ms, row)
    for index in truth.changes.indices where truth.changes[index].rows.isEmpty {
      truth.changes[index].rows = row.map { .init(reference: $0.reference, what: "first") }
    }
  }

  private func use(
    _ tool: Tool, _ plan: TextPlan, _ progress: inout World.TextProgress, at ms: Int64,
    _ exchange: inout TruthExchange
  ) {
    let turn = plan.turn
    let message = progress.message
    let first = exchange.rows.count
    if tool.name == "web_search" { progress.searched = tool }
    if tool.name == "memory_search" { progress.recalled = true }
    if tool.name == "web_search", isSearchDown {
      write("tool", at: ms, to: &exchange, isLinked: false) { world in
        world.log(
          "search_error", in: turn.place, user: turn.speaker.id, content: "Brave Search HTTP 503",
          metadata: [
            "query": tool.input["query"] ?? .null, "source": "reply_tool_web_search",
            "provider": "brave", "stage": "provider", "attempts": 2, "maxAttemptsPerRequest": 2,
          ])
      }
      trouble(
        "search", at: ms, Array(exchange.rows[first...]),
        next: "Check the search provider's status page and key.")
      return
    }
    if let fact = plan.fact, tool.name == "memory_write" {
      var id: Int64?
      write("memory", at: ms, to: &exchange) { world in
        id = world.rememberFact(
          about: turn.speaker, fact, type: "preference", evidence: turn.text, in: turn.place,
          message: message)
      }
      truth.learned.append(
        TruthFact(
          id: id ?? 0, atMs: ms, person: turn.speaker, text: fact, trigger: message,
          rows: Array(exchange.rows[first...])))
      return
    }
    write("tool", at: ms, to: &exchange, isLinked: tool.name == "memory_search") { world in
      world.perform(tool.effect, in: turn.place, by: turn.speaker, message: message)
    }
    if tool.name == "web_search" { isOver("search", at: ms, Array(exchange.rows[first...])) }
  }

  // MARK: Model errors

  /// A call has worked: one failure before it was a single one, more were a trouble.
  private func settleModelErrors(at ms: Int64, _ rows: [TruthRow]) {
    guard let first = modelErrors.first else { return }
    let isTrouble = modelErrors.count >= TruthTrouble.enough
    var trouble = TruthTrouble(
      kind: isTrouble ? "models" : "model_error", onsetMs: first.ms,
      next: isTrouble
        ? "Check the model provider's status page, key and quota." : "Nothing: it was repeated.")
    for error in modelErrors { trouble.add(at: error.ms, [error.row]) }
    if !isTrouble { trouble.confirmedMs = nil }
    trouble.endMs = ms
    trouble.rows += rows.map { .init(reference: $0.reference, what: "end") }
    truth.troubles.append(trouble)
    modelErrors = []
  }
}

extension TextTurn {
  /// The visible text of the outcome.
  var words: String? {
    switch outcome {
    case .reply(let text), .message(let text), .react(let text): text
    case .skip: nil
    }
  }
}
