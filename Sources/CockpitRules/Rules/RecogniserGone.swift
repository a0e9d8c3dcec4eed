/// Ours: somebody speaks, and the recogniser of that person is not connected.
struct RecogniserGone: RuleState {
  static let rule = Rule(
    id: .recogniserGone, level: .warning,
    condition: "a recogniser is not connected 2 s into a person's speech, in two states in a row",
    advice: "Let the person pause and speak again; if it stays so, end the session and join again.",
    input: RuleInput(voiceState: true),
    limits: [
      RuleLimit(
        name: "open_ms", unit: .ms, standard: 2000, meaning: "how long the person has been speaking"
      )
    ],
    begin: { RecogniserGone($0) })

  private struct Gap {
    var sinceMs: Int64
    var isReported = false
  }
  private let openMs: Int64
  private var gaps: [SessionPerson: Gap] = [:]
  private var hasState = false
  private var hasRecogniser = false

  init(_ values: RuleValues) { openMs = values.ms("open_ms") }

  var unknown: String? {
    hasState && !hasRecogniser ? "no state of recognisers on this backend" : nil
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard case .voice(let samples) = event.body else { return }
    let known = gaps
    gaps = [:]
    for sample in samples {
      hasState = true
      if !sample.recognisers.isEmpty { hasRecogniser = true }
      for (user, beganMs) in sample.captures.sorted(by: { $0.key < $1.key })
      where sample.recognisers[user] == false && event.timeMs - beganMs >= openMs {
        let key = SessionPerson(session: sample.sessionID, person: user)
        var gap = known[key] ?? Gap(sinceMs: event.timeMs)
        if known[key] != nil, !gap.isReported {
          gap.isReported = true
          found.report(
            .init(
              .warning,
              "Speech has gone on for \(RuleWords.duration(event.timeMs - beganMs)) while its "
                + "recogniser is not connected",
              [sample.citation(atMs: gap.sinceMs, key: "recogniser \(user)")],
              sessionID: sample.sessionID, userID: user, toMs: event.timeMs,
              missing: "a connected recogniser", cause: "the connection to the recogniser broke"))
        }
        gaps[key] = gap
      }
    }
  }
}

extension SessionPerson {
  init(session: String, person: String) {
    self.session = session
    self.person = person
  }
}
