/// Two sides compared: one sentence, a line for each figure, and shares of what is below them.
///
/// Names may be a stranger's words: convert them to `PlainText` before drawing or printing.
package struct Comparison: Hashable, Sendable {
  /// What a figure tells; the raw values are those of the JSON output.
  package enum Cause: String, CaseIterable, Hashable, Sendable {
    case voiceLatency = "voice_latency"
    case textLatency = "text_latency"
    case silence, failures, cost
  }

  package enum Unit: String, Hashable, Sendable {
    case ms, share, usd, tokens
    case perHundred = "per_100_replies"
  }

  /// The figure of one side.
  package struct Value: Hashable, Sendable {
    /// nil below the least n, or without anything to count.
    package var value: Double?
    /// The 95 % interval; the high end may be infinite.
    package var low: Double?
    package var high: Double?
    /// Turns, replies, calls.
    package var n: Int
    /// What can be said where there is no figure, such as `worst of 14: 9.7s`.
    package var note: String?
    /// In the order of time, for a spark; nil where a part of the time has nothing.
    package var trend: [Double?] = []
    /// The rows behind it, oldest first.
    package var evidence: [Answer.Evidence] = []
  }

  /// How the other side compares with the first.
  package struct Difference: Hashable, Sendable {
    package enum Scale: String, Hashable, Sendable {
      /// `b / a`.
      case ratio
      /// `b - a`, of shares.
      case difference
    }

    package var scale: Scale
    /// nil where neither side has an event; infinite where only the other has.
    package var value: Double?
    /// The 99 % interval, on which a verdict rests.
    package var low: Double
    package var high: Double
    /// nil where the interval alone decides.
    package var p: Double?
  }

  /// The word about a figure; the raw values are those of the JSON output.
  package enum Verdict: String, CaseIterable, Hashable, Sendable {
    case worse, better
    /// No difference that so few could show.
    case same
    case tooLittle = "too_little"
  }

  package struct Figure: Hashable, Sendable {
    /// Stable, such as `text_reply_p50`.
    package var id: String
    /// On screen, such as `text reply p50`.
    package var title: String
    package var cause: Cause
    package var unit: Unit
    /// What n counts: `turns`, `replies`.
    package var things: String
    package var a: Value
    package var b: Value
    package var difference: Difference?
    package var verdict: Verdict
    /// Whether a verdict stands alone, so that it may be one of the false ones: `perhaps`; else `likely`.
    package var isAlone = false
    /// What a verdict of no difference is worth, and why there is none.
    package var remark: String?

    /// `perhaps worse`
    package var words: String {
      switch verdict {
      case .worse, .better: (isAlone ? "perhaps " : "likely ") + verdict.rawValue
      case .same: "no difference shown"
      case .tooLittle: "too little"
      }
    }
  }

  /// How often something was among things of a kind.
  package struct Share: Hashable, Sendable {
    package enum Topic: String, CaseIterable, Hashable, Sendable {
      case outcomes, silences, models, tools, kinds
    }

    package var topic: Topic
    /// The wire's word.
    package var name: String
    package var a: Int
    package var b: Int
    package var ofA: Int
    package var ofB: Int
    /// In points of the whole, with the 99 % interval; nil if a side has nothing.
    package var difference: Difference?
  }

  /// How often a rule found something, for each turn.
  package struct Rate: Hashable, Sendable {
    /// The name of the rule.
    package var rule: String
    package var a: Int
    package var b: Int
    package var turnsA: Int
    package var turnsB: Int
    /// The ratio of the rates with its 99 % interval; nil if a side has no turn.
    package var difference: Difference?
    /// The rows behind both counts, oldest first.
    package var evidenceA: [Answer.Evidence]
    package var evidenceB: [Answer.Evidence]
  }

  /// What a side covers.
  package struct Side: Hashable, Sendable {
    package var name: String
    package var ranges: [Range<Int64>]
    package var turns: Int
    package var missing: [MissingStretch]
  }

  package var answer: Answer
  package var a: Side
  package var b: Side
  package var figures: [Figure]
  package var shares: [Share]
  /// By rule, the most frequent first.
  package var incidents: [Rate] = []
  /// What changed on the way from one side to the other.
  package var changes: [LedgerChange]

  /// Figures for which a verdict was possible.
  package var compared: Int { figures.count { $0.verdict != .tooLittle } }
  package var isWorse: Bool { figures.contains { $0.verdict == .worse } }

  package subscript(id: String) -> Figure? { figures.first { $0.id == id } }
}
