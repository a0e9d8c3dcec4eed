/// Actions that the bot took, or skipped, on its own initiative.
extension WhyRule {
  static let ownActions = [
    automationFailed, automationSkipped, automationPosted, automationBroken, automationRan,
    initiativePosted, initiativeDropped, thoughtWaiting, thoughtDropped,
  ]

  private static func number(_ exchange: Exchange) -> String {
    "automation #\(exchange.run?.automationID ?? "?")"
  }

  private static func toRun(_ exchange: Exchange, _ sentence: String) -> Answer.NextStep {
    Answer.NextStep(sentence, target: exchange.run?.source.row.map { .row($0) })
  }

  private static let automationFailed = WhyRule(
    "automation.failed", .failed, stop: .model,
    when: { exchange in
      exchange.run.map { $0.source.kind == "automation_error" || $0.status == "error" } ?? false
    },
    says: { exchange in
      let paused = exchange.run?.statusAfter == "paused" ? ", and is paused now" : ""
      let error = WhyWords.quote(exchange.run?.summary ?? "no error on record", limit: 70)
      return "Failed: \(number(exchange)) ran into an error, \(error)\(paused)."
    },
    reason: { $0.run?.summary },
    evidence: { [($0.run?.source, "the failed run"), ($0.calls.last?.source, "its model call")] },
    next: { toRun($0, "Mend what the error names, then resume the automation.") },
    fixture: WhyFixture(
      carriers: [1],
      """
      0 automation_error@bot automation #7: LLM timed out {"automationId":7,"runStatus":"error",
        "statusAfterRun":"paused"}
      """))

  private static let automationSkipped = WhyRule(
    "automation.skipped", .skipped, stop: .generated,
    when: { $0.run?.status == "skipped" && $0.sent.isEmpty },
    says: { exchange in
      let why = WhyWords.quote(exchange.run?.summary ?? "no reason on record", limit: 70)
      return "Silent: \(number(exchange)) ran and posted nothing: \(why)."
    },
    evidence: { [($0.run?.source, "the run"), ($0.calls.last?.source, "its model call")] },
    next: { toRun($0, "Read the prompt and the output of its call in BRAIN.") },
    fixture: WhyFixture(
      asks: 2, carriers: [2],
      """
      0 llm_call@bot$0.001 anthropic:haiku {"source":"automation_run","event":"automation:7",
        "model":"haiku","transcript":"[SKIP]"}
      300 automation_run@bot automation #7: model skipped this run {"automationId":7,
        "runStatus":"skipped","statusAfterRun":"active"}
      """))

  private static let automationPosted = WhyRule(
    "automation.posted", .posted,
    when: { $0.run != nil && !$0.sent.isEmpty },
    says: { exchange in
      let making = WhyWords.making(exchange).map { ", by \($0)" } ?? ""
      return "Posted on schedule: \(number(exchange))\(making)."
    },
    evidence: {
      [
        ($0.sent.last?.source, "the post"), ($0.run?.source, "the run"),
        ($0.calls.last?.source, "its model call"),
      ]
    },
    next: { toRun($0, "Read the prompt of its call in BRAIN.") },
    fixture: WhyFixture(
      asks: 3, carriers: [2],
      """
      0 llm_call@bot$0.001 anthropic:haiku {"source":"automation_run","event":"automation:7",
        "model":"haiku","transcript":"good night"}
      200 automation_post@bot good night {"automationId":7}
      300 automation_run@bot automation #7: good night {"automationId":7,"runStatus":"ok",
        "statusAfterRun":"active"}
      """))

  /// The bot writes a status into the row of every run.
  private static let automationBroken = WhyRule(
    "automation.broken", .failed, .inferred, stop: .delivered,
    when: { exchange in
      exchange.run.map { $0.source.kind == "automation_run" && $0.status == nil } ?? false
    },
    says: {
      "Failed, as it seems: the row of a run of \(number($0)) has no status, and no post of it is on "
        + "record."
    },
    evidence: {
      [($0.run?.source, "the row without a status"), ($0.calls.last?.source, "its model call")]
    },
    next: { toRun($0, "Look at the row, and at the runs of the automation in CMD.") },
    fixture: WhyFixture(
      carriers: [1],
      """
      0 automation_run@bot automation #7 {"automationId":7}
      """))

