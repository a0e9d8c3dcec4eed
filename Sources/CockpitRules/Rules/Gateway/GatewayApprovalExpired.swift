/// A gateway's approval or question expired without an answer.
struct GatewayApprovalExpired: RuleState {
  static let rule = Rule(
    id: .gatewayApprovalExpired, level: .warning,
    condition: "an approval or a question of an agent behind a gateway expired without an answer",
    advice: "Ask the agent again if it still matters; watch --notify tells of what waits in time.",
    input: RuleInput(
      names: GatewaySight.names.union(GatewaySight.waiting),
      keys: ["approvalId", "questionId", "expiresAtMs"], outages: true, memoryMs: 3_600_000,
      isOfGateway: true),
    limits: [
      RuleLimit(
        name: "grace_ms", unit: .ms, standard: 10_000,
        meaning: "how late the gateway's own word may come")
    ],
    begin: { GatewayApprovalExpired($0) })

  private static let maxWaiting = 1_000
  private let graceMs: Int64
  private var waiting = Waiting<String, RuleRow>()
  /// Expired by the clock; the gateway's own word may come later.
  private var told: Set<String> = []
  private var outages = Outages()

  init(_ values: RuleValues) { graceMs = max(0, values.ms("grace_ms")) }

  var deadlineMs: Int64? { waiting.deadlineMs }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return outages.add(event) }
    if GatewaySight.isBreak(row) {
      // It may have been answered while nothing was heard.
      return waiting.removeAll { _, _ in true }
    }
    guard let id = row.string("approvalId") ?? row.string("questionId") else { return }
    switch row.name {
    case "approval_requested", "question_requested":
      guard waiting.count < Self.maxWaiting else { return }
      // A gateway of protocol 3 does not say that one has expired.
      let end = row.int("expiresAtMs").map(Int64.init) ?? .max - graceMs
      waiting.wait(id, row, untilMs: end + graceMs)
    case "approval_timeout", "question_timeout":
      let asked = waiting.remove(id)
      guard told.remove(id) == nil else { return }
      tell(asked, row, toMs: row.timeMs, &found)
    default: waiting.remove(id)
    }
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, row) in waiting.due(nowMs) where !outages.touch(row.timeMs, dueMs) {
      if told.count >= Self.maxWaiting { told = [] }
      if let id = row.string("approvalId") ?? row.string("questionId") { told.insert(id) }
      tell(row, nil, toMs: dueMs - graceMs, &found)
    }
  }

  private func tell(
    _ asked: RuleRow?, _ end: RuleRow?, toMs: Int64, _ found: inout Findings
  ) {
    guard let about = asked ?? end else { return }
    let what = about.name.hasPrefix("question") ? "A question" : "An approval"
    let waited = asked.map { " after \(RuleWords.duration(toMs - $0.timeMs))" } ?? ""
    let words = asked.flatMap { RuleWords.quoted($0.content) }.map { ": \($0)" } ?? ""
    found.report(
      .init(
        .warning, "\(what) of \(about.agentName) expired\(waited) without an answer\(words)",
        [asked?.cite, end?.cite].compactMap(\.self), about: about,
        subject: about.string("approvalId") ?? about.string("questionId"),
        toMs: max(toMs, about.timeMs),
        missing: end == nil ? "approval_answered" : nil,
        cause: "nobody who may answer did so in time"))
  }
}
