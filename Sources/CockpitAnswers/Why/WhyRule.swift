/// One row of the table that answers "why": when it applies, what it says, and a log that shows it.
///
/// To add one, copy a rule of `Rules/` with its fixture and put it into `WhyRule.all` before those that are
/// more general. A test asks that its own fixture is answered by it.
package struct WhyRule: Sendable {
  /// How an exchange ended; the raw values are the words of the JSON output and of `docs/demo.md`.
  package enum Outcome: String, CaseIterable, Hashable, Sendable {
    case replied, posted, spoken, reacted, interrupted
    case skipped, dropped
    case notAdmitted = "not_admitted"
    case gateClosed = "gate_closed"
    case queueRejected = "queue_rejected"
    /// Speech that was never understood.
    case unheard
    case superseded
    /// What waited at a gateway was answered, or its time ran out.
    case answered, expired
    /// Generated and not delivered.
    case notSent = "not_sent"
    case modelFailed = "model_failed"
    case failed
    /// Not over yet.
    case open
    case unknown
    case contradicted
  }

  /// A row and what it shows; a missing row drops the claim.
  typealias Claim = (source: Exchange.Source?, claim: String)

  /// `text.not_sent`: medium, then what distinguishes it.
  package var name: String
  package var outcome: Outcome
  /// How sure the sentence is.
  var state: @Sendable (Exchange) -> Answer.State
  var holds: @Sendable (Exchange) -> Bool
  /// One sentence with its full stop.
  var sentence: @Sendable (Exchange) -> String
  /// The wire's code for the outcome.
  var reason: @Sendable (Exchange) -> String?
  /// The most important first.
  var evidence: @Sendable (Exchange) -> [Claim]
  /// The step where it stopped; nil if an output was delivered.
  var stop: WhyStep.Kind?
  var next: @Sendable (Exchange) -> Answer.NextStep
  /// A log that this rule answers, and no other one.
  package var fixture: WhyFixture

  init(
    _ name: String, _ outcome: Outcome, _ state: Answer.State = .observed,
    stop: WhyStep.Kind? = nil, when holds: @escaping @Sendable (Exchange) -> Bool,
    says sentence: @escaping @Sendable (Exchange) -> String,
    reason: @escaping @Sendable (Exchange) -> String? = { _ in nil },
    evidence: @escaping @Sendable (Exchange) -> [Claim],
    next: @escaping @Sendable (Exchange) -> Answer.NextStep, fixture: WhyFixture
  ) {
    self.name = name
    self.outcome = outcome
    self.state = { _ in state }
    self.stop = stop
    self.holds = holds
    self.sentence = sentence
    self.reason = reason
    self.evidence = evidence
    self.next = next
    self.fixture = fixture
  }

  /// The same rule with a certainty that depends on the rows.
  func with(state: @escaping @Sendable (Exchange) -> Answer.State) -> WhyRule {
    var rule = self
    rule.state = state
    return rule
  }

  /// The table: the first rule that holds answers.
  package static let all: [WhyRule] =
    agentRequests + agentRuns + textContradictions + textAnswers + textSilences + textFailures
    + voiceAnswers
    + voiceSilences + ownActions + textUnknowns
}
