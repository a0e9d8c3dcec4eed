internal import ClankyWire

/// 9: the provider is silent in the middle of a response, or turns waited too long.
struct StaleResponse: RuleState {
  static let rule = Rule(
    id: .staleResponse, level: .warning,
    condition:
      "an active response hears nothing for 8 s over 3 states, is retried, or a turn is skipped as stale",
    advice:
      "The provider hangs or the queue is too long; see VOICE's output and the provider's status.",
    input: RuleInput(
      names: [
        "response_silent_retry", "realtime_turn_skipped_stale", "file_asr_turn_skipped_stale",
      ],
      keys: ["requestId", "retryCount", "trigger", "queueWaitMs"], voiceState: true),
    limits: [
      RuleLimit(name: "silent_ms", unit: .ms, standard: 8000, meaning: "nothing from the provider"),
      RuleLimit(name: "states", unit: .count, standard: 3, meaning: "states in a row that say so"),
    ],
    begin: { StaleResponse($0) })

  private let silentMs: Int64
  private let states: Int
  private var seen: [String: (response: String, lastMs: Int64, states: Int)] = [:]

  init(_ values: RuleValues) {
    silentMs = values.ms("silent_ms")
    states = values.count("states")
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    switch event.body {
    case .row(let row):
      let what =
        row.name == "response_silent_retry"
        ? "A response without audio is tried again" : "A turn waited too long and was skipped"
      found.report(
        .init(.warning, "\(what): \(row.name)", [row.cite], about: row, subject: row.name))
    case .voice(let sessions):
      let known = seen
      seen = [:]
      for sample in sessions { take(sample, event.timeMs, known[sample.sessionID], &found) }
    case .health, .outage, .link: break
    }
  }

  private mutating func take(
    _ sample: VoiceSample, _ nowMs: Int64,
    _ before: (response: String, lastMs: Int64, states: Int)?, _ found: inout Findings
  ) {
    guard let response = sample.activeResponseID, let lastMs = sample.lastEventMs,
      sample.phase != .awaitingToolOutputs, sample.phase != .speakingLive,
      sample.phase != .speakingBuffered
    else { return }
    let isSame = before?.response == response && before?.lastMs == lastMs
    let count = isSame ? (before?.states ?? 0) + 1 : 1
    seen[sample.sessionID] = (response, lastMs, count)
    guard count >= states, nowMs - lastMs >= silentMs else { return }
    found.report(
      .init(
        .warning,
        "The provider has been silent for \(RuleWords.duration(nowMs - lastMs)) in a response",
        [sample.citation(atMs: lastMs, key: "response \(response)")], sessionID: sample.sessionID,
        subject: response, toMs: nowMs, missing: "an event of the provider"))
  }
}
