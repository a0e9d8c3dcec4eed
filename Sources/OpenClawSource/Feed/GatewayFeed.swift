package import ClankyWire
package import LenientJSON
package import OpenClawWire

/// Makes rows of the action log from the events of a gateway: a pure fold. Where a kind of Clanky says the same,
/// it is used, so that panels, answers and rules apply; the others begin with a prefix that the log knows.
package struct GatewayFeed {
  /// The gateway's clock when the event came, ms since 1970.
  var nowMs: Int64 = 0
  var runs = GatewayRuns()
  var rows: [LiveRow] = []
  /// Messages that have a row.
  private var messages = RecentNames(limit: 2_000)
  /// Entries of the gateway's list that have been looked at.
  private var filled = RecentNames(limit: 10_000)
  /// Tasks and their last status.
  private var tasks: [String: String] = [:]
  /// Names of events that are not known and have a row.
  private var unknown = RecentNames(limit: 200)
  private var healthProblem: String?
  /// Who wrote last in a session, and what, until a run begins there.
  var askers: [String: (name: String, words: String)] = [:]
  /// Names of jobs.
  private var jobs: [String: String] = [:]

  package init() {}

  /// - Parameter nowMs: the gateway's clock, ms since 1970.
  package mutating func take(_ event: GatewayEvent, nowMs: Int64) -> [LiveRow] {
    self.nowMs = nowMs
    rows = []
    let payload = event.payload
    switch event.name {
    case "chat": if let event = ChatEvent(payload) { chat(event, payload) }
    case "agent", "session.tool": if let event = AgentEvent(payload) { agent(event, payload) }
    case "session.message": message(payload)
    case "cron": job(payload)
    case "task": task(payload)
    case "heartbeat": heartbeat(payload)
    case "health": health(payload)
    case "exec.approval.requested": approval(payload, .exec)
    case "plugin.approval.requested": approval(payload, .plugin)
    case "exec.approval.resolved", "plugin.approval.resolved": resolved(payload)
    case "question.requested": question(payload)
    case "question.resolved": questionOver(payload)
    case "device.pair.requested": pairing(payload)
    case "device.pair.resolved": pairingOver(payload)
    case "shutdown":
      let why = payload["reason"]?.string ?? "without a reason"
      rows.append(LiveRow("gateway_restart_warning", "the gateway stops: \(why)", atMs: nowMs))
    case "update.available":
      let latest = payload["updateAvailable"]?["latestVersion"]?.string ?? "a new version"
      rows.append(LiveRow("gateway_update", "\(latest) is available", atMs: nowMs))
    case "config.changed", "skills.changed":
      rows.append(LiveRow("gateway_changed", event.name, atMs: nowMs))
    case "sessions.changed":
      let hasEnded = ["end", "error"].contains(payload["phase"]?.string)
      if hasEnded, let id = payload["runId"]?.string { _ = runs.end { $0.id == id } }
    case "session.approval", "session.operation", "presence", "tick",
      "connect.challenge":
      break
    default:
      // Its payload may hold anything; one row says that there is such an event.
      if unknown.insert(event.name) {
        rows.append(LiveRow("gateway_event", event.name, atMs: nowMs))
      }
    }
    return rows
  }

  /// Events were lost, or the connection was: `seconds` is nil for a hole in a living connection.
  package static func gap(lost: Int?, seconds: Int?, atMs: Int64) -> LiveRow {
    let words =
      switch (lost, seconds) {
      case (let lost?, _): "\(lost) event\(lost == 1 ? "" : "s") of the gateway never came"
      case (nil, let seconds?): "gap of about \(seconds) s: no event of that time came"
      case (nil, nil): "events may be missing"
      }
    return LiveRow("gateway_gap_warning", words, atMs: atMs)
  }

  /// Connected.
  package mutating func greeted(_ hello: GatewayHello, nowMs: Int64) -> LiveRow {
    unknown = RecentNames(limit: 200)
    let version = hello.serverVersion.map { " \($0)" } ?? ""
    return LiveRow(
      "gateway_connected", "gateway\(version), protocol \(hello.protocolVersion)", atMs: nowMs,
      [("scopes", .array(hello.scopes.map { .string($0) }))])
  }

  /// After a reconnect: live runs that their session does not have any more ended meanwhile. A session that is
  /// not listed, or does not say which runs it has, proves nothing.
  ///
  /// - Parameter sessions: rows of the list by their keys.
  package mutating func reconcile(sessions: [String: JSONValue], nowMs: Int64) -> [LiveRow] {
    func hasEnded(_ run: GatewayRun) -> Bool {
      guard let row = run.session.flatMap({ sessions[$0] }) else { return false }
      if let ids = row["activeRunIds"]?.array { return !ids.contains(.string(run.id)) }
      return row["hasActiveRun"]?.bool == false
    }
    return runs.end(where: hasEnded).map { run in
      LiveRow(
        "llm_run_ended_warning",
        run.text.text.isEmpty ? "ended while disconnected" : run.text.text, atMs: nowMs,
        agent: run.agent, session: run.session, user: run.agent,
        [("triggerMessageId", .string(run.id)), ("note", .string("ended while disconnected"))])
    }
  }

  /// - Returns: whether the entry has not been looked at before.
  mutating func insert(filled id: String) -> Bool { filled.insert(id) }

  package mutating func learn(jobs list: [(id: String, name: String)]) {
    for job in list.prefix(1_000) { jobs[job.id] = job.name }
  }

  // MARK: Messages

  /// A user's message; those of agents come as runs.
  private mutating func message(_ payload: JSONValue) {
    guard let fields = JSONFields(payload), let message = payload["message"],
      message["role"]?.string == "user", let whole = MessageText(message)?.text
    else { return }
    let session = fields.string("sessionKey")
    let sequence = fields.int("messageSeq").map { "\(session ?? "")#\($0)" }
    if let name = fields.id("messageId") ?? sequence, !messages.insert(name) { return }
    let text = SenderPreamble.folded(whole)
    let sender = message["senderLabel"]?.string ?? "user"
    if let session {
      if askers.count > 500 { askers = [:] }
      askers[session] = (sender, String(text.prefix(4_000)))
    }
    rows.append(
      LiveRow(
        "text_message", text, atMs: time(message["timestamp"]),
        agent: fields.string("agentId") ?? Self.agent(of: session), session: session,
        user: sender,
        [
          ("displayName", .string(sender)),
          ("messageId", fields.id("messageId").map { .string($0) }),
          ("raw", text == whole ? nil : .string(whole)),
        ]))
  }

  // MARK: Jobs, tasks, heartbeats, health

  private mutating func job(_ payload: JSONValue) {
    guard let fields = JSONFields(payload), let id = fields.id("jobId"),
      let action = fields.string("action")
    else { return }
    if let name = payload["job"]?["name"]?.string, jobs.count < 1_000 || jobs[id] != nil {
      jobs[id] = name
    }
    let name = jobs[id] ?? id
    let session = fields.string("sessionKey")
    let status = fields.string("status")
    let isFailed = fields.string("error") != nil || status == "error"
    let metadata: [(String, JSONValue?)] = [
      ("automationId", .string(id)), ("status", status.map { .string($0) }),
      ("durationMs", fields.int("durationMs").map { .integer($0) }),
      ("nextRunAtMs", fields.int("nextRunAtMs").map { .integer($0) }),
      ("delivered", fields.bool("delivered").map { .bool($0) }),
      ("model", fields.string("model").map { .string($0) }),
    ]
    switch action {
    case "finished" where isFailed:
      let why = fields.string("error") ?? fields.string("summary") ?? "it failed"
      add("automation_error", "\(name): \(why)", session, metadata)
    case "finished": add("automation_run", name + summary(fields), session, metadata)
    case "started": add("automation_started", name, session, metadata)
    default: add("automation_updated", "\(name) \(action)", session, metadata)
    }
  }

  private func summary(_ fields: JSONFields) -> String {
    fields.string("summary").map { ": \($0)" } ?? ""
  }

  private mutating func task(_ payload: JSONValue) {
    guard let task = payload["task"], let fields = JSONFields(task), let id = fields.id("id"),
      let status = fields.string("status"), tasks[id] != status
    else { return }
    if tasks.count > 2_000 { tasks = [:] }
    tasks[id] = status
    let title = fields.string("title") ?? id
    let kind =
      switch status {
      case "failed": "task_failed"
      case "timed_out": "task_timeout"
      default: "task_\(status.filter { $0.isASCII && ($0.isLetter || $0 == "_") }.prefix(20))"
      }
    let words = fields.string("error") ?? fields.string("terminalSummary")
    rows.append(
      LiveRow(
        kind, title + (words.map { ": \($0)" } ?? ""), atMs: nowMs,
        agent: fields.string("agentId"), session: fields.string("sessionKey"),
        [
          ("taskId", .string(id)), ("runId", fields.id("runId").map { .string($0) }),
          ("childSessionKey", fields.string("childSessionKey").map { .string($0) }),
        ]))
  }

  private mutating func heartbeat(_ payload: JSONValue) {
    guard let fields = JSONFields(payload), let status = fields.string("status") else { return }
    let indicator = fields.string("indicatorType")
    let kind =
      status == "failed" || indicator == "error"
      ? "heartbeat_failed" : indicator == "alert" ? "heartbeat_warning" : "heartbeat"
    let words = fields.string("preview") ?? fields.string("reason")
    rows.append(
      LiveRow(
        kind, words.map { "\(status): \($0)" } ?? status, atMs: time(payload["ts"]),
        [
          ("channel", fields.string("channel").map { .string($0) }),
          ("durationMs", fields.int("durationMs").map { .integer($0) }),
        ]))
  }

  /// A snapshot comes every minute; a row says that something changed.
  private mutating func health(_ payload: JSONValue) {
    let problem = GatewayHealth.problem(payload)
    guard problem != healthProblem else { return }
    healthProblem = problem
    rows.append(
      problem.map { LiveRow("gateway_degraded", $0, atMs: time(payload["ts"])) }
        ?? LiveRow("gateway_recovered", "the gateway is well again", atMs: time(payload["ts"])))
  }

  // MARK: What waits

  private mutating func approval(_ payload: JSONValue, _ kind: Approval.Kind) {
    guard let approval = Approval(payload, kind: kind), messages.insert("ask " + approval.id)
    else { return }
    rows.append(
      LiveRow(
        "approval_requested", approval.subject, atMs: time(approval.createdAtMs),
        agent: approval.agentId ?? Self.agent(of: approval.sessionKey),
        session: approval.sessionKey,
        [
          ("approvalId", .string(approval.id)), ("kind", .string(kind.rawValue)),
          ("expiresAtMs", approval.expiresAtMs.map { .integer($0) }),
          ("runId", payload["request"]?["runId"]?.string.map { .string($0) }),
          ("details", .body(approval.details.map { ($0.name, .string($0.value)) })),
        ]))
  }

  private mutating func resolved(_ payload: JSONValue) {
    guard let end = ApprovalResolution(payload), messages.insert("answer " + end.id) else { return }
    let request = payload["request"]
    let subject = request?["command"]?.string ?? request?["title"]?.string ?? end.id
    let session = request?["sessionKey"]?.string
    let by = end.resolvedBy.map { " by \($0)" } ?? ""
    rows.append(
      LiveRow(
        end.isExpiry ? "approval_timeout" : "approval_answered",
        (end.isExpiry ? "expired" : end.decision + by) + ": \(subject)", atMs: nowMs,
        agent: request?["agentId"]?.string ?? Self.agent(of: session), session: session,
        [
          ("approvalId", .string(end.id)), ("decision", .string(end.decision)),
          ("resolvedBy", end.resolvedBy.map { .string($0) }),
        ]))
  }

  private mutating func question(_ payload: JSONValue) {
    guard let question = GatewayQuestion(payload), messages.insert("ask " + question.id) else {
      return
    }
    rows.append(
      LiveRow(
        "question_requested", question.items.map(\.question).joined(separator: " "), atMs: nowMs,
        agent: question.agentId ?? Self.agent(of: question.sessionKey),
        session: question.sessionKey,
        [
          ("questionId", .string(question.id)),
          ("expiresAtMs", question.expiresAtMs.map { .integer($0) }),
          ("runId", payload["runId"]?.string.map { .string($0) }),
        ]))
  }

  /// Never the answers: those of secret questions are among them.
  private mutating func questionOver(_ payload: JSONValue) {
    guard let fields = JSONFields(payload), let id = fields.id("id"),
      messages.insert("answer " + id)
    else { return }
    let status = fields.string("status") ?? "over"
    rows.append(
      LiveRow(
        status == "expired" ? "question_timeout" : "question_answered", status, atMs: nowMs,
        [("questionId", .string(id))]))
  }

  private mutating func pairing(_ payload: JSONValue) {
    guard let request = PairingRequest(payload) else { return }
    let name = request.displayName ?? request.deviceId ?? request.requestId
    rows.append(
      LiveRow(
        "pairing_requested",
        "\(name) asks for \(request.scopes.joined(separator: ", "))", atMs: nowMs,
        [
          ("requestId", .string(request.requestId)),
          ("deviceId", request.deviceId.map { .string($0) }),
          ("remoteIp", request.remoteAddress.map { .string($0) }),
        ]))
  }

  private mutating func pairingOver(_ payload: JSONValue) {
    guard let fields = JSONFields(payload), let id = fields.id("requestId") else { return }
    rows.append(
      LiveRow(
        "pairing_answered", fields.string("decision") ?? "over", atMs: nowMs,
        [("requestId", .string(id))]))
  }

  // MARK: Small parts

  private mutating func add(
    _ kind: String, _ content: String, _ session: String?, _ metadata: [(String, JSONValue?)]
  ) {
    rows.append(
      LiveRow(
        kind, content, atMs: nowMs, agent: Self.agent(of: session), session: session, metadata))
  }

  /// A time of the event, if it has a possible one.
  func time(_ value: JSONValue?) -> Int64 {
    time(value?.int)
  }

  private func time(_ ms: Int?) -> Int64 {
    guard let ms, (1_000_000_000_000..<100_000_000_000_000).contains(ms) else { return nowMs }
    return Int64(ms)
  }

  /// The agent of `agent:NAME:…`.
  static func agent(of session: String?) -> String? {
    guard let parts = session?.split(separator: ":", maxSplits: 2), parts.count > 1,
      parts[0] == "agent"
    else { return nil }
    return String(parts[1])
  }
}

