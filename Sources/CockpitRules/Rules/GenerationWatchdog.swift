/// Ours: the backend waited for a spoken answer of the model, and gave up.
struct GenerationWatchdog: RuleState {
  static let rule = Rule(
    id: .generationWatchdog, level: .critical,
    condition: "the backend gives up on a spoken answer (voice_generation_watchdog_timeout)",
    advice: "Check the provider's status and latency; a faster voice model may help.",
    input: RuleInput(
      names: ["voice_generation_watchdog_timeout"], keys: ["timeoutMs", "phase"]),
    limits: [], begin: { _ in GenerationWatchdog() })

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return }
    let limit = row.int("timeoutMs").map { " after \(RuleWords.duration($0))" } ?? ""
    let phase = row.string("phase").map { ", phase \($0.prefix(40))" } ?? ""
    found.report(
      .init(
        .critical, "The model gave no spoken answer: the backend gave up\(limit)\(phase)",
        [row.cite], about: row, missing: "realtime_reply_requested"))
  }
}
