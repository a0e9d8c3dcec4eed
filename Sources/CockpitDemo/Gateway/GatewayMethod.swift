/// One method: who may call it, with what, and what it does.
struct GatewayMethod: Sendable {
  typealias Body =
    @Sendable (GatewayWorld, GatewayClient, DemoJSON) throws(GatewayError) -> DemoJSON

  var name: String
  /// What an operator needs; a node needs none.
  var scope: String
  var role = "operator"
  /// The protocols that have it.
  var versions: ClosedRange<Int>
  var fields: [GatewayShape.Field]
  /// What protocol 4 takes besides.
  var newFields: [GatewayShape.Field]
  /// Whether it wants to know an agent, where there are several (contract 6).
  var needsAgent: Bool
  var body: Body

  init(
    _ name: String, _ scope: String, versions: ClosedRange<Int> = 3...4,
    _ fields: [GatewayShape.Field] = [], new newFields: [GatewayShape.Field] = [],
    needsAgent: Bool = false, _ body: @escaping Body
  ) {
    self.name = name
    self.scope = "operator." + scope
    self.versions = versions
    self.fields = fields
    self.newFields = newFields
    self.needsAgent = needsAgent
    self.body = body
  }

  func shape(_ version: Int) -> GatewayShape {
    .object(fields + (version >= 4 ? newFields : []))
  }

  /// A frame of a client (contract 2).
  static let frame = GatewayShape.object([
    .need("type", .one(["req"])), .need("id", .text(min: 1)), .need("method", .text(min: 1)),
    .may("params", .any), .may("traceparent", .text()),
  ])

  static let all: [String: GatewayMethod] = {
    let methods = snapshots + reading + workspace + writing + deciding + pairing + node
    return Dictionary(methods.map { ($0.name, $0) }) { first, _ in first }
  }()

  static func names(_ version: Int) -> [String] {
    all.values.filter { $0.versions.contains(version) }.map(\.name).sorted()
  }
}

/// The events that hello-ok names.
enum GatewayEvents {
  static func names(_ version: Int) -> [String] {
    let both = [
      "connect.challenge", "agent", "chat", "session.message", "session.tool", "sessions.changed",
      "presence", "tick", "shutdown", "health", "heartbeat", "cron", "device.pair.requested",
      "device.pair.resolved", "exec.approval.requested", "exec.approval.resolved",
      "plugin.approval.requested", "plugin.approval.resolved", "update.available",
      "node.invoke.request",
    ]
    let new = ["session.approval", "task", "question.requested", "question.resolved"]
    return version >= 4 ? both + new : both
  }
}

extension GatewayWorld {
  /// So often may a client repeat a call that is refused to it; the next closes the socket (contract 7). The real
  /// number is not known.
  private static let refusalLimit = 3

  /// Handles a message of a connected client.
  func receive(_ client: GatewayClient, _ bytes: [UInt8]) {
    let frame = (try? DemoJSON.parse(bytes)) ?? .null
    if let problem = GatewayMethod.frame.problem(frame, version: version) {
      let id = frame["id"]?.stringValue ?? "invalid"
      return answer(client, id, .failure(GatewayError("invalid request frame: \(problem)")))
    }
    let id = frame["id"]?.stringValue ?? ""
    let name = frame["method"]?.stringValue ?? ""
    do throws(GatewayError) {
      let payload = try call(client, name, frame["params"] ?? [:])
      answer(client, id, .success(payload))
    } catch {
      note("refused", ["method": .string(name), "why": .string(error.message)])
      answer(client, id, .failure(error))
      if error.message.hasPrefix("missing scope") {
        client.refusals[name, default: 0] += 1
        if client.refusals[name, default: 0] > Self.refusalLimit {
          client.close(1008, "repeated unauthorized calls")
        }
      }
    }
  }

  private func call(
    _ client: GatewayClient, _ name: String, _ params: DemoJSON
  ) throws(GatewayError) -> DemoJSON {
    guard let method = GatewayMethod.all[name], method.versions.contains(version) else {
      throw GatewayError("unknown method: \(name)")
    }
    guard client.role == method.role else {
      throw GatewayError("unauthorized role: \(client.role)")
    }
    guard method.role == "node" || client.holds(method.scope) else {
      throw GatewayError.missingScope(method.scope, version: version)
    }
    if let problem = method.shape(version).problem(params, version: version) {
      throw GatewayError("invalid \(name) params: \(problem)")
    }
    if method.needsAgent, isV4, Cast.Gateway.agents.count > 1, params["agentId"] == nil {
      throw GatewayError(
        "Multiple agents are configured, but this Gateway request has no explicit owner. "
          + "Set agentId to one of the configured agents.")
    }
    if let agent = params["agentId"]?.stringValue, Cast.Gateway.agent(agent) == nil {
      throw GatewayError("unknown agent id \"\(agent)\"", details: ["code": "UNKNOWN_AGENT_ID"])
    }
    return try method.body(self, client, params)
  }

  /// Answers a request, late when a fault says so.
  func answer(_ client: GatewayClient, _ id: String, _ result: Result<DemoJSON, GatewayError>) {
    var frame: DemoJSON = ["type": "res", "id": .string(id)]
    switch result {
    case .success(let payload):
      frame = frame.setting("ok", true).setting(
        "payload", faults.isHostile && client.isConnected ? HostileWords.poison(payload) : payload)
    case .failure(let error):
      frame = frame.setting("ok", false)
      if let payload = error.payload { frame = frame.setting("payload", payload) }
      frame = frame.setting("error", error.json)
    }
    guard faults.answerDelayMs > 0, client.isConnected else { return client.send(frame) }
    after(faults.answerDelayMs) { _ in client.send(frame) }
  }
}
