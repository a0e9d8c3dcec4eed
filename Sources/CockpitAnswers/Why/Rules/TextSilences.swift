/// Messages that the bot decided not to answer, with the row that records the decision.
extension WhyRule {
  static let textSilences = [skippedByModel, skipped, notAdmitted, queueRejected, gateClosed]

  private static func advice(
    _ code: String?, _ source: Exchange.Source?, else sentence: String
  ) -> Answer.NextStep {
    Answer.NextStep(WhyWords.advice(code) ?? sentence, target: source?.row.map { .row($0) })
  }

  private static let skippedByModel = WhyRule(
    "text.skipped.model", .skipped, stop: .generated,
    when: { $0.medium == .text && $0.skips.last?.text == "llm_skip" },
    says: { exchange in
      let model = exchange.calls.last?.model.map { ", \($0)," } ?? ""
      return "Silent: the model\(model) chose to say nothing to \(exchange.authorName) (llm_skip)."
    },
    reason: { $0.skips.last?.text },
    evidence: {
      [
        ($0.skips.last?.source, "the skip"), ($0.calls.last?.source, "the model's output"),
        ($0.admission?.source, "why it was admitted"), ($0.wordsSource, "the words"),
      ]
    },
    next: { advice("llm_skip", $0.calls.last?.source ?? $0.skips.last?.source, else: "") },
    fixture: WhyFixture(
      carriers: [3],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"ambient_allowed"}
      1700 llm_call$0.01 claude:opus {"messageId":"$T","model":"opus",
        "transcript":"{\\"text\\":\\"\\",\\"skip\\":true}"}
      1710 reply_skipped@bot llm_skip {"triggerMessageId":"$T"}
      """))

  private static let skipped = WhyRule(
    "text.skipped", .skipped, stop: .delivered,
    when: { $0.medium == .text && !$0.skips.isEmpty },
    says: { exchange in
      let reason = WhyWords.reason(exchange.skips.last?.text)
      return "Silent: the reply to \(exchange.authorName) was not sent: \(reason)."
    },
    reason: { $0.skips.last?.text },
    evidence: {
      [
        ($0.skips.last?.source, "the skip"), ($0.calls.last?.source, "what the model wrote"),
        ($0.admission?.source, "why it was admitted"), ($0.wordsSource, "the words"),
      ]
    },
    next: {
      advice($0.skips.last?.text, $0.skips.last?.source, else: "Read the call's output in BRAIN.")
    },
    fixture: WhyFixture(
      carriers: [3],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      1700 llm_call claude:opus {"messageId":"$T","model":"opus","transcript":"yes, the slow one"}
      1710 reply_skipped@bot duplicate_reply {"triggerMessageId":"$T"}
      """))

  private static let notAdmitted = WhyRule(
    "text.not_admitted", .notAdmitted, stop: .admitted,
    when: { $0.medium == .text && $0.admission?.allow == false },
    says: { exchange in
      let reason = WhyWords.reason(exchange.admission?.reason)
      return "Silent: a message of \(exchange.authorName) was not admitted: \(reason)"
        + "\(WhyWords.closeness(exchange.addressing))."
    },
    reason: { $0.admission?.reason },
    evidence: { [($0.admission?.source, "the admission"), ($0.wordsSource, "the words")] },
    next: {
      advice(
        $0.admission?.reason, $0.admission?.source, else: "See what the admission's row knew.")
    },
    fixture: WhyFixture(
      carriers: [1],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":false,
        "reason":"ambient_low_confidence","addressSignal":{"direct":false,"confidence":0.21,
        "threshold":0.62}}
      """))

  private static let queueRejected = WhyRule(
    "text.queue_rejected", .queueRejected, stop: .admitted,
    when: { $0.medium == .text && $0.queue != nil },
    says: { exchange in
      let reason = WhyWords.reason(exchange.queue?.reason)
      return "Silent: a message of \(exchange.authorName) was turned away at the queue: \(reason)."
    },
    reason: { $0.queue?.reason },
    evidence: { [($0.queue?.source, "the queue"), ($0.admission?.source, "the admission")] },
    next: {
      advice($0.queue?.reason, $0.queue?.source, else: "See how long the queue of replies is.")
    },
    fixture: WhyFixture(
      carriers: [1],
      """
      0 text_runtime reply_queue_gate_rejected {"triggerMessageId":"$T","allow":false,
        "reason":"queue_full","queueDepth":9}
      """))

  private static let gateClosed = WhyRule(
    "text.gate_closed", .gateClosed, stop: .gate,
    when: { $0.medium == .text && $0.gate?.allow == false },
    says: { exchange in
      let reason = WhyWords.reason(exchange.gate?.reason)
      return "Silent: the gate of the reply to \(exchange.authorName) stayed closed: \(reason)."
    },
    reason: { $0.gate?.reason },
    evidence: { [($0.gate?.source, "the gate"), ($0.admission?.source, "why it was admitted")] },
    next: { advice($0.gate?.reason, $0.gate?.source, else: "See what the gate's row knew.") },
    fixture: WhyFixture(
      carriers: [2],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      190 text_runtime reply_pipeline_gate {"triggerMessageId":"$T","allow":false,
        "reason":"send_budget_exhausted"}
      """))
}
