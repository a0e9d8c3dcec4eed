internal import ClankyWire
internal import LenientJSON
internal import OpenClawWire

/// What is known of a gateway beside its rows, as the documents that its stores read.
struct GatewayPicture {
  var hello: GatewayHello?
  /// What the profile asks for; protocol 3 may grant without saying so.
  var requested: [String] = []
  var agents: [JSONValue] = []
  /// By their keys.
  var sessions: [String: JSONValue] = [:]
  var jobs: [JSONValue] = []
  var presence: [JSONValue] = []
  var health: JSONValue = .null
  var heartbeat: JSONValue = .null
  /// This device as a node of the gateway; nil if it is none.
  var node: OwnNode?
  /// Lists that could not be read, by their names.
  var unknown: [String: String] = [:]
  static let maximumSessions = 500

  struct OwnNode: Equatable {
    var isConnected: Bool
    var words: String
  }

  func holds(_ scope: String) -> Bool {
    guard let hello else { return false }
    let granted = hello.scopes.isEmpty && hello.protocolVersion < 4 ? requested : hello.scopes
    return granted.contains(scope) || granted.contains("operator.admin")
  }

  mutating func greeted(_ hello: GatewayHello) {
    self.hello = hello
    presence = Array(hello.snapshotPresence.prefix(200))
    health = hello.snapshotHealth ?? .null
  }

  // MARK: Lists and events

  /// - Returns: whether the list belongs here.
  mutating func take(
    _ request: GatewayRequest, _ result: Result<JSONValue, RequestFailure>
  ) -> Bool {
    let name: String
    switch request {
    case .listAgents: name = "agents"
    case .listSessions: name = "sessions"
    case .listJobs: name = "jobs"
    default: return false
    }
    switch result {
    case .failure(let failure): unknown[name] = failure.description
    case .success(let payload):
      unknown[name] = nil
      switch request {
      case .listAgents: agents = Array((payload["agents"]?.array ?? []).prefix(200))
      case .listJobs: jobs = Array((payload["jobs"]?.array ?? []).prefix(500))
      default:
        sessions = [:]
        for row in (payload["sessions"]?.array ?? []).prefix(Self.maximumSessions) {
          if let key = row["key"]?.string { sessions[key] = row }
        }
      }
    }
    return true
  }

  /// - Returns: whether anything changed.
  mutating func take(_ event: GatewayEvent) -> Bool {
    switch event.name {
    case "presence":
      presence = Array((event.payload["presence"]?.array ?? []).prefix(200))
    case "health": health = event.payload
    case "heartbeat": heartbeat = event.payload
    case "sessions.changed": return patch(event.payload)
    case "cron": return patchJob(event.payload)
    default: return false
    }
    return true
  }

  /// The event has the fields that changed.
  private mutating func patch(_ payload: JSONValue) -> Bool {
    guard let key = payload["sessionKey"]?.string else { return false }
    guard sessions[key] != nil || sessions.count < Self.maximumSessions else { return false }
    var members =
      sessions[key]?.object?.members ?? [JSONObject.Member(key: "key", value: .string(key))]
    var changes = payload.object?.members ?? []
    switch payload["phase"]?.string {
    case "start": changes.append(.init(key: "hasActiveRun", value: .bool(true)))
    case "end", "error": changes.append(.init(key: "hasActiveRun", value: .bool(false)))
    default: break
    }
    for change in changes where !["sessionKey", "phase", "reason", "runId"].contains(change.key) {
      if let place = members.firstIndex(where: { $0.key == change.key }) {
        members[place] = change
      } else {
        members.append(change)
      }
    }
    sessions[key] = .object(JSONObject(members: members))
    return true
  }

