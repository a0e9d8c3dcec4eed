/// What waited for an answer at a gateway: commands, plugins' requests, questions, devices.
extension WhyRule {
  static let agentRequests = [requestExpired, requestAnswered, requestWaiting, requestUnended]

  private static func part(_ exchange: Exchange) -> Exchange.RequestPart? { exchange.request }

  private static func asker(_ exchange: Exchange) -> String {
    if exchange.request?.kind == .pairing { return "a device" }
    return exchange.guildID.map { WhyWords.quote($0, limit: 40) } ?? "an agent"
  }

  /// `"wren" asked for "git push"`
  private static func asked(_ exchange: Exchange) -> String {
    guard let part = exchange.request, let subject = part.subject else {
      return "what was asked is not on record"
    }
    let words = WhyWords.quote(subject, limit: 90)
    return switch part.kind {
    case .approval: "\(asker(exchange)) asked to be allowed \(words)"
    case .question: "\(asker(exchange)) asked \(words)"
    case .pairing: "a device asked to be let in, \(words)"
    }
  }

  private static func waited(_ exchange: Exchange) -> String {
    exchange.request?.waitedMs.map { "after \(WhyWords.span($0))" }
      ?? "after a time that is not on record"
  }

  /// What the run did before it asked and after the answer.
  private static func run(_ exchange: Exchange) -> String {
    guard let part = exchange.request, part.kind != .pairing else { return "" }
    guard part.runID != nil else { return "; which run asked is not on record" }
    var words = ""
    if let before = part.before {
      words += "; before that its run did \(WhyWords.quote(before.text, limit: 50))"
    }
    guard part.end != nil else { return words }
    if let after = part.after {
      words += "; afterwards it did \(WhyWords.quote(after.text, limit: 50))"
    }
    return words + "; "
      + (exchange.isOpen && !exchange.isCutOff ? "the run goes on" : ending(part.runEnd))
  }

  private static func ending(_ end: Exchange.Note?) -> String {
    guard let end else { return "no end of the run is on record" }
    return switch end.source.kind {
    case "sent_reply": "the run answered"
    case "llm_error": "the run failed with \(WhyWords.quote(end.text, limit: 50))"
    case "llm_run_aborted": "the run was stopped"
    default: "the run ended while nothing was heard of it"
    }
  }

  private static func claims(_ exchange: Exchange) -> [Claim] {
    let part = exchange.request
    return [
      (part?.end, "how it ended"), (part?.asked, "what was asked"),
      (part?.before?.source, "what the run did before"),
      (part?.after?.source, "what the run did afterwards"),
      (part?.runEnd?.source, "how the run ended"),
    ]
  }

  private static func toRun(_ exchange: Exchange, _ sentence: String) -> Answer.NextStep {
    let row = exchange.request?.after?.source.row ?? exchange.request?.runEnd?.source.row
    return Answer.NextStep(
      sentence, target: (row ?? exchange.request?.asked?.row).map { .row($0) })
  }

  private static let requestExpired = WhyRule(
    "request.expired", .expired, stop: .admitted,
    when: { part($0)?.isExpired == true },
    says: { exchange in
      "Expired \(waited(exchange)): nobody answered; \(asked(exchange))\(run(exchange))."
    },
    evidence: claims,
    next: { toRun($0, "Ask the agent again; ! shows what waits now.") },
    fixture: WhyFixture(
      asks: 2, carriers: [2],
      """
      0 approval_requested git push {"source":"openclaw","approvalId":"ap-1","runId":"$T"}
      500000 approval_timeout expired: git push {"source":"openclaw","approvalId":"ap-1",
        "decision":"deny"}
      """))

  private static let requestAnswered = WhyRule(
    "request.answered", .answered,
    when: { part($0)?.end != nil },
    says: { exchange in
      let who = exchange.request?.resolvedBy.map { " by \(WhyWords.quote($0, limit: 40))" }
      let word = decision(exchange.request?.decision)
      return "\(word)\(who ?? "") \(waited(exchange)): \(asked(exchange))\(run(exchange))"
        + (who == nil && exchange.request?.kind == .approval
          ? "; the row does not say who answered." : ".")
    },
    reason: { $0.request?.decision },
    evidence: claims,
    next: { toRun($0, "BRAIN has the steps of the run.") },
    fixture: WhyFixture(
      asks: 4, carriers: [4],
      """
      0 llm_run_started@bot run begins {"source":"openclaw","triggerMessageId":"$T"}
      400 tool_started@bot exec: git push {"source":"openclaw","triggerMessageId":"$T"}
      500 approval_requested git push {"source":"openclaw","approvalId":"ap-1","runId":"$T"}
      60500 approval_answered allow-once by desk: git push {"source":"openclaw",
        "approvalId":"ap-1","decision":"allow-once","resolvedBy":"desk"}
      61000 tool_finished@bot exec {"source":"openclaw","triggerMessageId":"$T"}
      """))

  private static func decision(_ word: String?) -> String {
    switch word {
    case "allow-once": "Allowed once"
    case "allow-always": "Allowed always"
    case "deny": "Denied"
    case "approved": "Approved"
    case "rejected": "Rejected"
    case "answered": "Answered"
    case "cancelled": "Cancelled"
    default: "Over (\(WhyWords.quote(word ?? "no decision on record", limit: 40)))"
    }
  }

  private static let requestWaiting = WhyRule(
    "request.waiting", .open, .unknown, stop: .admitted,
    when: { part($0) != nil && part($0)?.end == nil && $0.isOpen },
    says: { exchange in
      "\(WhyWords.underway(exchange))\(asked(exchange)), and it waits for an answer\(run(exchange))."
    },
    evidence: claims,
    next: {
      $0.isCutOff ? WhyWords.waiting($0) : Answer.NextStep("Press ! to answer it, or deny it.")
    },
    fixture: WhyFixture(
      carriers: [1], isOpen: true,
      """
      0 question_requested Which branch? {"source":"openclaw","questionId":"q-1",
        "expiresAtMs":1778350500000}
      """))

  private static let requestUnended = WhyRule(
    "request.unended", .unknown, .unknown, stop: .admitted,
    when: { part($0) != nil },
    says: { exchange in
      "Unknown: \(asked(exchange)), its time is over, and no row says how it ended\(run(exchange))."
    },
    evidence: claims,
    next: {
      toRun($0, "A gateway of protocol 3 says nothing when time runs out; look at its log.")
    },
    fixture: WhyFixture(
      carriers: [],
      """
      0 approval_requested git push {"source":"openclaw","approvalId":"ap-1",
        "expiresAtMs":1778349660000}
      """))
}
