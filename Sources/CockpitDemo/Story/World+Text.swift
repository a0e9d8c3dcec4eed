extension World {
  /// The state of a text turn in progress.
  struct TextProgress {
    var message: String
    var startMs: Int64
    var queueMs: Int
    var ingestMs: Int
    var memoryMs: Int
    var llmMs = 0
    var followupMs = 0
    var usage: Usage?
    var cost = 0.0
    var model = Model.opus
    /// The system prompt, where it is not the usual one.
    var system: String?
    var prompt = ""
    var searched: Tool?
    var recalled = false
  }

  /// Plans all rows of a text turn; returns its length in milliseconds.
  @discardableResult
  func textTurn(_ turn: TextTurn) -> Int {
    let message = snowflake()
    let guild = turn.place.guild ?? ""
    conversation.append(ChatLine(guild: guild, speaker: turn.speaker.name, text: turn.text))
    if conversation.count > 200 { conversation.removeFirst(50) }
    pendingReplies += 1
    var at = 0
    let addressing = turn.addressing
    logAdmission(turn, message: message, addressing: addressing)
    var progress = TextProgress(
      message: message, startMs: now, queueMs: pace(random.int(2...30)),
      ingestMs: pace(random.int(4...30)), memoryMs: pace(random.int(40...220)))
    at += progress.queueMs + progress.ingestMs
    after(at) { world in
      world.logEmbedding(
        in: turn.place, user: turn.speaker.id, chars: turn.text.utf16.count,
        source: "conversation_message_embed", message: nil)
    }
    at += progress.memoryMs
    after(at) { $0.logGate(turn, message: message, addressing: addressing) }
    let facts = store.facts.list(guild: guild, limit: 40)
    progress.prompt = prose.textPrompt(
      speaker: turn.speaker.name, text: turn.text,
      history: conversation.filter { $0.guild == guild }, facts: facts.map(\.fact))
    if turn.failsFirst {
      at += pace(random.int(1800...2600))
      after(at) { world in
        world.logModelError(
          in: turn.place, user: turn.speaker.id, model: .opus, status: 529,
          type: "overloaded_error", message: "Overloaded")
      }
      at += pace(1200)
    }
    progress.llmMs = pace(random.int(900...2600))
    at += progress.llmMs
    planModel(turn, progress, at: at, addressing: addressing)
    return at
  }

  private func planModel(
    _ turn: TextTurn, _ progress: TextProgress, at first: Int, addressing: DemoJSON
  ) {
    let message = progress.message
    after(first) { world in
      var progress = progress
      let thought = turn.tools.isEmpty ? turn.replyText : "Let me check that."
      let call = world.logModelCall(
        in: turn.place, user: turn.speaker.id, model: .opus, source: "message_event",
        event: "reply_pipeline:message_create", message: message, session: nil,
        system: world.prose.textSystem, prompt: progress.prompt, reply: thought,
        tools: turn.tools.map(\.name))
      progress.usage = call.usage
      progress.cost = call.cost
      var delay = 0
      for tool in turn.tools {
        delay += world.pace(tool.ms)
        if tool.name == "web_search" { progress.searched = tool }
        if tool.name == "memory_search" { progress.recalled = true }
        world.after(delay) {
          $0.perform(tool.effect, in: turn.place, by: turn.speaker, message: message)
        }
      }
      let ready = progress
      guard !turn.tools.isEmpty else {
        world.finish(turn, ready, addressing: addressing)
        return
      }
      let followup = world.pace(world.random.int(900...2200))
      world.after(delay + followup) { world in
        var done = ready
        done.followupMs = delay + followup
        let call = world.logModelCall(
          in: turn.place, user: turn.speaker.id, model: .opus, source: "message_event",
          event: "reply_pipeline:followup", message: message, session: nil,
          system: world.prose.textSystem,
          prompt: done.prompt + "\n\n=== TOOL RESULTS ===\n" + turn.toolResults,
          reply: turn.replyText, tools: [])
        done.usage = call.usage
        done.cost += call.cost
        world.finish(turn, done, addressing: addressing)
      }
    }
  }

  private func finish(_ turn: TextTurn, _ progress: TextProgress, addressing: DemoJSON) {
    let typing = turn.isSilent ? 0 : pace(random.int(300...1100))
    let send = turn.isSilent ? 0 : pace(random.int(80...260))
    after(typing + send) { world in
      world.pendingReplies = max(0, world.pendingReplies - 1)
      let total = Int(world.now - progress.startMs)
      world.logOutcome(turn, progress, addressing: addressing) {
        progress.performance($0, total: total, typing: typing, send: send)
      }
    }
  }

  /// - Parameter performance: the times of the phases for a row of that kind.
  func logOutcome(
    _ turn: TextTurn, _ progress: TextProgress, addressing: DemoJSON,
    performance: (String) -> DemoJSON
  ) {
    let trigger = progress.message
    let bundle = prose.bundle(
      system: progress.system ?? prose.textSystem, user: progress.prompt,
      followups: turn.tools.isEmpty ? [] : [turn.toolResults])
    let head: DemoJSON = [
      "triggerMessageId": .string(trigger), "triggerMessageIds": [.string(trigger)],
      "source": "message_event", "addressing": addressing,
    ]
    let llm: DemoJSON = [
      "provider": .string(progress.model.provider), "model": .string(progress.model.name),
      "usage": progress.usage?.json ?? .null, "costUsd": .double(progress.cost),
      "usedWebSearchFollowup": .bool(progress.searched != nil),
      "usedMemoryLookupFollowup": .bool(progress.recalled), "usedImageLookupFollowup": false,
    ]
    switch turn.outcome {
    case .reply(let text), .message(let text):
      let isReply = if case .reply = turn.outcome { true } else { false }
      let kind = isReply ? "sent_reply" : "sent_message"
      let id = snowflake()
      lastBotMessageMs = now
      conversation.append(
        ChatLine(guild: turn.place.guild ?? "", speaker: Cast.bot.name, text: text))
      let metadata = head.merging(["replyPrompts": bundle, "sendAsReply": .bool(isReply)])
        .merging(replyDetails(turn, text: text))
        .merging(["llm": llm, "performance": performance(kind)])
      log(
        kind, in: turn.place, message: id, user: Cast.bot.id, content: .string(text),
        metadata: metadata)
    case .skip(let reason):
      log(
        "reply_skipped", in: turn.place, message: trigger, user: Cast.bot.id,
        content: .string(reason),
        metadata: head.merging([
          "replyPrompts": bundle, "reaction": Self.noReaction,
          "screenShareOffer": Self.noOffer,
          "llm": llm.removing(["usedMemoryLookupFollowup", "usedImageLookupFollowup"]),
          "performance": performance("reply_skipped"),
        ]))
    case .react(let emoji):
      log(
        "reacted", in: turn.place, message: trigger, user: Cast.bot.id, content: .string(emoji),
        metadata: Self.reactionHead(head).merging([
          "reason": "reply_directive",
          "llm": llm.removing([
            "usedWebSearchFollowup", "usedMemoryLookupFollowup", "usedImageLookupFollowup",
          ]),
        ]))
    }
  }

  /// This call site writes the source first.
  private static func reactionHead(_ head: DemoJSON) -> DemoJSON {
    let first: DemoJSON = ["source": "message_event"]
    return first.merging(head)
  }

  static let noReaction: DemoJSON = [
    "requestedByModel": false, "used": false, "emoji": nil, "blockedByPermission": false,
    "blockedByHourlyCap": false, "blockedByAllowedSet": false,
  ]
  static let noOffer: DemoJSON = [
    "started": false, "appendText": "", "transport": nil, "linkUrl": nil,
    "explicitRequest": false, "intentRequested": false, "confidence": 0, "reason": nil,
  ]
}

