/// Why the bot answered, or was silent: the answer, the steps down to where it stopped, and the exchange that it
/// is about.
package struct Why: Hashable, Sendable {
  package var answer: Answer
  /// The name of the rule that answered.
  package var rule: String
  package var outcome: WhyRule.Outcome
  /// The wire's code for the outcome; nil where it has none.
  package var reason: String?
  package var checklist: [WhyStep]
  package var exchange: Exchange

  /// The first rule of the table that holds answers.
  ///
  /// - Parameter rules: the table, for tests of single rules.
  package init(_ exchange: Exchange, rules: [WhyRule] = WhyRule.all) {
    self.exchange = exchange
    guard let rule = rules.first(where: { $0.holds(exchange) }) else {
      rule = "none"
      outcome = .unknown
      checklist = WhyStep.list(of: exchange, stop: nil)
      answer = Answer(
        "Unknown: no row on record says how this ended.", state: .unknown,
        evidence: Self.evidence([(exchange.trigger, "the first row")]),
        coverage: Self.coverage(exchange))
      return
    }
    self.rule = rule.name
    outcome = rule.outcome
    reason = rule.reason(exchange)
    checklist = WhyStep.list(of: exchange, stop: rule.stop)
    answer = Answer(
      rule.sentence(exchange), state: rule.state(exchange),
      evidence: Self.evidence(rule.evidence(exchange)), coverage: Self.coverage(exchange),
      next: rule.next(exchange))
  }

  private static func evidence(_ claims: [WhyRule.Claim]) -> [Answer.Evidence] {
    claims.compactMap { claim in
      claim.source.map { source in
        Answer.Evidence(
          rowID: source.row, actionID: source.actionID, timeMs: source.timeMs, kind: source.kind,
          claim: source.link == .time ? claim.claim + " (by time)" : claim.claim)
      }
    }
  }

  private static func coverage(_ exchange: Exchange) -> Answer.Coverage {
    Answer.Coverage(
      fromMs: exchange.startMs, toMs: exchange.settledMs, isComplete: exchange.isComplete)
  }
}
