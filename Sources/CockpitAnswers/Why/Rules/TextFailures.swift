/// Messages that should have been answered and were not. That something did not happen follows from a missing
/// row only where all rows of that time are here.
extension WhyRule {
  static let textFailures = [callFailed, unfinished, modelFailed, notSentWithError, notSent]

  /// No row states how it ended.
  private static func hasNoEnd(_ exchange: Exchange) -> Bool {
    exchange.medium == .text && exchange.sent.isEmpty && exchange.skips.isEmpty
      && exchange.reactions.isEmpty && exchange.admission?.allow != false
      && exchange.gate?.allow != false && exchange.queue == nil
  }

  /// A failed call names no message; where none of that person in that channel is on record it stands alone.
  private static let callFailed = WhyRule(
    "text.call_failed", .modelFailed, stop: .model,
    when: { exchange in
      if case .row = exchange.key {
        hasNoEnd(exchange) && !exchange.modelErrors.isEmpty
      } else {
        false
      }
    },
    says: { exchange in
      "Failed: a model call for \(exchange.authorName) "
        + "(\(WhyWords.failure(exchange.modelErrors.last?.text ?? ""))); the message that it was for is on "
        + "no row here."
    },
    reason: { $0.modelErrors.last.map { WhyWords.failure($0.text) } },
    evidence: { [($0.modelErrors.last?.source, "the failed call")] },
    next: { exchange in
      Answer.NextStep(
        "Check the model provider's status page, key and quota.",
        target: exchange.modelErrors.last?.source.row.map { .row($0) })
    },
    fixture: WhyFixture(
      carriers: [1],
      """
      0 llm_error 529 overloaded {"model":"opus","status":529}
      """))

  private static let unfinished = WhyRule(
    "text.open", .open, .unknown,
    when: { hasNoEnd($0) && $0.isOpen },
    says: { exchange in
      let failed = exchange.modelErrors.last.map { WhyWords.failure($0.text) }
      let at =
        !exchange.calls.isEmpty
        ? "the model has answered"
        : failed.map {
          "a model call in that channel failed (\($0)), and no other is on record yet"
        }
          ?? "no model call is on record yet"
      return WhyWords.underway(exchange)
        + "the message of \(exchange.authorName) \(exchange.isCutOff ? "was" : "is") being worked on; "
        + "\(at)."
    },
    evidence: { [($0.calls.last?.source ?? $0.sources.last, "the last row so far")] },
    next: WhyWords.waiting,
    fixture: WhyFixture(
      carriers: [], isOpen: true,
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      """))

  private static let modelFailed = WhyRule(
    "text.model_failed", .modelFailed, .inferred, stop: .model,
    when: {
      hasNoEnd($0) && $0.isComplete && $0.calls.isEmpty && !$0.modelErrors.isEmpty
    },
    says: { exchange in
      let errors = exchange.modelErrors
      let times = errors.count == 1 ? "the model call failed" : "\(errors.count) model calls failed"
      return "Silent, as it seems: \(times) (\(WhyWords.failure(errors.last?.text ?? ""))) at that "
        + "time in that channel, and no answer to \(exchange.authorName) is on record."
    },
    reason: { $0.modelErrors.last.map { WhyWords.failure($0.text) } },
    evidence: { exchange in
      exchange.modelErrors.reversed().map { ($0.source, "the failed call") }
        + [(exchange.gate?.source, "the gate was open")]
    },
    next: { exchange in
      Answer.NextStep(
        "Check the model provider's status page, key and quota.",
        target: exchange.modelErrors.last?.source.row.map { .row($0) })
    },
    fixture: WhyFixture(
      carriers: [3],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      180 text_runtime reply_pipeline_gate {"triggerMessageId":"$T","allow":true,"reason":"ready"}
      2300 llm_error 529 overloaded {"model":"opus","status":529}
      """))

  private static let notSentWithError = WhyRule(
    "text.not_sent.error", .notSent, .inferred, stop: .delivered,
    when: {
      hasNoEnd($0) && $0.isComplete && !$0.calls.isEmpty && !$0.sendErrors.isEmpty
    },
    says: { exchange in
      let error = WhyWords.quote(exchange.sendErrors.last?.text ?? "", limit: 70)
      return
        "Generated and never sent: the model answered \(exchange.authorName), and instead of a "
        + "message there is an error right after it: \(error)."
    },
    evidence: { exchange in
      [
        (exchange.calls.last?.source, "the answer was generated"),
        (exchange.sendErrors.last?.source, "the error"),
        (exchange.admission?.source, "why it was admitted"),
      ]
    },
    next: { exchange in
      Answer.NextStep(
        "Check the bot's right to post in that channel.",
        target: exchange.sendErrors.last?.source.row.map { .row($0) })
    },
    fixture: WhyFixture(
      carriers: [2],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      2300 llm_call$0.02 claude:opus {"messageId":"$T","model":"opus","transcript":"the slow one"}
      2700 bot_error discord_send_failed: Missing Permissions {"source":"message_event"}
      """))

  private static let notSent = WhyRule(
    "text.not_sent", .notSent, .inferred, stop: .delivered,
    when: { hasNoEnd($0) && $0.isComplete && !$0.calls.isEmpty },
    says: { exchange in
      "Generated and never sent: the model answered \(exchange.authorName), and within two minutes "
        + "no row says that it was sent or skipped; all rows of that time are here."
    },
    evidence: { exchange in
      [
        (exchange.calls.last?.source, "the answer was generated"),
        (exchange.admission?.source, "why it was admitted"), (exchange.wordsSource, "the words"),
      ]
    },
    next: { exchange in
      Answer.NextStep(
        "Check the bot's own log at that time, and its right to post in that channel.",
        target: exchange.calls.last?.source.row.map { .row($0) })
    },
    fixture: WhyFixture(
      carriers: [2],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      2300 llm_call$0.02 claude:opus {"messageId":"$T","model":"opus","transcript":"the slow one"}
      """))
}
