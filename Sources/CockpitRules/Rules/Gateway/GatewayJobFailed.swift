/// A gateway: the last run of a job failed.
struct GatewayJobFailed: RuleState {
  static let rule = Rule(
    id: .gatewayJobFailed, level: .warning,
    condition: "a run of a gateway's job ended with an error",
    advice: "Look at the job in CMD; what its run said is in the session of the row.",
    input: RuleInput(
      names: ["automation_started", "automation_run", "automation_error"],
      keys: ["automationId"], memoryMs: 86_400_000, isOfGateway: true),
    limits: [], begin: { _ in GatewayJobFailed() })

  private static let maxJobs = 1_000
  private var started: [String: RuleRow] = [:]
  /// Failures in a row, by job.
  private var failures: [String: Int] = [:]

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row, let job = row.string("automationId") else { return }
    switch row.name {
    case "automation_started":
      if started[job] != nil || started.count < Self.maxJobs { started[job] = row }
    case "automation_run": (started[job], failures[job]) = (nil, nil)
    default:
      let evidence = [started.removeValue(forKey: job)?.cite, row.cite].compactMap(\.self)
      let times = (failures[job] ?? 0) + 1
      if failures[job] != nil || failures.count < Self.maxJobs { failures[job] = times }
      let words = RuleWords.quoted(row.content, limit: 120) ?? "a job without a name"
      let again = times > 1 ? ", \(times) times without a success" : ""
      found.report(
        .init(
          .warning, "The last run of a job failed\(again): \(words)", evidence, about: row,
          subject: job))
    }
  }
}
