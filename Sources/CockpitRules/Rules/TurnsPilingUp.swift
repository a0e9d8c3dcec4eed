/// Ours: turns wait for the bot and become more.
struct TurnsPilingUp: RuleState {
  static let rule = Rule(
    id: .turnsPilingUp, level: .warning,
    condition: "over 2 turns wait in two states, or deferred turns rise over 3 states",
    advice: "Let people pause, or end the session if the queue does not drain.",
    input: RuleInput(voiceState: true),
    limits: [
      RuleLimit(name: "pending", unit: .count, standard: 2, meaning: "turns that may wait")
    ],
    begin: { TurnsPilingUp($0) })

  private let pending: Int
  private struct Session {
    var waiting = 0
    var deferred: [Int] = []
    var sinceMs: Int64?
  }
  private var sessions: [String: Session] = [:]

  init(_ values: RuleValues) { pending = values.count("pending") }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard case .voice(let samples) = event.body else { return }
    let known = sessions
    sessions = [:]
    for sample in samples {
      var session = known[sample.sessionID] ?? Session()
      session.deferred = session.deferred.suffix(2) + [sample.deferredTurns ?? 0]
      let rises =
        session.deferred.count == 3 && session.deferred[0] < session.deferred[1]
        && session.deferred[1] < session.deferred[2]
      session.waiting = sample.pendingTurns > pending ? session.waiting + 1 : 0
      let isTrouble = session.waiting >= 2 || rises
      if isTrouble {
        let since = session.sinceMs ?? event.timeMs
        session.sinceMs = since
        let what =
          session.waiting >= 2
          ? "\(sample.pendingTurns) turns wait for the bot, limit \(pending)"
          : "Deferred turns rise: \(session.deferred.map(String.init).joined(separator: ", "))"
        found.report(
          .init(
            .warning, what, [sample.citation(atMs: since, key: "turns pile up")],
            sessionID: sample.sessionID, subject: "\(since)", toMs: event.timeMs))
      } else if session.waiting == 0 {
        session.sinceMs = nil
      }
      sessions[sample.sessionID] = session
    }
  }
}