extension World.TextProgress {
  /// The `performance` object of an outcome (contract 4.5).
  func performance(_ kind: String, total: Int, typing: Int, send: Int) -> DemoJSON {
    [
      "version": 1, "source": "message_event", "actionKind": .string(kind),
      "totalMs": .int(total), "queueMs": .int(queueMs),
      "processingMs": .int(max(0, total - queueMs)), "ingestMs": .int(ingestMs),
      "memorySliceMs": .int(memoryMs), "llm1Ms": .int(llmMs), "followupMs": .int(followupMs),
      "typingDelayMs": .int(typing), "sendMs": .int(send),
    ]
  }
}

extension TextTurn {
  /// The backend's judgement whether the message is meant for the bot (contract 4.5).
  var addressing: DemoJSON {
    direct
      ? [
        "direct": true, "inferred": true, "triggered": true, "reason": "name_exact",
        "confidence": 0.95, "threshold": 0.62, "confidenceSource": "exact_name",
      ]
      : [
        "direct": false, "inferred": false, "triggered": false, "reason": "ambient",
        "confidence": 0.21, "threshold": 0.62, "confidenceSource": "llm",
      ]
  }

  var replyText: String {
    switch outcome {
    case .reply(let text), .message(let text): "{\"text\":\(DemoJSON.string(text).text)}"
    case .skip: "{\"text\":\"\",\"skip\":true}"
    case .react(let emoji): "{\"text\":\"\",\"reaction\":\"\(emoji)\"}"
    }
  }

  var isSilent: Bool {
    switch outcome {
    case .reply, .message: false
    case .skip, .react: true
    }
  }

  var toolResults: String {
    tools.map { "[\($0.name)] \($0.output.text)" }.joined(separator: "\n")
  }
}
