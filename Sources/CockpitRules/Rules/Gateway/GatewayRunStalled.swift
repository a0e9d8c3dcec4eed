/// A gateway: a run has begun, has no further step, and does not end.
struct GatewayRunStalled: RuleState {
  static let rule = Rule(
    id: .gatewayRunStalled, level: .warning,
    condition: "a run of a gateway has had no new step for 10 min, and has not ended",
    advice: "Look at the run in BRAIN and at its session in CMD; the control sheet stops runs.",
    input: RuleInput(
      names: ends.union(GatewaySight.names).union(GatewaySight.waiting),
      prefixes: ["llm_run_", "tool_"],
      keys: ["triggerMessageId", "approvalId", "questionId"], outages: true,
      memoryMs: 3_600_000, isOfGateway: true),
    limits: [
      RuleLimit(
        name: "silent_ms", unit: .ms, standard: 600_000,
        meaning: "how long a run may be without a step, unless its session waits for an answer")
    ],
    begin: { GatewayRunStalled($0) })

  private static let ends: Set<String> = [
    "sent_reply", "llm_error", "llm_run_aborted", "llm_run_finished", "llm_run_ended_warning",
  ]

  private struct Run: Sendable {
    var first: RuleRow
    var last: RuleRow
  }

  private static let maxRuns = 500
  private let silentMs: Int64
  private var runs = Waiting<String, Run>()
  /// What waits for an answer, and its session.
  private var asking: [String: String] = [:]
  /// Runs that were told, until they are heard again.
  private var told: Set<String> = []
  private var outages = Outages()

  init(_ values: RuleValues) { silentMs = max(1, values.ms("silent_ms")) }

  var deadlineMs: Int64? { runs.deadlineMs }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return outages.add(event) }
    if GatewaySight.isBreak(row) {
      // Runs that go on are heard again.
      runs.removeAll { _, _ in true }
      (asking, told) = ([:], [])
      return
    }
    if let id = row.string("approvalId") ?? row.string("questionId") {
      return ask(id, row)
    }
    guard let id = row.string("triggerMessageId") else { return }
    let known = runs.remove(id)
    told.remove(id)
    guard !Self.ends.contains(row.name), known != nil || runs.count < Self.maxRuns else {
      return
    }
    runs.wait(id, Run(first: known?.first ?? row, last: row), untilMs: row.timeMs + silentMs)
  }

  private mutating func ask(_ id: String, _ row: RuleRow) {
    if row.name.hasSuffix("_requested") {
      if asking.count < Self.maxRuns { asking[id] = row.channelID ?? "" }
      return
    }
    guard let session = asking.removeValue(forKey: id) else { return }
    // From the answer on the run may take its time again.
    for key in runs.keys {
      guard let run = runs[key], (run.last.channelID ?? "") == session else { continue }
      runs.wait(key, run, untilMs: row.timeMs + silentMs)
    }
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, run) in runs.due(nowMs) where !outages.touch(run.last.timeMs, dueMs) {
      guard let id = run.last.string("triggerMessageId") else { continue }
      if asking.values.contains(run.last.channelID ?? "") {
        var later = dueMs
        while later <= nowMs { later += silentMs }
        runs.wait(id, run, untilMs: later)
        continue
      }
      guard told.insert(id).inserted else { continue }
      let doing =
        run.last.name == "tool_started"
        ? "; the last that it did is \(RuleWords.quoted(run.last.content) ?? "a tool")" : ""
      let evidence =
        run.first.cite == run.last.cite ? [run.last.cite] : [run.first.cite, run.last.cite]
      found.report(
        .init(
          .warning,
          "A run of \(run.last.agentName) has had no new step for \(RuleWords.duration(dueMs - run.last.timeMs)) and has not ended\(doing)",
          evidence, about: run.last, subject: id, toMs: dueMs, missing: "sent_reply",
          cause: run.last.name == "tool_started" ? "a tool that does not come back" : nil))
    }
  }
}
