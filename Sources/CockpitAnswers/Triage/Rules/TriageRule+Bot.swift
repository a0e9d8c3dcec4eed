internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// The bot as a whole: Discord, the tunnel, the queue of replies, the number of failures.
extension TriageRule {
  static let discord = TriageRule(
    "discord", .critical, word: "bot offline",
    condition: "The bot has had no connection to Discord for 5 s.",
    rows: Rows(["bot_error", "bot_lifecycle"], threshold: 2, spanMs: 5_000, quietMs: 10 * 60_000) {
      row in
      let content = row.content(limit: 400) ?? ""
      if row.kind == "bot_lifecycle" { return content == "bot_logged_in" ? .success() : nil }
      return content.hasPrefix("gateway_") ? .failure(reason: content) : nil
    },
    state: State(lastsMs: 5_000) { input in
      guard let runtime = input.runtime else { return nil }
      return (gatewaySigns(runtime.value), runtime.atMs)
    },
    recovery: "The bot is connected to Discord again.",
    next: { event in
      event.reason == neverConnected
        ? Answer.NextStep("Check its Discord token and network.")
        : Answer.NextStep(
          "It reconnects by itself; else see its log.",
          target: .filter("kind:bot_error|bot_lifecycle"))
    },
    sentence: { event in
      switch event.reason {
      case neverConnected: "The bot has not reached Discord since its start."
      case notReady: "The bot is not ready: its Discord client is not connected."
      case let reason where reason.hasPrefix(attempt):
        "The bot is reconnecting to Discord (\(reason))."
      case let reason where reason.hasPrefix("gateway_"):
        TriageRule.sentence("The bot lost Discord", because: reason)
      default: "The bot is reconnecting to Discord."
      }
    })

  private static let neverConnected = "never connected"
  private static let notReady = "not ready"
  private static let attempt = "attempt "

  /// Gateway state in the statistics (contract 5.1).
  private static func gatewaySigns(_ runtime: Runtime) -> [Sign] {
    if runtime.gateway.reconnectInFlight == true {
      let attempts = runtime.gateway.reconnectAttempts ?? 0
      return [Sign(reason: attempts > 0 ? attempt + "\(min(attempts, 99_999))" : "")]
    }
    guard runtime.isReady == false else { return [] }
    let never = runtime.gateway.hasConnectedAtLeastOnce == false
    return [Sign(reason: never ? neverConnected : notReady)]
  }

  static let tunnel = TriageRule(
    "tunnel", .warning, word: "tunnel down",
    condition: "The tunnel has failed and has not been ready for 5 s.",
    rows: Rows(["bot_error", "bot_runtime"], threshold: 2, spanMs: 5_000, quietMs: 10 * 60_000) {
      row in
      let content = row.content(limit: 400) ?? ""
      guard content.hasPrefix("public_https_entrypoint_") else { return nil }
      if row.kind == "bot_error" { return .failure(reason: words(content)) }
      return content == "public_https_entrypoint_ready" ? .success() : .failure(reason: "")
    },
    state: State(lastsMs: 5_000) { input in
      guard let runtime = input.runtime else { return nil }
      guard let tunnel = runtime.value.publicHttps, tunnel.enabled != false,
        tunnel.status == .error
      else {
        // One that failed and starts again is down until it is ready.
        let status = runtime.value.publicHttps?.status
        return status == .starting ? nil : ([], runtime.atMs)
      }
      return ([Sign(reason: tunnel.lastError ?? "")], runtime.atMs)
    },
    recovery: "The bot's tunnel is up again.",
    next: { _ in
      Answer.NextStep(
        "See the bot's log; restart the bot.", target: .filter("public_https_entrypoint"))
    },
    sentence: { TriageRule.sentence("The bot's tunnel has failed", because: $0.reason) })

  /// The text after an event's name.
  private static func words(_ content: String) -> String {
    guard let colon = content.firstRange(of: ": ") else { return "" }
    return String(content[colon.upperBound...])
  }

  /// Fewer messages wait in any bot that keeps up.
  private static let waitingReplies = 3

  static let queue = TriageRule(
    "queue", .warning, word: "queue full",
    condition: "3 or more messages have waited for a reply for 30 s, or one was turned away.",
    rows: Rows(["text_runtime"], threshold: 1, quietMs: 10 * 60_000) { row in
      guard row.label.event == "reply_queue_gate_rejected" else { return nil }
      return .failure(reason: row.metadata()["reason"]?.string ?? "")
    },
    state: State(lastsMs: 30_000, mayBeOlder: false) { input in
      guard let runtime = input.runtime, let pending = runtime.value.replyQueue.pending else {
        return nil
      }
      guard pending >= waitingReplies else { return ([], runtime.atMs) }
      let whose = input.isScoped ? allGuilds : ""
      return ([Sign(reason: "\(pending) wait\(whose)")], runtime.atMs)
    },
    recovery: "The reply queue moves again.",
    next: { _ in
      Answer.NextStep(
        "See which channel has the waiting replies.",
        target: .filter("event:reply_queue_gate_rejected"))
    },
    sentence: { event in
      event.reason.hasSuffix(" wait") || event.reason.hasSuffix(" wait" + allGuilds)
        ? "Replies do not get through: \(event.reason)."
        : TriageRule.sentence("The reply queue turns messages away", because: event.reason)
    })

  /// Up to 5.8 % of the rows of a bot that is well are failures; 45 of 540 are 2.5 standard deviations
  /// above that (docs/triage.md). Fewer than the second number end it.
  private static let failures = (begin: 45, end: 30)

  static let errors = TriageRule(
    "errors", .warning, word: "bot errors",
    condition: "45 or more rows of the last 60 min are failures, and these are 1 of 12 or more.",
    state: State(mayBeOlder: false) { input in
      let count = input.failuresPerHour
      guard count >= failures.end, count * 12 >= input.actionsPerHour else {
        return ([], input.nowMs)
      }
      let least = input.isHourComplete ? "" : "at least "
      return (
        [Sign(reason: "\(least)\(count)", count: count, onlyKeeps: count < failures.begin)],
        input.nowMs
      )
    },
    recovery: "Failures are rare again.",
    next: { _ in
      Answer.NextStep("Look at them in PULSE.", target: .filter("since:1h is:error"))
    },
    sentence: { "The last 60 min have \($0.reason) errors." })
}
