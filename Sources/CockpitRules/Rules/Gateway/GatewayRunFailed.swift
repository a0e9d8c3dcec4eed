internal import ClankyWire

/// A gateway: a run of an agent failed, or was stopped.
struct GatewayRunFailed: RuleState {
  static let rule = Rule(
    id: .gatewayRunFailed, level: .warning,
    condition: "a run of an agent behind a gateway failed; info where it was stopped",
    advice:
      "Open the run in BRAIN: its last tool and the error say what to change or to ask again.",
    input: RuleInput(
      names: ["llm_run_started", "llm_error", "llm_run_aborted"],
      keys: ["triggerMessageId", "errorType"], memoryMs: 3_600_000, isOfGateway: true),
    limits: [], begin: { _ in GatewayRunFailed() })

  private var started = GatewayRunRows()

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row, let run = row.string("triggerMessageId") else { return }
    guard row.name != "llm_run_started" else { return started.note(row, of: run) }
    let evidence = [started.remove(run)?.cite, row.cite].compactMap(\.self)
    let agent = row.agentName
    guard row.name == "llm_error" else {
      found.report(
        .init(
          .info, "A run of \(agent) was stopped before its end", evidence, about: row,
          subject: "stopped \(agent)",
          cause: "an operator or the gateway stopped it; the gateway does not say who"))
      return
    }
    let words = RuleWords.quoted(row.content).map { ": \($0)" } ?? ""
    found.report(
      .init(
        .warning, "A run of \(agent) failed\(words)", evidence, about: row, subject: agent,
        cause: Self.cause(row.string("errorType"))))
  }

  private static func cause(_ type: String?) -> String? {
    switch type {
    case "rate_limit": "the model's provider limits how often it is asked"
    case "context_length": "the session has become too long for the model"
    case "timeout": "the model did not answer in time"
    case "refusal": "the model refused"
    default: nil
    }
  }
}

/// The row with which each run began, of the newest runs.
struct GatewayRunRows: Sendable {
  private static let kept = 500
  private var rows: [String: RuleRow] = [:]
  private var order: [String] = []

  mutating func note(_ row: RuleRow, of run: String) {
    if rows.updateValue(row, forKey: run) == nil { order.append(run) }
    guard order.count > 2 * Self.kept else { return }
    for old in order.prefix(Self.kept) { rows[old] = nil }
    order.removeFirst(Self.kept)
  }

  mutating func remove(_ run: String) -> RuleRow? { rows.removeValue(forKey: run) }
}

extension RuleRow {
  /// The agent of a gateway's row, which stands in the place of the guild.
  var agentName: String { guildID.map { String($0.prefix(40)) } ?? "an agent" }
}