  private static let automationRan = WhyRule(
    "automation.ran", .unknown, .unknown, stop: .delivered,
    when: { $0.run != nil },
    says: { "Unknown: \(number($0)) ran, and neither a post nor a skip of it is on record." },
    evidence: { [($0.run?.source, "the run"), ($0.calls.last?.source, "its model call")] },
    next: { toRun($0, "See what the run's row says.") },
    fixture: WhyFixture(
      carriers: [],
      """
      0 automation_run@bot automation #7: good night {"automationId":7,"runStatus":"ok"}
      """))

  private static let initiativePosted = WhyRule(
    "initiative.posted", .posted,
    when: { $0.initiative?.isPost == true },
    says: { exchange in
      let why = exchange.initiative?.reason.map { "; its reason: " + WhyWords.quote($0, limit: 70) }
      let making = WhyWords.making(exchange).map { ", by \($0)" } ?? ""
      return "Posted of its own accord\(making)\(why ?? "")."
    },
    reason: { $0.initiative?.reason },
    evidence: { [($0.initiative?.source, "the post"), ($0.calls.last?.source, "its model call")] },
    next: { exchange in
      Answer.NextStep(
        "Read the prompt of its call in BRAIN.",
        target: exchange.initiative?.source.row.map { .row($0) })
    },
    fixture: WhyFixture(
      asks: 2, carriers: [2],
      """
      0 llm_call@bot$0.004 claude:opus {"source":"initiative_cycle","event":"initiative_post",
        "model":"opus","transcript":"a synth out of a rice cooker"}
      100 initiative_post@bot a synth out of a rice cooker {"reason":"fits the maker crowd"}
      """))

  private static let initiativeDropped = WhyRule(
    "initiative.dropped", .dropped, stop: .generated,
    when: { $0.medium == .initiative },
    says: { exchange in
      let why = WhyWords.quote(exchange.initiative?.reason ?? "no reason on record", limit: 90)
      return "Silent: it thought of posting of its own accord and did not: \(why)."
    },
    reason: { $0.initiative?.reason },
    evidence: {
      [($0.initiative?.source, "the decision"), ($0.calls.last?.source, "its model call")]
    },
    next: { exchange in
      Answer.NextStep(
        "Read the prompt of its call in BRAIN.",
        target: exchange.initiative?.source.row.map { .row($0) })
    },
    fixture: WhyFixture(
      carriers: [1],
      """
      0 initiative_skip@bot room is mid-conversation {"reason":"room is mid-conversation"}
      """))

  private static let thoughtWaiting = WhyRule(
    "thought.waiting", .open, .unknown,
    when: { $0.medium == .thought && $0.voice == nil && $0.isOpen },
    says: { exchange in
      let why = exchange.admission?.reason.map { ": " + WhyWords.quote($0, limit: 90) }
      return WhyWords.underway(exchange) + "a thought waits for its moment\(why ?? "")."
    },
    evidence: {
      [($0.admission?.source, "the last decision"), ($0.sources.last, "the last row so far")]
    },
    next: WhyWords.waiting,
    fixture: WhyFixture(
      carriers: [], isOpen: true,
      """
      0 voice_runtime@bot voice_pending_thought_created {"sessionId":"$S","thoughtId":"t9",
        "thoughtText":"lid 7 fits"}
      3000 voice_runtime@bot voice_thought_decision {"sessionId":"$S","pendingThoughtId":"t9",
        "action":"hold","allow":false,"reason":"still waiting for a gap"}
      """))

  private static let thoughtDropped = WhyRule(
    "thought.dropped", .dropped, stop: .admitted,
    when: { $0.medium == .thought && $0.voice == nil && $0.initiative != nil },
    says: { exchange in
      let why = WhyWords.quote(exchange.initiative?.reason ?? "no reason on record", limit: 90)
      return "Silent: it kept a thought to itself: \(why)."
    },
    reason: { $0.initiative?.reason },
    evidence: { [($0.initiative?.source, "the decision"), ($0.trigger, "the thought")] },
    next: { exchange in
      Answer.NextStep(
        "Nothing: a thought that is dropped is intended.",
        target: exchange.initiative?.source.row.map { .row($0) })
    },
    fixture: WhyFixture(
      asks: 2, carriers: [2],
      """
      0 voice_runtime@bot voice_pending_thought_created {"sessionId":"$S","thoughtId":"t9",
        "thoughtText":"lid 7 fits"}
      9000 voice_runtime@bot voice_thought_decision {"sessionId":"$S","thoughtId":"t9",
        "thoughtText":"lid 7 fits","action":"drop","allow":false,"reason":"nobody would miss it"}
      """))
}
