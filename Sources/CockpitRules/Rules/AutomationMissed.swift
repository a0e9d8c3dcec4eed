internal import ClankyWire
internal import LenientJSON

/// Absence: an automation was due and did not run.
struct AutomationMissed: RuleState {
  static let rule = Rule(
    id: .automationMissed, level: .warning,
    condition: "an automation's next run is 2 min past, and it did not run",
    advice: "Look at the automation in CMD; restart the bot if others do not run either.",
    input: RuleInput(
      names: [
        "automation_created", "automation_updated", "automation_run", "automation_error",
        "automation_post", "bot_logged_in",
      ], prefixes: ["gateway_"],
      keys: ["automationId", "nextRunAt", "statusAfterRun", "updatedIds", "operation"],
      outages: true, memoryMs: 86_400_000),
    limits: [
      RuleLimit(
        name: "grace_ms", unit: .ms, standard: 120_000,
        meaning: "the scheduler looks every half minute, and a run takes its time")
    ],
    begin: { AutomationMissed($0) })

  private struct Plan: Sendable {
    var row: RuleRow
    var id: String
    var dueMs: Int64
  }

  private let graceMs: Int64
  private var plans = Waiting<String, Plan>()
  private var outages = Outages()
  /// When the bot came up last, and the newest row that says it was away.
  private var loggedIn: Citation?
  private var trouble: RuleRow?

  init(_ values: RuleValues) { graceMs = values.ms("grace_ms") }

  var deadlineMs: Int64? { plans.deadlineMs }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return outages.add(event) }
    switch row.name {
    case "bot_logged_in": loggedIn = row.cite
    case "automation_updated":
      // What follows an edit is not in the row: it is known again with the next run.
      for id in row.metadata["updatedIds"]?.array ?? [] {
        if let id = Self.text(id) { plans.remove(id) }
      }
    case "automation_created", "automation_run", "automation_error": plan(row)
    case "automation_post":
      if let id = row.metadata["automationId"].flatMap(Self.text) { plans.remove(id) }
    default:
      trouble = row
    }
  }

  private mutating func plan(_ row: RuleRow) {
    guard let id = row.metadata["automationId"].flatMap(Self.text) else { return }
    plans.remove(id)
    let status = row.string("statusAfterRun") ?? "active"
    // A failed one is paused (contract 4.4).
    guard status == "active", row.name != "automation_error",
      let due = row.string("nextRunAt").flatMap({ WireTime(iso: $0)?.milliseconds }),
      due > row.timeMs
    else { return }
    plans.wait(id, Plan(row: row, id: id, dueMs: due), untilMs: due + graceMs)
  }

  /// An id is a number on the wire; a text is taken too.
  private static func text(_ id: JSONValue) -> String? {
    if let number = id.int { return String(number) }
    return id.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, plan) in plans.due(nowMs) {
      guard !outages.touch(plan.dueMs, dueMs) else { continue }
      var evidence = [plan.row.cite]
      var cause = "the scheduler of the bot did not start it"
      if let loggedIn, loggedIn.timeMs > plan.dueMs {
        cause = "the bot was restarted when it was due"
        evidence.append(loggedIn)
      } else if let trouble, trouble.timeMs > plan.row.timeMs,
        plan.dueMs - trouble.timeMs < 300_000,
        (loggedIn?.timeMs ?? .min) < trouble.timeMs
      {
        cause = "the bot had lost Discord: \(RuleWords.quoted(trouble.content) ?? "gateway error")"
        evidence.append(trouble.cite)
      }
      found.report(
        .init(
          .warning,
          "Automation #\(plan.id.prefix(20)) was due and has not run for "
            + RuleWords.duration(dueMs - plan.dueMs),
          evidence, about: plan.row, subject: plan.id, toMs: dueMs, missing: "automation_run",
          cause: cause))
    }
  }
}
