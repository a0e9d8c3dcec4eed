/// Runs of agents behind a gateway, and its jobs. Each row of a run names the run: nothing is inferred.
extension WhyRule {
  static let agentRuns = [
    runStopped, runFailed, runUnended, jobFailed, jobDelivered, jobRan,
  ]

  private static func agent(_ exchange: Exchange) -> String {
    exchange.guildID.map { WhyWords.quote($0, limit: 40) } ?? "an agent"
  }

  private static func isUnanswered(_ exchange: Exchange) -> Bool {
    exchange.isOfAgent && exchange.medium == .text && exchange.sent.isEmpty
  }

  private static func lastStep(_ exchange: Exchange) -> String {
    exchange.lastStep.map { "; its last step on record is \(WhyWords.quote($0.text, limit: 70))" }
      ?? ""
  }

  private static func toRow(_ source: Exchange.Source?, _ sentence: String) -> Answer.NextStep {
    Answer.NextStep(sentence, target: source?.row.map { .row($0) })
  }

  private static let runStopped = WhyRule(
    "run.stopped", .interrupted, stop: .generated,
    when: { isUnanswered($0) && $0.stopped != nil },
    says: { exchange in
      "Stopped: a run of \(agent(exchange)) was stopped before its end\(lastStep(exchange)). "
        + "The gateway does not say who stopped it."
    },
    evidence: { [($0.stopped?.source, "it was stopped"), ($0.lastStep?.source, "its last step")] },
    next: { toRow($0.stopped?.source, "Look at its steps in BRAIN, and ask the agent again.") },
    fixture: WhyFixture(
      asks: 2, carriers: [2],
      """
      0 llm_run_started@bot run begins {"source":"openclaw","triggerMessageId":"$T"}
      900 llm_run_aborted@bot stopped {"source":"openclaw","triggerMessageId":"$T"}
      """))

  private static let runFailed = WhyRule(
    "run.failed", .modelFailed, stop: .model,
    when: { isUnanswered($0) && !$0.modelErrors.isEmpty },
    says: { exchange in
      let error = WhyWords.quote(exchange.modelErrors.last?.text ?? "no words on record", limit: 90)
      return
        "Failed: a run of \(agent(exchange)) ended with an error, \(error)\(lastStep(exchange))."
    },
    reason: { $0.modelErrors.last?.text },
    evidence: {
      [($0.modelErrors.last?.source, "the error"), ($0.lastStep?.source, "its last step")]
    },
    next: {
      toRow($0.modelErrors.last?.source, "Mend what the error names, and ask the agent again.")
    },
    fixture: WhyFixture(
      asks: 2, carriers: [2],
      """
      0 llm_run_started@bot run begins {"source":"openclaw","triggerMessageId":"$T"}
      900 llm_error@bot rate limit {"source":"openclaw","triggerMessageId":"$T"}
      """))

  private static let runUnended = WhyRule(
    "run.unended", .unknown, .unknown, stop: .delivered,
    when: { isUnanswered($0) && $0.calls.isEmpty && !$0.isOpen },
    says: { exchange in
      "Unknown: a run of \(agent(exchange)) began, and no end of it is on record\(lastStep(exchange))."
    },
    evidence: { exchange in
      [(exchange.lastStep?.source, "its last step"), (exchange.trigger, "its first row")]
    },
    next: { toRow($0.sources.last, "See in CMD whether its session still works, and ask again.") },
    fixture: WhyFixture(
      carriers: [],
      """
      0 llm_run_started@bot run begins {"source":"openclaw","triggerMessageId":"$T"}
      900 tool_started@bot exec: make {"source":"openclaw","triggerMessageId":"$T",
        "toolName":"exec"}
      """))

  // MARK: Jobs

  private static func job(_ exchange: Exchange) -> Exchange.RunPart? {
    exchange.isOfAgent ? exchange.run : nil
  }

  private static func name(_ exchange: Exchange) -> String {
    "the job \(WhyWords.quote(exchange.run?.name ?? exchange.run?.automationID ?? "?", limit: 40))"
  }

  private static func said(_ exchange: Exchange) -> String {
    exchange.run?.summary.map { "; it says \(WhyWords.quote($0, limit: 70))" } ?? ""
  }

  private static let jobFailed = WhyRule(
    "job.failed", .failed, stop: .model,
    when: { job($0)?.source.kind == "automation_error" },
    says: { exchange in
      let error = WhyWords.quote(exchange.run?.summary ?? "no error on record", limit: 90)
      return "Failed: a run of \(name(exchange)) ended with an error, \(error)."
    },
    reason: { $0.run?.summary },
    evidence: { [($0.run?.source, "the failed run")] },
    next: {
      toRow($0.run?.source, "Mend what the error names; CMD has the job and its next run.")
    },
    fixture: WhyFixture(
      carriers: [1],
      """
      0 automation_error weather: no answer {"source":"openclaw","automationId":"job-7",
        "status":"error"}
      """))

  private static let jobDelivered = WhyRule(
    "job.delivered", .posted,
    when: { job($0)?.isDelivered == true },
    says: { exchange in
      "Posted on schedule: \(name(exchange)) ran, and what it made was delivered\(said(exchange))."
    },
    evidence: { [($0.run?.source, "the run")] },
    next: { toRow($0.run?.source, "CMD has the job and its next run.") },
    fixture: WhyFixture(
      carriers: [1],
      """
      0 automation_run weather: sunny {"source":"openclaw","automationId":"job-7","status":"ok",
        "delivered":true}
      """))

  private static let jobRan = WhyRule(
    "job.ran", .dropped, stop: .delivered,
    when: { job($0) != nil },
    says: { exchange in
      let isUnsaid = exchange.run?.isDelivered == nil
      let what =
        isUnsaid
        ? "the gateway does not say whether anything was delivered" : "nothing was delivered"
      return "Ran: \(name(exchange)) ended without an error, and \(what)\(said(exchange))."
    },
    evidence: { [($0.run?.source, "the run")] },
    next: { toRow($0.run?.source, "CMD has the job and its next run.") },
    fixture: WhyFixture(
      carriers: [1],
      """
      0 automation_run weather: Nothing to do. {"source":"openclaw","automationId":"job-7",
        "status":"ok","delivered":false}
      """))
}
