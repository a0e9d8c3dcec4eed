internal import LenientJSON

/// Absence: somebody answered the bot or addressed it, and nothing says that it meant to be silent.
struct IgnoredThread: RuleState {
  static let rule = Rule(
    id: .ignoredThread, level: .warning,
    condition: "a reply to the bot or a direct address has no answer and no reason within 60 s",
    advice: "Ask 'why' of the message; answer by hand if it matters.",
    input: RuleInput(
      names: [
        "reply_admission_decision", "reply_pipeline_gate", "reply_queue_gate_rejected",
        "sent_reply", "sent_message", "reply_skipped", "reacted", "automation_post",
        "initiative_post", "llm_error", "llm_call", "bot_logged_in",
      ],
      keys: [
        "triggerMessageId", "triggerMessageIds", "allow", "reason", "addressSignal", "addressed",
        "attentionReason", "triggerReferenceMessageId", "latestBotMessageId", "messageId",
        "performance",
      ], health: true, outages: true),
    limits: [
      RuleLimit(name: "within_ms", unit: .ms, standard: 60_000, meaning: "the time for an answer"),
      RuleLimit(name: "factor", unit: .ratio, standard: 2, meaning: "times p95 of the answers"),
    ],
    begin: { IgnoredThread($0) })

  private struct Message: Sendable {
    var chain: AnswerChain
    /// It answers a message of the bot.
    var isThread: Bool
    /// Rule 15 finds it, unless a model call failed: it leaves those to the rows of the failures.
    var isOfOtherRule = false

    var row: RuleRow { chain.row }
  }

  private let withinMs: Int64
  private let factor: Double
  private var waiting = Waiting<String, Message>()
  /// Messages with an admission row, and those with an outcome.
  private var admitted = RecentIDs()
  private var settled = RecentIDs()
  /// What the bot wrote.
  private var ofBot = RecentIDs()
  private var durations = RecentDurations()
  private var outages = Outages()
  private var queued = 0
  private static let leastAnswers = 20

  init(_ values: RuleValues) {
    withinMs = values.ms("within_ms")
    factor = values["factor"]
  }

  var deadlineMs: Int64? { waiting.deadlineMs }

  private var limitMs: Int64 {
    guard durations.values.count >= Self.leastAnswers, let p95 = durations.percentile(0.95) else {
      return withinMs
    }
    return max(withinMs, Int64(factor * Double(p95)))
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    switch event.body {
    case .health(let health): queued = health.queuedReplies ?? 0
    case .outage: outages.add(event)
    case .row(let row): take(row, &found)
    case .voice, .link: break
    }
  }

  private mutating func take(_ row: RuleRow, _ found: inout Findings) {
    switch row.name {
    case "reply_admission_decision": admit(row)
    case "reply_pipeline_gate": gate(row)
    case "sent_reply", "sent_message", "reply_skipped", "reacted", "automation_post",
      "initiative_post":
      if let id = row.messageID, row.name != "reply_skipped" { ofBot.insert(id) }
      if let total = row.metadata["performance"]?["totalMs"]?.int { durations.add(total) }
      for id in row.triggers { settle(id) }
    case "reply_queue_gate_rejected":
      for id in row.triggers { settle(id) }
    case "llm_call":
      guard let id = row.string("messageId") else { return }
      waiting.change(id) { $0.chain.pass(row) }
    case "llm_error": fail(row)
    default:
      for id in waiting.keys {
        guard let message = waiting.remove(id), !message.isOfOtherRule else { continue }
        found.report(
          .init(
            .info, "An answer to \(Self.what(message)) was lost by the bot's restart",
            [message.row.cite, row.cite], about: message.row, subject: "lost",
            cause: "the bot was restarted"))
      }
    }
  }

  private mutating func settle(_ id: String) {
    settled.insert(id)
    waiting.remove(id)
  }

  private mutating func admit(_ row: RuleRow) {
    guard let id = row.triggers.first, !settled.contains(id) else { return }
    admitted.insert(id)
    let isDirect = Self.isDirect(row)
    let reference = row.string("triggerReferenceMessageId")
    let isThread =
      reference.map { ofBot.contains($0) || $0 == row.string("latestBotMessageId") } ?? false
    switch row.bool("allow") {
    case true:
      guard isThread || isDirect else { return }
      let hasSignal = row.metadata["addressSignal"]?["direct"]?.bool == true
      return wait(id, row, isThread: isThread && !isDirect, isOfOtherRule: hasSignal)
    case false:
      // A refusal with a reason is a recorded intention.
      guard isThread || isDirect, row.string("reason") == nil else { return }
    default:
      guard isThread || isDirect else { return }
    }
    wait(id, row, isThread: isThread)
  }

  private mutating func gate(_ row: RuleRow) {
    guard row.bool("allow") != false else {
      for id in row.triggers { settle(id) }
      return
    }
    for id in row.triggers where !settled.contains(id) {
      if waiting[id] != nil {
        waiting.change(id) { $0.chain.pass(row) }
      } else if !admitted.contains(id),
        row.bool("addressed") == true || row.metadata["addressSignal"]?["direct"]?.bool == true
      {
        // Its admission is not on record.
        wait(id, row, isThread: false)
      }
    }
  }

  private mutating func wait(
    _ id: String, _ row: RuleRow, isThread: Bool, isOfOtherRule: Bool = false
  ) {
    waiting.wait(
      id, Message(chain: AnswerChain(row), isThread: isThread, isOfOtherRule: isOfOtherRule),
      untilMs: row.timeMs + limitMs)
  }

  private mutating func fail(_ row: RuleRow) {
    for id in waiting.keys {
      guard let chain = waiting[id]?.chain,
        row.string("messageId").map({ $0 == id }) ?? chain.mayOwn(row)
      else { continue }
      waiting.change(id) { $0.chain.fail(row) }
    }
  }

  private static func isDirect(_ row: RuleRow) -> Bool {
    if let direct = row.metadata["addressSignal"]?["direct"]?.bool { return direct }
    return row.string("attentionReason") == "direct_address"
      || row.string("reason") == "hard_address" || row.string("reason") == "direct_address"
  }

  private static func what(_ message: Message) -> String {
    message.isThread ? "a reply to the bot" : "a message to the bot"
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, message) in waiting.due(nowMs) {
      let row = message.row
      guard !outages.touch(row.timeMs, dueMs),
        !message.isOfOtherRule || message.chain.hasFailed
      else { continue }
      guard queued == 0 else {
        waiting.wait(row.triggers.first ?? "", message, untilMs: dueMs + withinMs)
        continue
      }
      found.report(
        .init(
          .warning,
          "\(Self.what(message).prefix(1).uppercased())\(Self.what(message).dropFirst()) has no "
            + "answer after \(RuleWords.duration(dueMs - row.timeMs)), and no row says why",
          message.chain.evidence, about: row, subject: row.triggers.first, toMs: dueMs,
          missing: "sent_reply, reply_skipped or reacted for message \(row.triggers.first ?? "?")",
          cause: message.chain.cause, fault: row.triggers.first))
    }
  }
}

/// Ids that were seen lately.
struct RecentIDs: Sendable {
  private var order: [String] = []
  private var ids: Set<String> = []
  private static let kept = 1024

  mutating func insert(_ id: String) {
    guard ids.insert(id).inserted else { return }
    order.append(id)
    guard order.count > 2 * Self.kept else { return }
    for old in order.prefix(Self.kept) { ids.remove(old) }
    order.removeFirst(Self.kept)
  }

  func contains(_ id: String) -> Bool { ids.contains(id) }
}
