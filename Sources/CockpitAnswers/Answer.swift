package import CockpitStores

/// The answer to a question: one sentence, its evidence, and the next step. Screen, verb, `--json`,
/// `--linear` and title all print this value and add no wording of their own.
///
/// Made by pure functions of the stores and a time. Sentences may quote untrusted text: convert them to
/// `PlainText` before drawing or printing.
package struct Answer: Hashable, Sendable {
  /// The certainty of the sentence.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// Rows say so.
    case observed
    /// It follows from rows that do not say so themselves; the sentence marks it.
    case inferred
    /// No stored row answers it. The sentence says what is missing.
    case unknown
    /// Rows contradict one another.
    case contradicted
  }

  /// One row that carries a claim.
  package struct Evidence: Hashable, Sendable {
    /// The row in our ring; nil if the evidence is no row, such as a value of the statistics.
    package var rowID: RowID?
    /// The backend's id of that row; nil if unknown.
    package var actionID: Int?
    /// Time of the event, in ms since 1970 on the backend's clock; nil if unknown.
    package var timeMs: Int64?
    /// The wire's kind, such as `reply_skipped`; empty if the evidence is no row.
    package var kind: String
    /// What the evidence shows, in a few words. May quote untrusted text.
    package var claim: String

    package init(
      rowID: RowID? = nil, actionID: Int? = nil, timeMs: Int64? = nil, kind: String = "",
      claim: String
    ) {
      self.rowID = rowID
      self.actionID = actionID
      self.timeMs = timeMs
      self.kind = kind
      self.claim = claim
    }

    /// A row and what it shows.
    package init(_ row: ActionRowView, _ claim: String) {
      self.init(
        rowID: row.id, actionID: row.actionID, timeMs: row.timeMs, kind: row.kind, claim: claim)
    }
  }

  /// Over which time the answer speaks, and whether all rows of it are here.
  package struct Coverage: Hashable, Sendable {
    /// ms since 1970; nil if the start of the rows is unknown.
    package var fromMs: Int64?
    package var toMs: Int64?
    /// Whether every relevant row of that time is stored.
    package var isComplete: Bool

    package init(fromMs: Int64? = nil, toMs: Int64? = nil, isComplete: Bool) {
      self.fromMs = fromMs
      self.toMs = toMs
      self.isComplete = isComplete
    }
  }

  /// The suggested next step.
  package struct NextStep: Hashable, Sendable {
    /// The effect of Enter on the screen.
    package enum Target: Hashable, Sendable {
      case row(RowID)
      /// Rows that match a filter, in PULSE.
      case filter(String)
      /// A line for `:`, such as `facts edit 18`.
      case line(String)
    }

    /// One sentence in the imperative.
    package var sentence: String
    package var target: Target?

    package init(_ sentence: String, target: Target? = nil) {
      self.sentence = sentence
      self.target = target
    }
  }

  /// One sentence, with its full stop.
  package var sentence: String
  package var state: State
  /// The evidence, most important first.
  package var evidence: [Evidence]
  package var coverage: Coverage
  package var next: NextStep?

  package init(
    _ sentence: String, state: State, evidence: [Evidence] = [], coverage: Coverage,
    next: NextStep? = nil
  ) {
    self.sentence = sentence
    self.state = state
    self.evidence = evidence
    self.coverage = coverage
    self.next = next
  }
}