  private mutating func patchJob(_ payload: JSONValue) -> Bool {
    guard let id = payload["jobId"]?.string,
      let place = jobs.firstIndex(where: { $0["id"]?.string == id })
    else { return false }
    var state = jobs[place]["state"]?.object?.members ?? []
    let changes: [(String, JSONValue?)] = [
      ("lastStatus", payload["status"]), ("lastError", payload["error"] ?? .null),
      ("lastRunAtMs", payload["runAtMs"]), ("nextRunAtMs", payload["nextRunAtMs"]),
      ("lastDurationMs", payload["durationMs"]),
    ]
    guard payload["action"]?.string == "finished" else { return false }
    for case (let key, let value?) in changes {
      state.removeAll { $0.key == key }
      state.append(.init(key: key, value: value))
    }
    var members = jobs[place].object?.members ?? []
    members.removeAll { $0.key == "state" }
    members.append(.init(key: "state", value: .object(JSONObject(members: state))))
    jobs[place] = .object(JSONObject(members: members))
    return true
  }

  // MARK: Documents

  /// The document `gateway`.
  func overview() -> [UInt8] {
    let server = hello.map { hello in
      JSONValue.body([
        ("version", hello.serverVersion.map { .string($0) }),
        ("protocol", .integer(hello.protocolVersion)),
        ("scopes", .array(hello.scopes.map { .string($0) })),
      ])
    }
    let document = JSONValue.body([
      ("server", server), ("agents", .array(agents)),
      ("sessions", .array(sessions.sorted { $0.key < $1.key }.map(\.value))),
      ("jobs", .array(jobs)), ("presence", .array(presence)), ("health", health),
      ("heartbeat", heartbeat), ("node", node.map(Self.json)),
      ("unknown", .body(unknown.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
    ])
    return Array(SecretMembers.removed(from: document).serialized().utf8)
  }

  /// The document `control`.
  func control(_ desk: ControlDesk, _ runs: [GatewayRun]) -> [UInt8] {
    var notes: [String] = []
    if let hello, hello.protocolVersion >= 4, holds("operator.approvals"),
      !holds("operator.admin")
    {
      notes.append(
        "approvals of runs started elsewhere are not shown: that takes scopes = \"admin\"")
    }
    if hello != nil, !holds("operator.approvals") {
      notes.append("approvals are not shown: this profile may only watch")
    }
    let known = Set(runs.compactMap(\.session))
    let others = sessions.values.filter {
      $0["hasActiveRun"]?.bool == true && !known.contains($0["key"]?.string ?? "")
    }.sorted { ($0["key"]?.string ?? "") < ($1["key"]?.string ?? "") }
    let document = JSONValue.body([
      ("waiting", .array(desk.waiting.map { $0.json(isHeard: desk.heard.contains($0.id)) })),
      (
        "over",
        .array(
          desk.over.map {
            .body([
              ("id", .string($0.id)), ("words", .string($0.words)), ("at_ms", .integer($0.atMs)),
            ])
          })
      ),
      ("runs", .array(runs.map(Self.json) + others.map(Self.json(session:)))),
      (
        "unknown",
        .array(
          desk.unknown.sorted { $0.key < $1.key }.map { .string("\($0.key): \($0.value)") })
      ),
      ("notes", .array(notes.map { .string($0) })),
      ("can_answer", .bool(holds("operator.approvals"))),
      ("can_stop", .bool(holds("operator.write"))),
    ])
    return Array(document.serialized().utf8)
  }

  private static func json(_ run: GatewayRun) -> JSONValue {
    .body([
      ("id", .string(run.id)), ("agent", run.agent.map { .string($0) }),
      ("session", run.session.map { .string($0) }), ("started_ms", .integer(run.startMs)),
      ("phase", run.phase.map { .string($0) }), ("tool", run.runningTool.map { .string($0) }),
    ])
  }

  private static func json(_ node: OwnNode) -> JSONValue {
    .body([("connected", .bool(node.isConnected)), ("words", .string(node.words))])
  }

  /// A run of which only its session tells.
  private static func json(session row: JSONValue) -> JSONValue {
    let key = row["key"]?.string ?? ""
    return .body([
      ("agent", (row["agentId"]?.string ?? GatewayFeed.agent(of: key)).map { .string($0) }),
      ("session", .string(key)), ("started_ms", row["startedAt"]),
    ])
  }
}
