internal import ClankyWire
package import CockpitText
package import LenientJSON
package import TerminalCore

/// What other thresholds would have changed, from logged scores alone.
package struct ThresholdAnswer: Hashable, Sendable {
  /// One family of scores.
  package struct Family: Hashable, Sendable {
    package var family: ScoreFamily
    package var decided = 0
    package var scored = 0
    /// Those with a score that something else decided.
    package var otherwise = 0
    /// What each threshold would have changed.
    package var steps: [Step] = []
    /// The rows that the threshold that was asked for would have changed, newest first; nil if none was asked for.
    package var flips: [Flipped]?

    /// Rows without a score.
    package var unknown: Int { decided - scored }

    /// Decisions that another threshold could have changed.
    var changeable: Int { scored - otherwise }
  }

  /// A decision that another threshold would have changed, and how.
  package struct Flipped: Hashable, Sendable {
    package var decision: ScoredDecision
    package var flip: ScoredDecision.Flip
  }

  package struct Step: Hashable, Sendable {
    package var threshold: Double
    package var answered: Int
    package var lost: Int
  }

  package let families: [Family]
  package let answer: Answer

  /// - Parameters:
  ///   - decisions: of the time, in any order.
  ///   - asked: one threshold by family; the families without one have a table.
  package init(
    _ decisions: [ScoredDecision], asked: [ScoreFamily: Double] = [:], coverage: Answer.Coverage
  ) {
    let wanted =
      asked.isEmpty ? ScoreFamily.allCases : ScoreFamily.allCases.filter { asked[$0] != nil }
    families = wanted.map { name in
      let all = decisions.filter { $0.family == name }
      let scored = all.filter { $0.score != nil }
      var family = Family(family: name, decided: all.count, scored: scored.count)
      family.otherwise = scored.count { !$0.isByScore }
      family.steps = (asked[name].map { [$0] } ?? name.steps).map { threshold in
        let flips = scored.compactMap { $0.flip(at: threshold) }
        return Step(
          threshold: threshold, answered: flips.count { $0 == .answered },
          lost: flips.count { $0 == .lost })
      }
      if let threshold = asked[name] {
        family.flips = scored.compactMap { decision in
          decision.flip(at: threshold).map { Flipped(decision: decision, flip: $0) }
        }.sorted { ($0.decision.evidence.timeMs ?? 0) > ($1.decision.evidence.timeMs ?? 0) }
      }
      return family
    }
    let decided = families.reduce(0) { $0 + $1.decided }
    let unknown = families.reduce(0) { $0 + $1.unknown }
    let evidence = families.flatMap { $0.flips ?? [] }.map(\.decision.evidence)
    let sentence: String
    if decided == 0 {
      sentence = "No decision is on record of this time."
    } else if asked.isEmpty {
      sentence =
        "Modelled: \(decided - unknown) of \(decided) decisions have a logged score; nothing can be said of the other \(unknown)."
    } else {
      let parts = families.map { family in
        let step = family.steps.first
        return
          "\(family.family.rawValue) at \(Self.number(step?.threshold ?? 0)): \(step?.answered ?? 0) of \(family.decided) would have passed, \(step?.lost ?? 0) would have been lost"
      }
      sentence =
        "Modelled: \(parts.joined(separator: "; ")); of \(unknown) without a score nothing can be said."
    }
    answer = Answer(
      sentence, state: decided == 0 || decided == unknown ? .unknown : .inferred,
      evidence: evidence, coverage: coverage)
  }

  static func number(_ value: Double) -> String { Figures.fixed(value, 2) }

  // MARK: Words

  /// - Parameter lines: rows that are listed at most for each family.
  @MainActor package func lines(_ clock: ClockFormat, limit: Int = 40) -> [PlainText] {
    var lines = [PlainText(answer.sentence, limit: 600)]
    for family in families {
      lines.append("")
      lines.append(
        PlainText(
          "\(family.family.rawValue): \(family.family.subject); decided \(family.decided), with a score \(family.scored), cannot say \(family.unknown), decided by something else \(family.otherwise)"
        ))
      if family.changeable > 0, family.flips == nil {
        lines.append("  threshold  would pass  would be lost")
        for step in family.steps {
          lines.append(
            PlainText("  ") + PlainText(Self.number(step.threshold)).leftPadded(to: 9) + "  "
              + PlainText("\(step.answered)").leftPadded(to: 10) + "  "
              + PlainText("\(step.lost)").leftPadded(to: 13))
        }
      }
      let flips = family.flips ?? []
      for flip in flips.prefix(limit) { lines.append(line(flip.decision, flip.flip, clock)) }
      if flips.count > limit {
        lines.append(PlainText("  and \(flips.count - limit) more: --json has all"))
      }
    }
    return lines
  }

  @MainActor private func line(
    _ decision: ScoredDecision, _ flip: ScoredDecision.Flip, _ clock: ClockFormat
  ) -> PlainText {
    let id = decision.evidence.actionID.map { "#\($0)" } ?? "no id"
    let ms = decision.evidence.timeMs ?? 0
    let threshold =
      decision.threshold.map { "threshold \(Self.number($0))" } ?? "no threshold logged"
    let words = decision.words.isEmpty ? "" : ": \"\(decision.words)\""
    return PlainText("  \(flip == .answered ? "+" : "-") \(id) ") + clock.monthDay(ms: ms) + " "
      + clock.time(ms: ms)
      + PlainText(
        " \(decision.evidence.kind) \(Self.number(decision.score ?? 0)), \(threshold)\(words)",
        limit: 300)
  }

  /// All of it: keys as in docs/whatif.md.
  package var json: JSONValue {
    func number(_ value: Double?) -> JSONValue { value.flatMap(JSONValue.finite) ?? .null }
    return .body([
      ("sentence", .string(answer.sentence)), ("state", .string(answer.state.rawValue)),
      ("modelled", .bool(true)), ("coverage", answer.coverage.whatIfJSON),
      (
        "families",
        .array(
          families.map { family in
            .body([
              ("name", .string(family.family.rawValue)), ("decided", .integer(family.decided)),
              ("scored", .integer(family.scored)), ("cannot_say", .integer(family.unknown)),
              ("decided_otherwise", .integer(family.otherwise)),
              (
                "thresholds",
                .array(
                  family.steps.map {
                    .body([
                      ("threshold", number($0.threshold)), ("would_pass", .integer($0.answered)),
                      ("would_be_lost", .integer($0.lost)),
                    ])
                  })
              ),
              (
                "flips",
                family.flips.map { flips in
                  .array(
                    flips.map { flipped in
                      let decision = flipped.decision
                      return .body([
                        ("id", decision.evidence.actionID.map { .integer($0) } ?? .null),
                        (
                          "at",
                          decision.evidence.timeMs.map {
                            .string(WireTime(milliseconds: $0).iso)
                          } ?? .null
                        ),
                        ("kind", .string(decision.evidence.kind)),
                        ("becomes", .string(flipped.flip.rawValue)),
                        ("score", number(decision.score)),
                        ("threshold", number(decision.threshold)),
                        ("words", .string(decision.words)),
                      ])
                    })
                } ?? .null
              ),
            ])
          })
      ),
    ])
  }
}

extension Answer.Coverage {
  var whatIfJSON: JSONValue {
    func time(_ ms: Int64?) -> JSONValue {
      ms.map { .string(WireTime(milliseconds: $0).iso) } ?? .null
    }
    return .body([
      ("from", time(fromMs)), ("to", time(toMs)), ("complete", .bool(isComplete)),
    ])
  }
}
