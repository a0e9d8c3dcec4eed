/// Ours: the bot has lost Discord and does not get back.
struct GatewayFlapping: RuleState {
  static let rule = Rule(
    id: .gatewayFlapping, level: .warning,
    condition: "a reconnect to Discord is in flight for 30 s",
    advice: "Check Discord's status and the network of the bot's host; then restart the bot.",
    input: RuleInput(names: ["bot_logged_in"], health: true),
    limits: [
      RuleLimit(
        name: "flight_ms", unit: .ms, standard: 30_000, meaning: "how long a reconnect may take")
    ],
    begin: { GatewayFlapping($0) })

  private let flightMs: Int64
  private var state = HealthSpan()
  private var isTold: Bool?

  init(_ values: RuleValues) { flightMs = values.ms("flight_ms") }

  var unknown: String? {
    isTold == false ? "this backend does not tell whether a reconnect is in flight" : nil
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard case .health(let health) = event.body else {
      state.end()
      return
    }
    isTold = isTold == true || health.isReconnecting != nil
    guard health.isReconnecting == true else {
      if health.isReconnecting != nil { state.end() }
      return
    }
    guard let sinceMs = state.lasts(event.timeMs, overMs: flightMs) else { return }
    let attempts = health.reconnectAttempts.map { ", attempt \($0)" } ?? ""
    found.report(
      .init(
        .warning,
        "The bot has been reconnecting to Discord for "
          + "\(RuleWords.duration(event.timeMs - sinceMs))\(attempts)",
        [Citation(stats: "reconnecting", sinceMs: sinceMs)], toMs: event.timeMs,
        missing: "bot_logged_in", cause: "Discord's gateway or the network of the bot's host"))
  }
}

/// Something that stats tell again and again, from the first time on.
struct HealthSpan: Sendable {
  private var sinceMs: Int64?
  private var lastMs: Int64 = 0
  private var isReported = false
  /// Stats further apart do not tell what was in between.
  private static let maxGapMs: Int64 = 60_000

  mutating func end() { self = HealthSpan() }

  /// It is so now. When it began, if it has lasted for that long and that was not said yet.
  mutating func lasts(_ nowMs: Int64, overMs: Int64) -> Int64? {
    if nowMs - lastMs > Self.maxGapMs { end() }
    lastMs = nowMs
    let since = sinceMs ?? nowMs
    sinceMs = since
    guard nowMs - since >= overMs, !isReported else { return nil }
    isReported = true
    return since
  }
}

extension Citation {
  /// Something that stats told from a time on.
  init(stats what: String, sinceMs: Int64) {
    var print = Fingerprint()
    print.add(what)
    print.add(sinceMs)
    self.init(timeMs: sinceMs, name: "stats", fingerprint: print.value, words: what)
  }
}
