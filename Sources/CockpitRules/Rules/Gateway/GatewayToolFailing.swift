/// A gateway: a tool fails again and again.
struct GatewayToolFailing: RuleState {
  static let rule = Rule(
    id: .gatewayToolFailing, level: .warning,
    condition:
      "a tool of an agent behind a gateway failed 3 times in 10 min, with no success between",
    advice:
      "Open the failed calls: if all have the same error, look at the tool, else at its arguments.",
    input: RuleInput(
      names: ["tool_failed", "tool_finished"], keys: ["toolName"], isOfGateway: true),
    limits: [
      RuleLimit(name: "count", unit: .count, standard: 3, meaning: "failures"),
      RuleLimit(
        name: "within_ms", unit: .ms, standard: 600_000, meaning: "the time they fall into"),
    ],
    begin: { GatewayToolFailing($0) })

  private struct Tool: Hashable, Sendable {
    var agent: String
    var name: String
  }

  private static let maxTools = 500
  private let count: Int
  private let withinMs: Int64
  private var failures: [Tool: RecentRows] = [:]

  init(_ values: RuleValues) {
    count = max(1, values.count("count"))
    withinMs = max(1, values.ms("within_ms"))
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row, let name = row.string("toolName") else { return }
    let tool = Tool(agent: row.agentName, name: name)
    guard row.name == "tool_failed" else {
      failures[tool] = nil
      return
    }
    guard failures[tool] != nil || failures.count < Self.maxTools else { return }
    failures[tool, default: RecentRows()].add(row, withinMs: withinMs)
    guard let rows = failures[tool]?.rows, rows.count >= count else { return }
    failures[tool] = nil
    let span = RuleWords.duration(row.timeMs - rows[0].timeMs)
    found.report(
      .init(
        .warning,
        "\(name.prefix(40)) of \(tool.agent) failed \(rows.count) times in \(span), the limit is \(count)",
        rows.map(\.cite), about: row, subject: "\(tool.agent) \(name)",
        cause: Self.cause(rows)))
  }

  private static func cause(_ rows: [RuleRow]) -> String? {
    guard let last = rows.last, let words = RuleWords.quoted(last.content) else { return nil }
    let isSame = rows.allSatisfy { $0.content == last.content }
    return isSame ? "each time \(words)" : "the last time \(words)"
  }
}
