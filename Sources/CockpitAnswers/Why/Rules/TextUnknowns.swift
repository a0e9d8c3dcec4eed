/// Missing and contradictory evidence.
extension WhyRule {
  static let textContradictions = [contradicted, disordered]
  static let textUnknowns = [unknownDelivery, unknownCall, unknownGate, unknownEnd]

  /// Rows of one message that cannot all be true.
  private static let contradicted = WhyRule(
    "text.contradicted", .contradicted, .contradicted,
    when: { exchange in
      exchange.medium == .text
        && ((!exchange.sent.isEmpty && !exchange.skips.isEmpty)
          || (exchange.admission?.allow == false
            && !(exchange.sent.isEmpty && exchange.skips.isEmpty)))
    },
    says: { exchange in
      let refused = exchange.admission?.allow == false ? "it was not admitted" : nil
      let skipped = exchange.skips.isEmpty ? nil : "it was skipped"
      let sent = exchange.sent.isEmpty ? nil : "an answer was sent"
      let claims = [refused, skipped, sent].compactMap { $0 }
      return "Contradicted: of the message of \(exchange.authorName) rows say that "
        + claims.joined(separator: " and that ") + "."
    },
    evidence: { exchange in
      [
        (exchange.sent.last?.source, "it was sent"),
        (exchange.skips.last?.source, "it was skipped"),
        (exchange.admission?.source, "the admission"),
      ]
    },
    next: { exchange in
      Answer.NextStep(
        "Look at both rows.", target: exchange.sources.last?.row.map { .row($0) })
    },
    fixture: WhyFixture(
      carriers: [],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      900 llm_call claude:opus {"messageId":"$T","model":"opus","transcript":"yes"}
      910 reply_skipped@bot llm_skip {"triggerMessageId":"$T"}
      1900 sent_reply@bot yes {"triggerMessageId":"$T"}
      """))

  private static let disordered = WhyRule(
    "text.disordered", .contradicted, .contradicted,
    when: { exchange in
      guard exchange.medium == .text else { return false }
      let ends = exchange.sent + exchange.skips + exchange.reactions
      guard let end = ends.map(\.source.timeMs).min() else { return false }
      let starts =
        [exchange.admission?.source.timeMs, exchange.gate?.source.timeMs]
        + [exchange.calls.first?.source.timeMs]
      return starts.contains { $0.map { $0 > end } ?? false }
    },
    says: { exchange in
      "Contradicted: the row of the outcome for \(exchange.authorName) is older than the rows that "
        + "should lead to it."
    },
    evidence: { exchange in
      [
        ((exchange.sent + exchange.skips + exchange.reactions).first?.source, "the outcome"),
        (exchange.calls.first?.source ?? exchange.admission?.source, "what should lead to it"),
      ]
    },
    next: { exchange in
      Answer.NextStep(
        "Look at the rows and their times.", target: exchange.trigger?.row.map { .row($0) })
    },
    fixture: WhyFixture(
      carriers: [],
      """
      0 sent_reply@bot yes {"triggerMessageId":"$T"}
      900 llm_call claude:opus {"messageId":"$T","model":"opus","transcript":"yes"}
      1000 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      """))

  private static func fetch(_ exchange: Exchange) -> Answer.NextStep {
    exchange.isComplete
      ? Answer.NextStep(
        "Look into the bot's own log at that time.",
        target: exchange.sources.last?.row.map { .row($0) })
      : Answer.NextStep(
        "Rows of that time are missing here: fetch more of the past, and ask again.")
  }

  private static let unknownDelivery = WhyRule(
    "text.unknown.delivery", .unknown, .unknown, stop: .delivered,
    when: { $0.medium == .text && !$0.calls.isEmpty },
    says: { exchange in
      "Unknown: the model answered \(exchange.authorName), and no delivery and no skip is on record; "
        + "not all rows of that time are here."
    },
    evidence: { exchange in
      [
        (exchange.calls.last?.source, "the model's answer"),
        (exchange.admission?.source, "why it was admitted"),
      ]
    }, next: fetch,
    fixture: WhyFixture(
      carriers: [], missing: [3],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      2300 llm_call claude:opus {"messageId":"$T","model":"opus","transcript":"the slow one"}
      2900 sent_reply@bot the slow one {"triggerMessageId":"$T"}
      """))

  private static let unknownCall = WhyRule(
    "text.unknown.call", .unknown, .unknown, stop: .model,
    when: { $0.medium == .text && $0.gate?.allow == true },
    says: { exchange in
      "Unknown: the gate for \(exchange.authorName) was open, and no model call and no outcome is on "
        + "record."
    },
    evidence: { exchange in
      [
        (exchange.gate?.source, "the open gate"),
        (exchange.admission?.source, "why it was admitted"),
      ]
    }, next: fetch,
    fixture: WhyFixture(
      carriers: [],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      200 text_runtime reply_pipeline_gate {"triggerMessageId":"$T","allow":true,"reason":"ready"}
      """))

  private static let unknownGate = WhyRule(
    "text.unknown.gate", .unknown, .unknown, stop: .gate,
    when: { $0.medium == .text && $0.admission?.allow == true },
    says: { exchange in
      "Unknown: the message of \(exchange.authorName) was admitted, and no gate, call or outcome is on "
        + "record."
    },
    evidence: { exchange in [(exchange.admission?.source, "it was admitted")] }, next: fetch,
    fixture: WhyFixture(
      carriers: [],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      """))

  private static let unknownEnd = WhyRule(
    "unknown", .unknown, .unknown,
    when: { _ in true },
    says: { exchange in
      "Unknown: no row on record says what came of this; \(exchange.sources.count) name it."
    },
    evidence: { exchange in [(exchange.trigger, "the first row")] }, next: fetch,
    fixture: WhyFixture(
      carriers: [],
      """
      0 memory_embedding_call text-embedding-3-small {"traceMessageId":"$T"}
      """))
}
