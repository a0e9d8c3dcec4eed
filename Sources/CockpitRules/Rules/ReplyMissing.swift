internal import LenientJSON

/// 15: somebody addressed the bot, it meant to answer, and nothing came.
struct ReplyMissing: RuleState {
  static let rule = Rule(
    id: .replyMissing, level: .critical,
    condition: "an admitted direct address has no outcome within 60 s (text) or 30 s (voice)",
    advice: "Ask 'why' of the message; if the bot hangs, restart it and answer by hand.",
    input: RuleInput(
      names: [
        "reply_admission_decision", "sent_reply", "sent_message", "reply_skipped", "reacted",
        "llm_error", "bot_logged_in", "voice_turn_addressing", "bot_audio_started",
        "realtime_reply_requested", "realtime_reply_skipped",
        "realtime_reply_superseded_newer_input",
        "voice_barge_in_interrupt", "openai_realtime_text_turn_forwarded", "voice_session_end",
        "realtime_generation_failed", "voice_brain_generation_failed", "reply_queue_gate_rejected",
        "reply_pipeline_gate", "llm_call",
      ],
      keys: [
        "triggerMessageId", "triggerMessageIds", "allow", "reason", "addressSignal", "performance",
        "directAddressed", "heard", "messageId",
      ], health: true, memoryMs: 86_400_000),
    limits: [
      RuleLimit(name: "text_ms", unit: .ms, standard: 60_000, meaning: "a written answer"),
      RuleLimit(name: "factor", unit: .ratio, standard: 2, meaning: "times p95 of written answers"),
      RuleLimit(name: "voice_ms", unit: .ms, standard: 30_000, meaning: "a spoken answer"),
    ],
    begin: { ReplyMissing($0) })

  private let textMs: Int64
  private let factor: Double
  private let voiceMs: Int64
  private var texts = Waiting<String, AnswerChain>()
  private var turns = Waiting<Citation, RuleRow>()
  private var durations = RecentDurations()
  private var queued = 0
  private static let leastAnswers = 20

  init(_ values: RuleValues) {
    textMs = values.ms("text_ms")
    factor = values["factor"]
    voiceMs = values.ms("voice_ms")
  }

  var deadlineMs: Int64? {
    [texts.deadlineMs, turns.deadlineMs].compactMap { $0 }.min()
  }

  private var limitMs: Int64 {
    guard durations.values.count >= Self.leastAnswers, let p95 = durations.percentile(0.95) else {
      return textMs
    }
    return max(textMs, Int64(factor * Double(p95)))
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    switch event.body {
    case .health(let health): queued = health.queuedReplies ?? 0
    case .row(let row): take(row, &found)
    case .voice, .outage, .link: break
    }
  }

  private mutating func take(_ row: RuleRow, _ found: inout Findings) {
    switch row.name {
    case "reply_admission_decision":
      guard row.bool("allow") == true, row.metadata["addressSignal"]?["direct"]?.bool == true,
        let trigger = row.triggers.first
      else { return }
      texts.wait(trigger, AnswerChain(row), untilMs: row.timeMs + limitMs)
    case "sent_reply", "sent_message", "reply_skipped", "reacted":
      let asked = row.triggers.compactMap { texts.remove($0) }
      if let total = row.metadata["performance"]?["totalMs"]?.int { durations.add(total) }
      guard row.name == "reply_skipped", let admission = asked.first?.row,
        row.content?.contains("[SKIP]") == true || row.content == "llm_skip"
      else { return }
      found.report(
        .init(
          .info, "Somebody addressed the bot, and the model chose to skip",
          [admission.cite, row.cite], about: admission, subject: "skipped"))
    case "reply_pipeline_gate":
      // A closed gate is an intention to be silent.
      let isOpen = row.bool("allow") != false
      for trigger in row.triggers {
        if isOpen { texts.change(trigger) { $0.pass(row) } } else { texts.remove(trigger) }
      }
    case "llm_call":
      if let trigger = row.string("messageId") { texts.change(trigger) { $0.pass(row) } }
    case "llm_error", "reply_queue_gate_rejected":
      // That row tells of it. An error of the model names no message: its channel does.
      let named = row.triggers + [row.string("messageId"), row.messageID].compactMap { $0 }
      for trigger in named { texts.remove(trigger) }
      guard named.isEmpty, let channel = row.channelID else { return }
      texts.removeAll { $1.row.channelID == channel }
    case "bot_logged_in":
      for key in texts.keys {
        guard let admission = texts.remove(key)?.row else { continue }
        found.report(
          .init(
            .info, "An answer was lost by the bot's restart", [admission.cite, row.cite],
            about: admission, subject: "lost"))
      }
      turns.removeAll { _, _ in true }
    case "voice_turn_addressing":
      guard row.bool("allow") == true, row.bool("directAddressed") == true, row.sessionID != nil
      else { return }
      turns.wait(row.cite, row, untilMs: row.timeMs + voiceMs)
    default:
      turns.removeAll { $1.sessionID == row.sessionID }
    }
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, chain) in texts.due(nowMs) {
      let row = chain.row
      guard queued == 0 else {
        // It still waits for its turn.
        texts.wait(row.triggers.first ?? "", chain, untilMs: dueMs + textMs)
        continue
      }
      found.report(
        .init(
          .critical,
          "A message to the bot was to be answered, and nothing came for "
            + RuleWords.duration(dueMs - row.timeMs),
          chain.evidence, about: row, subject: row.triggers.first, toMs: dueMs,
          missing: "sent_reply, reply_skipped or reacted for message \(row.triggers.first ?? "?")",
          cause: chain.cause, fault: row.triggers.first))
    }
    for (dueMs, row) in turns.due(nowMs) {
      let words = RuleWords.quoted(row.string("heard")) ?? "A turn"
      found.report(
        .init(
          .critical,
          "\(words) was to be answered, and nothing came for "
            + RuleWords.duration(dueMs - row.timeMs), [row.cite], about: row, toMs: dueMs,
          missing: "bot_audio_started or a reason"))
    }
  }
}