/// What is wrong with a gateway by its health snapshot.
package enum GatewayHealth {
  /// nil if nothing is.
  package static func problem(_ payload: JSONValue) -> String? {
    var problems: [String] = []
    if payload["eventLoop"]?["degraded"]?.bool == true {
      let reasons = payload["eventLoop"]?["reasons"]?.array?.compactMap(\.string) ?? []
      problems.append("event loop degraded: \(reasons.prefix(4).joined(separator: ", "))")
    }
    for channel in (payload["channels"]?.object?.members ?? []).prefix(50) {
      if let error = channel.value["lastError"]?.string {
        problems.append("\(channel.key): \(error)")
      } else if channel.value["configured"]?.bool == true, channel.value["linked"]?.bool == false {
        problems.append("\(channel.key) is not linked")
      }
    }
    return problems.isEmpty ? nil : problems.joined(separator: "; ")
  }
}

/// The last names that were seen, a bounded number of them.
struct RecentNames {
  let limit: Int
  private var names: Set<String> = []
  private var order: [String] = []

  init(limit: Int) { self.limit = limit }

  /// - Returns: whether the name is new.
  mutating func insert(_ name: String) -> Bool {
    guard names.insert(name).inserted else { return false }
    order.append(name)
    if order.count > 2 * limit {
      for old in order.prefix(limit) { names.remove(old) }
      order.removeFirst(limit)
    }
    return true
  }
}

/// The metadata that protocol 3 puts before a user's message (contract 7).
enum SenderPreamble {
  /// The message without it; whole where it has none.
  static func folded(_ text: String) -> String {
    guard text.hasPrefix("Sender (untrusted metadata):"),
      let open = text.firstRange(of: "```"),
      let close = text[open.upperBound...].firstRange(of: "```")
    else { return text }
    var rest = text[close.upperBound...].drop { $0.isWhitespace }
    if rest.first == "[", let end = rest.firstIndex(of: "]"),
      rest.distance(from: rest.startIndex, to: end) < 60
    {
      rest = rest[rest.index(after: end)...].drop { $0.isWhitespace }
    }
    return String(rest)
  }
}
