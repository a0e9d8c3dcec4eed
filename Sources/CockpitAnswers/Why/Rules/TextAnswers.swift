/// Messages that were answered.
extension WhyRule {
  static let textAnswers = [replied, posted, reacted]

  private static func rest(_ exchange: Exchange) -> [Claim] {
    [
      (exchange.calls.last?.source, "the last model call"),
      (exchange.admission?.source, "why it was admitted"),
      (exchange.wordsSource, "the words"),
    ]
  }

  private static func lookAtCall(_ exchange: Exchange) -> Answer.NextStep {
    Answer.NextStep(
      "Read its prompt and its calls in BRAIN.",
      target: (exchange.calls.last?.source.row ?? exchange.sent.last?.source.row).map { .row($0) })
  }

  private static let replied = WhyRule(
    "text.replied", .replied,
    when: { $0.medium == .text && $0.sent.last?.source.kind == "sent_reply" },
    says: { "Answered \($0.authorName): \(WhyWords.path($0))." },
    evidence: { [($0.sent.last?.source, "the reply")] + rest($0) }, next: lookAtCall,
    fixture: WhyFixture(
      asks: 5, carriers: [5],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      180 text_runtime reply_pipeline_gate {"triggerMessageId":"$T","allow":true,"reason":"ready"}
      185 text_runtime reply_tool_availability {"triggerMessageId":"$T",
        "includedTools":["web_search"]}
      2900 llm_call$0.018 claude:opus {"messageId":"$T","model":"opus",
        "transcript":"{\\"text\\":\\"the slow one\\"}",
        "userPrompt":"=== CURRENT MESSAGE ===\\n\\ntomasz: which fuse?\\n\\n=== RECENT ==="}
      3700 sent_reply@bot the slow one {"triggerMessageId":"$T","performance":{"queueMs":8,
        "llm1Ms":2715,"sendMs":90}}
      """))

  private static let posted = WhyRule(
    "text.posted", .posted,
    when: { $0.medium == .text && !$0.sent.isEmpty },
    says: { "Answered \($0.authorName) with a message of its own: \(WhyWords.path($0))." },
    evidence: { [($0.sent.last?.source, "the message")] + rest($0) }, next: lookAtCall,
    fixture: WhyFixture(
      carriers: [3],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      1900 llm_call$0.011 claude:opus {"messageId":"$T","model":"opus","transcript":"on it"}
      2300 sent_message@bot on it {"triggerMessageId":"$T"}
      """))

  private static let reacted = WhyRule(
    "text.reacted", .reacted,
    when: { $0.medium == .text && !$0.reactions.isEmpty },
    says: { exchange in
      let emoji = WhyWords.quote(exchange.reactions.last?.text ?? "", limit: 24)
      return "Answered \(exchange.authorName) with a reaction, \(emoji), and no words: "
        + "\(WhyWords.path(exchange))."
    },
    reason: { _ in "reply_directive" },
    evidence: { [($0.reactions.last?.source, "the reaction")] + rest($0) }, next: lookAtCall,
    fixture: WhyFixture(
      carriers: [3],
      """
      0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
        "reason":"hard_address"}
      1500 llm_call claude:opus {"messageId":"$T","model":"opus",
        "transcript":"{\\"text\\":\\"\\",\\"reaction\\":\\"!\\"}"}
      1510 reacted@bot ! {"triggerMessageId":"$T","reason":"reply_directive"}
      """))
}
