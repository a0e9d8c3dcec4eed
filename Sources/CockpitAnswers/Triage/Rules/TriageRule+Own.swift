internal import CockpitDomain
internal import CockpitStores

/// The cost budget and our own connection.
extension TriageRule {
  static let budget = TriageRule(
    "budget", .warning, word: "over budget",
    condition: "The cost of this UTC day has reached triage.budget of the configuration.",
    state: State { input in
      guard let budget = input.budgetUSD, budget > 0, let cost = input.costTodayUSD else {
        return nil
      }
      guard cost >= budget else { return ([], input.nowMs) }
      let whose = input.isScoped ? allGuilds : ""
      return ([Sign(reason: "\(dollars(cost)) of \(dollars(budget))\(whose)")], input.nowMs)
    },
    recovery: "The cost of the day is within the budget.",
    next: { _ in Answer.NextStep("See what costs most.", target: .line("tab cmd")) },
    sentence: { "Today's cost, UTC, is over the budget: \($0.reason)." })

  /// Behind a figure of the whole bot, where the rest is about one guild.
  static let allGuilds = ", all guilds"

  private static func dollars(_ value: Double) -> String {
    let cents = Int((min(max(value, 0), 1e12) * 100).rounded())
    let rest = cents % 100
    return "$\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  package static let sloName = "slo"

  /// The promises of `[slo]`, one subject each.
  static let slo = TriageRule(
    sloName, .warning, word: "slo",
    condition: "A promise of `[slo]` is broken, or will be at the present rate.",
    state: State { input in
      guard let report = input.promises else { return nil }
      let signs = report.troubles.map { promise in
        Sign(
          subject: promise.kind.rawValue, reason: PromiseText(promise).sentence,
          evidence: promise.evidence)
      }
      return (signs, input.nowMs)
    },
    recovery: "The promise is kept again.",
    next: { event in
      event.subject.flatMap(Promise.Kind.init(rawValue:)).map(PromiseText.next)
        ?? Answer.NextStep("See the figures.", target: .line("tab cmd"))
    },
    sentence: { $0.reason })

  /// So long after its deadline a missing answer stays on the line, in ms: nothing ends it.
  private static let unansweredMs: Int64 = 15 * 60_000

  static let unanswered = TriageRule(
    "unanswered", .warning, word: "no answer",
    condition: "Within 15 min somebody should have had an answer, and no row says why not.",
    state: State(mayBeOlder: false) { input in
      guard let all = input.unanswered else { return nil }
      let recent = all.filter { input.nowMs - $0.toMs < unansweredMs && $0.toMs <= input.nowMs }
      guard let newest = recent.max(by: { $0.toMs < $1.toMs }),
        let sinceMs = recent.map(\.fromMs).min()
      else { return ([], input.nowMs) }
      let sign = Sign(
        reason: newest.sentence, sinceMs: sinceMs, count: recent.reduce(0) { $0 + $1.count },
        level: recent.contains(where: \.isCritical) ? .critical : nil)
      return ([sign], input.nowMs)
    },
    recovery: "For 15 min everybody has had an answer, or a reason is on record.",
    next: { _ in Answer.NextStep("See which, and the rows.", target: .line("incident-list")) },
    sentence: { "\($0.reason)." })

  /// Our connection; its sentence is that of the alert row.
  static let connection = TriageRule(
    connectionName, .warning, word: "no link",
    condition: "A stream of ours is not live: stale, held back, reconnecting or refused.",
    state: State(mayBeOlder: false) { input in
      guard let trouble = input.connection else { return ([], input.nowMs) }
      let level: TriageLevel =
        switch trouble.state {
        case .stopped: .critical
        case .polling, .connecting, .live: .info
        case .stale, .reconnecting, .degraded: .warning
        }
      return ([Sign(reason: trouble.sentence, level: level)], input.nowMs)
    },
    recovery: "The connection is live again.",
    next: { _ in Answer.NextStep("Run doctor if it lasts.", target: .line("doctor")) },
    sentence: { $0.reason })
}
