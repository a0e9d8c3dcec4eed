/// One promise of `[slo]` beside what the rows show, as of one moment.
package struct Promise: Hashable, Sendable {
  /// The raw values are the keys of `[slo]`.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case text = "text_p95"
    case voice = "voice_p95"
    case unanswered
    case cost = "cost_per_day_usd"
    case skip
  }

  package enum Verdict: String, Hashable, Sendable {
    case kept
    /// Kept so far; at the present rate it will be broken.
    case burning
    case broken
    /// The turns of the window cannot tell.
    case tooFew = "too_few"
    /// No row of the window, or no figure of the backend's.
    case unknown
  }

  package enum Objective: Hashable, Sendable {
    /// Of 95 of 100, in ms.
    case milliseconds(Int)
    case share(Double)
    case count(Int)
    case usd(Double)
    case range(ClosedRange<Double>)
  }

  /// The measured value.
  package enum Value: Hashable, Sendable {
    /// The 95th percentile, in ms.
    case p95(Int)
    /// The slowest, in ms: too few for a percentile.
    case worst(Int)
    /// 0 to 1.
    case share(Double)
    case count(Int)
    case usd(Double)
  }

  /// How fast the error budget is used: 1 uses it up exactly within the window.
  package struct Burn: Hashable, Sendable {
    /// The time that it was measured over, in ms.
    package var overMs: Int64
    package var rate: Double
    /// The burn rate from which on it counts; nil for one that is only shown.
    package var threshold: Double?

    package init(overMs: Int64, rate: Double, threshold: Double? = nil) {
      self.overMs = overMs
      self.rate = rate
      self.threshold = threshold
    }
  }

  package var kind: Kind
  package var verdict: Verdict
  package var objective: Objective
  package var value: Value?
  /// Turns, messages or days behind the value.
  package var n: Int
  /// Those that missed the objective; nil where none can.
  package var missed: Int?
  /// From when to when, in ms since 1970.
  package var fromMs: Int64
  package var toMs: Int64
  /// Whether every row of the promised window is here.
  package var isComplete: Bool
  /// Whether every row from `fromMs` on is.
  package var isCovered = true
  /// The least `n` from which on the verdict can be told.
  package var leastN = 1
  /// The used part of the error budget; above 1 it is used up. nil without a budget.
  package var used: Double?
  /// The burn rate that decides, or the one of the last hour; nil if nothing was measured.
  package var burn: Burn?
  /// At that rate the promise is broken so much later, in ms; nil if it is not within its window.
  package var breachInMs: Int64?
  /// The rows that missed the objective, newest first.
  package var evidence: [Answer.Evidence] = []

  package init(
    kind: Kind, verdict: Verdict, objective: Objective, value: Value?, n: Int, missed: Int?,
    fromMs: Int64, toMs: Int64, isComplete: Bool
  ) {
    self.kind = kind
    self.verdict = verdict
    self.objective = objective
    self.value = value
    self.n = n
    self.missed = missed
    self.fromMs = fromMs
    self.toMs = toMs
    self.isComplete = isComplete
  }

  /// Whether it is a trouble.
  package var isTrouble: Bool { verdict == .broken || verdict == .burning }
}

/// All promises as of one moment.
package struct PromiseReport: Hashable, Sendable {
  /// In the order of `Promise.Kind`.
  package var promises: [Promise] = []

  package init(promises: [Promise] = []) { self.promises = promises }

  package var troubles: [Promise] { promises.filter(\.isTrouble) }
}
