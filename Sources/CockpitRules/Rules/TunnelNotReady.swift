/// Ours: the public address is switched on and does not work.
struct TunnelNotReady: RuleState {
  static let rule = Rule(
    id: .tunnelNotReady, level: .warning,
    condition: "the public HTTPS tunnel is on and not ready for 60 s",
    advice: "See the tunnel's last error in CMD and the bot's log; restart the bot if it stays so.",
    input: RuleInput(health: true),
    limits: [
      RuleLimit(name: "within_ms", unit: .ms, standard: 60_000, meaning: "the time to get ready")
    ],
    begin: { TunnelNotReady($0) })

  private let withinMs: Int64
  private var state = HealthSpan()

  init(_ values: RuleValues) { withinMs = values.ms("within_ms") }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard case .health(let health) = event.body else { return }
    guard health.isTunnelEnabled, let status = health.tunnelStatus, status != "ready" else {
      state.end()
      return
    }
    guard let sinceMs = state.lasts(event.timeMs, overMs: withinMs) else { return }
    found.report(
      .init(
        .warning,
        "The public address has not been ready for \(RuleWords.duration(event.timeMs - sinceMs)): "
          + "status \(status.prefix(40))",
        [Citation(stats: "tunnel not ready", sinceMs: sinceMs)], toMs: event.timeMs,
        missing: "status ready"))
  }
}
