/// Something that an agent wants to do and may not without an operator's word.
final class GatewayApproval {
  /// Who may answer it, where not everybody may (contract 10).
  enum Binding {
    case nobody
    case device(String?)
    /// A run that none of the devices here started.
    case elsewhere
  }

  let id: String
  let isPlugin: Bool
  var request: DemoJSON
  let createdMs: Int64
  let expiresMs: Int64
  let binding: Binding
  /// `pending`, `allowed`, `denied`, `expired` or `cancelled`.
  var status = "pending"
  var decision: String?
  var resolvedBy: String?
  var reason: String?
  var resolvedMs: Int64?
  /// What goes on after it, with whether it was allowed.
  var onEnd: ((GatewayWorld, Bool) -> Void)?

  init(
    id: String, isPlugin: Bool, request: DemoJSON, createdMs: Int64, lifeMs: Int,
    binding: Binding
  ) {
    self.id = id
    self.isPlugin = isPlugin
    self.request = request
    self.createdMs = createdMs
    expiresMs = createdMs + Int64(lifeMs)
    self.binding = binding
  }

  var isPending: Bool { status == "pending" }
  var event: String { isPlugin ? "plugin.approval" : "exec.approval" }

  var allowed: [String] {
    (request["allowedDecisions"]?.arrayValue ?? ["allow-once", "allow-always", "deny"])
      .compactMap(\.stringValue)
  }

  var record: DemoJSON {
    [
      "id": .string(id), "request": request, "createdAtMs": .int(Int(createdMs)),
      "expiresAtMs": .int(Int(expiresMs)),
    ]
  }

  /// The entry of `approval.get` and `approval.history`.
  var entry: DemoJSON {
    var shown: DemoJSON
    if isPlugin {
      shown = ["kind": "plugin"]
      for name in [
        "title", "description", "detail", "severity", "pluginId", "toolName", "agentId",
      ] {
        if let value = request[name], value != .null { shown = shown.setting(name, value) }
      }
    } else {
      shown = [
        "kind": "exec", "commandText": request["command"] ?? .null, "commandPreview": .null,
        "warningText": request["warningText"] ?? .null, "host": request["host"] ?? .null,
        "nodeId": request["nodeId"] ?? .null, "agentId": request["agentId"] ?? .null,
      ]
    }
    shown = shown.setting("allowedDecisions", .strings(allowed))
    let path = id.replacing(":", with: "%3A")
    var json: DemoJSON = [
      "id": .string(id), "status": .string(status), "presentation": shown,
      "urlPath": .string("/approve/\(path)"), "createdAtMs": .int(Int(createdMs)),
      "expiresAtMs": .int(Int(expiresMs)),
    ]
    guard !isPending else { return json }
    json = json.setting("resolvedAtMs", .int(Int(resolvedMs ?? 0)))
      .setting("reason", .text(reason))
      .setting(
        "source",
        ["agentId": request["agentId"] ?? .null, "sessionKey": request["sessionKey"] ?? .null]
      )
      .setting(
        "resolver",
        resolvedBy.map { ["kind": "device", "id": .string($0)] } ?? ["kind": "system"])
    if let decision, status != "expired" { json = json.setting("decision", .string(decision)) }
    return json
  }

  var truth: DemoJSON {
    [
      "id": .string(id), "kind": isPlugin ? "plugin" : "exec",
      "asks": request["command"] ?? request["title"] ?? .null,
      "session": request["sessionKey"] ?? .null, "run": request["runId"] ?? .null,
      "created": .int(Int(createdMs)), "expires": .int(Int(expiresMs)), "status": .string(status),
      "decision": .text(decision), "by": .text(resolvedBy), "reason": .text(reason),
      "resolved": .number(resolvedMs.map { Int($0) }),
    ]
  }
}

extension GatewayWorld {
  /// An agent wants to run a command.
  @discardableResult
  func ask(
    command: String, agent: String, session: String, lifeMs: Int = 1_800_000,
    ageMs: Int = 0, binding: GatewayApproval.Binding, run: String? = nil, call: String? = nil,
    warning: String? = nil, allowed: [String] = ["allow-once", "allow-always", "deny"],
    onEnd: ((GatewayWorld, Bool) -> Void)? = nil
  ) -> GatewayApproval {
    let program = command.split(separator: " ").first.map(String.init) ?? "sh"
    let request: DemoJSON = [
      "command": .string(command), "systemRunBinding": .null, "systemRunPlan": .null,
      "cwd": .string("\(Cast.Gateway.home)/agents/\(agent)"), "nodeId": .null, "host": "gateway",
      "security": "allowlist", "ask": "on-miss", "warningText": .text(warning),
      "commandAnalysis": .null, "allowedDecisions": .strings(allowed), "agentId": .string(agent),
      "resolvedPath": .string("/usr/bin/\(program)"), "sessionKey": .string(session),
      "sessionId": .null, "runId": .text(run), "toolCallId": .text(call),
      "turnSourceChannel": "webchat", "turnSourceTo": .null, "turnSourceAccountId": .null,
      "turnSourceThreadId": .null,
    ]
    let approval = GatewayApproval(
      id: "ap-\(storyRandom.token(8))", isPlugin: false, request: request,
      createdMs: now - Int64(ageMs), lifeMs: lifeMs, binding: binding)
    approval.onEnd = onEnd
    return begin(approval)
  }

