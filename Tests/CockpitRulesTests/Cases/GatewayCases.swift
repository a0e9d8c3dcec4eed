import CockpitRules

/// Recordings for rules over the rows of a gateway.
enum GatewayCases {
  static let all = failed + stalled + tools + jobs + missed + expired + bots

  /// A row as a gateway's feed writes it; a number is the run.
  private static func row(
    _ tape: inout RuleTape, _ kind: String, _ at: Double, run: Int? = nil, _ metadata: String = "",
    _ content: String = "words", in session: String = "agent:heron:main", isOfGateway: Bool = true
  ) {
    let members = [
      isOfGateway ? #""source":"openclaw""# : "",
      run.map { #""triggerMessageId":"run-\#($0)""# } ?? "", metadata,
    ]
    tape.row(
      kind, at, members.filter { !$0.isEmpty }.joined(separator: ","), content: content,
      channel: session)
  }

  /// Kinds of a gateway's rows may be called as those of Discord.
  static let bots: [RuleCase] = [
    .quiet(.reconnects, "rows of an OpenClaw gateway, which is not Discord's") { tape in
      for at in [0.0, 10, 20, 30] { row(&tape, "gateway_degraded", at) }
    },
    .quiet(.generatedNotSent, "a run of an agent, which has other ends") {
      row(
        &$0, "llm_call", 0, run: 1, #""messageId":"run-1","transcript":"There is none.""#)
    },
  ]

  // MARK: gateway_run_failed

  static let failed: [RuleCase] = [
    .fires(.gatewayRunFailed, "the model failed", [.warning]) {
      row(&$0, "llm_run_started", 0, run: 1)
      row(&$0, "llm_error", 4, run: 1, #""errorType":"rate_limit""#)
    },
    .fires(.gatewayRunFailed, "its beginning was not seen", [.warning]) {
      row(&$0, "llm_error", 4, run: 1)
    },
    .fires(.gatewayRunFailed, "stopped by an operator", [.info]) {
      row(&$0, "llm_run_started", 0, run: 1)
      row(&$0, "llm_run_aborted", 4, run: 1)
    },
    .fires(.gatewayRunFailed, "twice within five minutes", [.warning]) {
      row(&$0, "llm_error", 0, run: 1)
      row(&$0, "llm_error", 60, run: 2)
    },
    .quiet(.gatewayRunFailed, "it answered") {
      row(&$0, "llm_run_started", 0, run: 1)
      row(&$0, "sent_reply", 4, run: 1)
    },
    .quiet(.gatewayRunFailed, "a bot's own failure") {
      row(&$0, "llm_error", 4, run: 1, isOfGateway: false)
    },
    .quiet(.gatewayRunFailed, "a tool failed and the run went on") {
      row(&$0, "tool_failed", 2, run: 1, #""toolName":"exec""#)
      row(&$0, "sent_reply", 4, run: 1)
    },
    .quiet(.gatewayRunFailed, "another model was tried") {
      row(&$0, "llm_run_fallback", 2, run: 1)
    },
    .quiet(.gatewayRunFailed, "a job failed, which is another rule's") {
      row(&$0, "automation_error", 2, #""automationId":"j1""#)
    },
  ]

  // MARK: gateway_run_stalled

  static let stalled: [RuleCase] = [
    .fires(.gatewayRunStalled, "it began, and no more", [.warning]) {
      row(&$0, "llm_run_started", 0, run: 1)
    },
    .fires(.gatewayRunStalled, "a tool does not come back", [.warning]) {
      row(&$0, "llm_run_started", 0, run: 1)
      row(&$0, "tool_started", 500, run: 1, #""toolName":"exec""#)
      row(&$0, "sent_reply", 1_200, run: 1)
    },
    .fires(.gatewayRunStalled, "no step after the approval was given", [.warning]) {
      row(&$0, "llm_run_started", 0, run: 1)
      row(&$0, "approval_requested", 10, #""approvalId":"a1""#)
      row(&$0, "approval_answered", 500, #""approvalId":"a1""#)
    },
    .quiet(.gatewayRunStalled, "it ends in time") {
      row(&$0, "llm_run_started", 0, run: 1)
      row(&$0, "sent_reply", 590, run: 1)
    },
    .quiet(.gatewayRunStalled, "step by step") {
      row(&$0, "llm_run_started", 0, run: 1)
      for at in stride(from: 300.0, to: 1_800, by: 300) { row(&$0, "llm_run_plan", at, run: 1) }
      row(&$0, "llm_run_finished", 1_900, run: 1)
    },
    .quiet(.gatewayRunStalled, "its session waits for an approval") {
      row(&$0, "llm_run_started", 0, run: 1)
      row(&$0, "approval_requested", 10, #""approvalId":"a1""#)
      row(&$0, "approval_answered", 1_500, #""approvalId":"a1""#)
      row(&$0, "sent_reply", 1_600, run: 1)
    },
    .quiet(.gatewayRunStalled, "the connection was lost") {
      row(&$0, "llm_run_started", 0, run: 1)
      row(&$0, "gateway_disconnected", 30)
    },
    .quiet(.gatewayRunStalled, "a stretch is not on record") {
      row(&$0, "llm_run_started", 0, run: 1)
      $0.outage(60, 90)
    },
    .quiet(.gatewayRunStalled, "it was stopped") {
      row(&$0, "llm_run_started", 0, run: 1)
      row(&$0, "llm_run_aborted", 60, run: 1)
    },
  ]

  // MARK: gateway_tool_failing

  private static func tool(
    _ tape: inout RuleTape, _ kind: String, _ at: Double, _ name: String = "exec",
    isOfGateway: Bool = true
  ) {
    row(&tape, kind, at, run: 1, #""toolName":"\#(name)""#, isOfGateway: isOfGateway)
  }

  static let tools: [RuleCase] = [
    .fires(.gatewayToolFailing, "three times in a minute", [.warning]) {
      for at in [0.0, 20, 40] { tool(&$0, "tool_failed", at) }
    },
    .fires(.gatewayToolFailing, "two tools", [.warning, .warning]) {
      for at in [0.0, 20, 40] { tool(&$0, "tool_failed", at) }
      for at in [1.0, 21, 41] { tool(&$0, "tool_failed", at, "read") }
    },
    .fires(
      .gatewayToolFailing, "two, by the limit of the owner", [.warning],
      RuleSettings([.gatewayToolFailing: .init(values: ["count": 2])])
    ) {
      for at in [0.0, 20] { tool(&$0, "tool_failed", at) }
    },
    .quiet(.gatewayToolFailing, "two are not three") {
      for at in [0.0, 20] { tool(&$0, "tool_failed", at) }
    },
    .quiet(.gatewayToolFailing, "a success between") {
      for at in [0.0, 20, 60] { tool(&$0, "tool_failed", at) }
      tool(&$0, "tool_finished", 30)
    },
    .quiet(.gatewayToolFailing, "three in more than ten minutes") {
      for at in [0.0, 400, 800] { tool(&$0, "tool_failed", at) }
    },
    .quiet(.gatewayToolFailing, "three tools, once each") {
      for (at, name) in [(0.0, "exec"), (20, "read"), (40, "write")] {
        tool(&$0, "tool_failed", at, name)
      }
    },
    .quiet(.gatewayToolFailing, "rows of a bot") {
      for at in [0.0, 20, 40] { tool(&$0, "tool_failed", at, isOfGateway: false) }
    },
  ]

  // MARK: gateway_job_failed

  private static func job(
    _ tape: inout RuleTape, _ kind: String, _ at: Double, _ id: String = "j1", next: Double? = nil,
    isOfGateway: Bool = true
  ) {
    let due = next.map { #","nextRunAtMs":\#(RuleTape.ms($0))"# } ?? ""
    row(&tape, kind, at, #""automationId":"\#(id)"\#(due)"#, isOfGateway: isOfGateway)
  }

  static let jobs: [RuleCase] = [
    .fires(.gatewayJobFailed, "its run failed", [.warning]) {
      job(&$0, "automation_started", 0)
      job(&$0, "automation_error", 3)
    },
    .fires(.gatewayJobFailed, "every hour", [.warning, .warning]) {
      for at in [0.0, 3_600] { job(&$0, "automation_error", at) }
    },
    .fires(.gatewayJobFailed, "two jobs", [.warning, .warning]) {
      job(&$0, "automation_error", 0)
      job(&$0, "automation_error", 1, "j2")
    },
    .quiet(.gatewayJobFailed, "it ran") {
      job(&$0, "automation_started", 0)
      job(&$0, "automation_run", 3)
    },
    .quiet(.gatewayJobFailed, "it has begun") { job(&$0, "automation_started", 0) },
    .quiet(.gatewayJobFailed, "it was changed") { job(&$0, "automation_updated", 0) },
    .quiet(.gatewayJobFailed, "a bot's automation") {
      job(&$0, "automation_error", 0, isOfGateway: false)
    },
    .quiet(.gatewayJobFailed, "a run failed, which is another rule's") {
      row(&$0, "llm_error", 0, run: 1)
    },
  ]

  // MARK: gateway_job_missed

  static let missed: [RuleCase] = [
    .fires(.gatewayJobMissed, "nothing begins", [.warning]) {
      job(&$0, "automation_run", 0, next: 600)
    },
    .fires(.gatewayJobMissed, "after a failure", [.warning]) {
      job(&$0, "automation_error", 0, next: 600)
    },
    .fires(.gatewayJobMissed, "it begins three minutes late", [.warning]) {
      job(&$0, "automation_run", 0, next: 600)
      job(&$0, "automation_started", 780)
    },
    .quiet(.gatewayJobMissed, "it begins a minute late") {
      job(&$0, "automation_run", 0, next: 600)
      job(&$0, "automation_started", 660)
    },
    .quiet(.gatewayJobMissed, "its end alone was seen") {
      job(&$0, "automation_run", 0, next: 600)
      job(&$0, "automation_run", 610)
    },
    .quiet(.gatewayJobMissed, "it was changed or removed") {
      job(&$0, "automation_run", 0, next: 600)
      job(&$0, "automation_updated", 300)
    },
    .quiet(.gatewayJobMissed, "the connection was lost when it was due") {
      job(&$0, "automation_run", 0, next: 600)
      row(&$0, "gateway_gap_warning", 700)
    },
    .quiet(.gatewayJobMissed, "a stretch is not on record") {
      job(&$0, "automation_run", 0, next: 600)
      $0.outage(590, 650)
    },
    .quiet(.gatewayJobMissed, "it has no next run") { job(&$0, "automation_run", 0) },
  ]

  // MARK: gateway_approval_expired

  private static func ask(
    _ tape: inout RuleTape, _ kind: String, _ at: Double, _ id: String = "a1", end: Double? = nil
  ) {
    let expires = end.map { #","expiresAtMs":\#(RuleTape.ms($0))"# } ?? ""
    let key = kind.hasPrefix("question") ? "questionId" : "approvalId"
    row(&tape, kind, at, #""\#(key)":"\#(id)"\#(expires)"#)
  }

  static let expired: [RuleCase] = [
    .fires(.gatewayApprovalExpired, "the gateway says so", [.warning]) {
      ask(&$0, "approval_requested", 0, end: 120)
      ask(&$0, "approval_timeout", 120)
    },
    .fires(.gatewayApprovalExpired, "an old gateway does not say so", [.warning]) {
      ask(&$0, "approval_requested", 0, end: 120)
    },
    .fires(.gatewayApprovalExpired, "its request was not seen", [.warning]) {
      ask(&$0, "approval_timeout", 120)
    },
    .fires(.gatewayApprovalExpired, "a question", [.warning]) {
      ask(&$0, "question_requested", 0, end: 900)
      ask(&$0, "question_timeout", 925)
    },
    .quiet(.gatewayApprovalExpired, "it was allowed or denied") {
      ask(&$0, "approval_requested", 0, end: 120)
      ask(&$0, "approval_answered", 119)
    },
    .quiet(.gatewayApprovalExpired, "it was answered at its end") {
      ask(&$0, "approval_requested", 0, end: 120)
      ask(&$0, "approval_answered", 125)
    },
    .quiet(.gatewayApprovalExpired, "the connection was lost meanwhile") {
      ask(&$0, "approval_requested", 0, end: 120)
      row(&$0, "gateway_connected", 100)
    },
    .quiet(.gatewayApprovalExpired, "a stretch is not on record") {
      ask(&$0, "approval_requested", 0, end: 120)
      $0.outage(60, 90)
    },
    .quiet(.gatewayApprovalExpired, "it has no end, and waits") {
      ask(&$0, "approval_requested", 0)
    },
    .quiet(.gatewayApprovalExpired, "a question was answered") {
      ask(&$0, "question_requested", 0, end: 900)
      ask(&$0, "question_answered", 300)
    },
  ]
}
