/// A gateway: a job was due and did not run.
struct GatewayJobMissed: RuleState {
  static let rule = Rule(
    id: .gatewayJobMissed, level: .warning,
    condition: "the next run of a gateway's job is 2 min past, and it did not begin",
    advice: "Look at the job in CMD: it may be switched off; else look at the gateway's log.",
    input: RuleInput(
      names: GatewaySight.names.union([
        "automation_started", "automation_run", "automation_error", "automation_updated",
      ]),
      keys: ["automationId", "nextRunAtMs"], outages: true, memoryMs: 86_400_000,
      isOfGateway: true),
    limits: [
      RuleLimit(name: "grace_ms", unit: .ms, standard: 120_000, meaning: "how late it may begin")
    ],
    begin: { GatewayJobMissed($0) })

  private struct Plan: Sendable {
    var row: RuleRow
    var dueMs: Int64
  }

  private static let maxJobs = 1_000
  private let graceMs: Int64
  private var plans = Waiting<String, Plan>()
  private var outages = Outages()

  init(_ values: RuleValues) { graceMs = max(0, values.ms("grace_ms")) }

  var deadlineMs: Int64? { plans.deadlineMs }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return outages.add(event) }
    if GatewaySight.isBreak(row) {
      // What was due while nothing was heard may have run.
      return plans.removeAll { _, _ in true }
    }
    guard let job = row.string("automationId") else { return }
    plans.remove(job)
    guard row.name == "automation_run" || row.name == "automation_error",
      let due = row.int("nextRunAtMs").map(Int64.init), due > row.timeMs,
      plans.count < Self.maxJobs
    else { return }
    plans.wait(job, Plan(row: row, dueMs: due), untilMs: due + graceMs)
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, plan) in plans.due(nowMs) where !outages.touch(plan.dueMs, dueMs) {
      let words = RuleWords.quoted(plan.row.content) ?? "a job"
      found.report(
        .init(
          .warning,
          "A job was due \(RuleWords.duration(dueMs - plan.dueMs)) ago and has not begun; its last run: \(words)",
          [plan.row.cite], about: plan.row, subject: plan.row.string("automationId"), toMs: dueMs,
          missing: "automation_started",
          cause: "the gateway did not start it, or its plan was changed without a word"))
    }
  }
}

/// Rows after which what happened before them at the gateway is not known.
enum GatewaySight {
  static let names: Set<String> = [
    "gateway_gap_warning", "gateway_connected", "gateway_disconnected", "gateway_restart_warning",
  ]

  /// Rows of what waits for an answer.
  static let waiting: Set<String> = [
    "approval_requested", "approval_answered", "approval_timeout", "question_requested",
    "question_answered", "question_timeout",
  ]

  static func isBreak(_ row: RuleRow) -> Bool { names.contains(row.name) }
}