  /// A plugin wants something.
  @discardableResult
  func askPlugin(
    _ plugin: String, title: String, description: String, detail: String, severity: String,
    tool: String, agent: String, lifeMs: Int = 120_000
  ) -> GatewayApproval {
    let request: DemoJSON = [
      "pluginId": .string(plugin), "title": .string(title), "description": .string(description),
      "detail": .string(detail), "severity": .string(severity), "toolName": .string(tool),
      "toolCallId": .null, "agentId": .string(agent),
      "sessionKey": .string(Cast.Gateway.mainKey(agent)), "runId": .null,
      "turnSourceChannel": .null, "turnSourceTo": .null, "turnSourceAccountId": .null,
      "turnSourceThreadId": .null,
    ]
    return begin(
      GatewayApproval(
        id: "plugin:\(storyRandom.token(8))", isPlugin: true, request: request, createdMs: now,
        lifeMs: lifeMs, binding: .nobody))
  }

  private func begin(_ approval: GatewayApproval) -> GatewayApproval {
    approvals.append(approval)
    note("approval requested", ["id": .string(approval.id)])
    tellApproval(approval, "requested", approval.record)
    queue(approval)
    if faults.answersFirst { scheduleOther(approval, afterMs: 50, decision: "deny") }
    return approval
  }

  private func queue(_ approval: GatewayApproval) {
    after(Int(approval.expiresMs - now)) { [weak approval] world in
      guard let approval, approval.isPending else { return }
      world.end(approval, status: "expired", decision: "deny", by: nil, reason: "timeout")
    }
  }

  /// Schedules another operator's decision; it has no effect if the approval is resolved by then.
  func scheduleOther(_ approval: GatewayApproval, afterMs: Int, decision: String) {
    paced(afterMs) { [weak approval] world in
      guard let approval, approval.isPending else { return }
      world.resolve(approval, decision, by: Cast.Gateway.other)
    }
  }

  func resolve(_ approval: GatewayApproval, _ decision: String, by name: String) {
    let status = decision == "deny" ? "denied" : "allowed"
    end(approval, status: status, decision: decision, by: name, reason: "user")
  }

  /// Ends an approval once; later answers find it ended.
  func end(
    _ approval: GatewayApproval, status: String, decision: String, by name: String?, reason: String
  ) {
    guard approval.isPending else { return }
    approval.status = status
    approval.decision = decision
    approval.resolvedBy = name
    approval.reason = reason
    approval.resolvedMs = now
    note(
      "approval \(status)",
      ["id": .string(approval.id), "decision": .string(decision), "by": .text(name)])
    // Protocol 3 says nothing of an expiry (contract 10).
    var payload: DemoJSON = ["id": .string(approval.id), "decision": .string(decision)]
    if let name { payload = payload.setting("resolvedBy", .string(name)) }
    payload = payload.setting("ts", .int(Int(now))).setting("request", approval.request)
    let isTold = isV4 || name != nil
    let next = approval.onEnd
    approval.onEnd = nil
    // The answer to the request comes first.
    after(Self.afterAnswerMs) { world in
      if isTold { world.tellApproval(approval, "resolved", payload) }
      next?(world, status == "allowed")
    }
  }

  /// Events that a request causes follow its answer.
  static let afterAnswerMs = 2

  private func tellApproval(_ approval: GatewayApproval, _ what: String, _ payload: DemoJSON) {
    let version = version
    tell("\(approval.event).\(what)", payload, scope: "operator.approvals") {
      $0.caps.contains("approvals") && $0.sees(approval, version: version)
    }
    guard isV4, let key = approval.request["sessionKey"]?.stringValue else { return }
    tell(
      "session.approval",
      [
        "sessionKey": .string(key), "phase": approval.isPending ? "pending" : "terminal",
        "approval": approval.entry,
      ], scope: "operator.approvals"
    ) { $0.followed[key] == true && $0.sees(approval, version: version) }
  }
}
