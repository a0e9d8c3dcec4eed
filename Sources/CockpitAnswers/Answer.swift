package import CockpitStores

/// What the cockpit answers to a question: one sentence, what it rests on, and what to do next. Screen,
/// verb, `--json`, `--linear` and title all print this value; none has words of its own.
///
/// Made by pure functions of the stores and a time. Sentences may quote untrusted text: convert them to
/// `PlainText` before drawing or printing.
package struct Answer: Hashable, Sendable {
  /// How sure the sentence is.
  package enum State: String, CaseIterable, Hashable, Sendable {
    /// Rows say so.
    case observed
    /// It follows from rows that do not say so themselves; the sentence marks it.
    case inferred
    /// No row on record tells. What is missing stands in the sentence.
    case unknown
    /// Rows contradict one another.
    case contradicted
  }

  /// One row that carries a claim.
  package struct Evidence: Hashable, Sendable {
    /// The row in our ring; nil for what no row says, such as a value of the statistics.
    package var rowID: RowID?
    /// The backend's id of that row; nil while none is known.
    package var actionID: Int?
    /// When it happened, in ms since 1970 on the backend's clock; nil when unknown.
    package var timeMs: Int64?
    /// The wire's kind, such as `reply_skipped`; empty for what no row says.
    package var kind: String
    /// What it shows, in a few words. May quote untrusted text.
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
    /// ms since 1970; nil where rows have no beginning that is known.
    package var fromMs: Int64?
    package var toMs: Int64?
    /// Whether every row of that time that could matter is here.
    package var isComplete: Bool

    package init(fromMs: Int64? = nil, toMs: Int64? = nil, isComplete: Bool) {
      self.fromMs = fromMs
      self.toMs = toMs
      self.isComplete = isComplete
    }
  }

  /// What the reader does next.
  package struct NextStep: Hashable, Sendable {
    /// What Enter does on the screen.
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
  /// What it rests on, the most important first.
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
