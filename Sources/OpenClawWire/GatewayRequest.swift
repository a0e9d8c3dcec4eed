package import LenientJSON

/// Everything that this program asks of a gateway. Objects of requests are closed: a property that the
/// gateway's version does not know refuses the whole request.
package enum GatewayRequest: Sendable, Equatable {
  case subscribeSessions
  case listSessions(limit: Int)
  case listAgents
  case history(sessionKey: String, limit: Int)
  /// A message to the agent of a session. A gateway takes each key once.
  case sendMessage(sessionKey: String, text: String, key: String, images: [Attachment])
  /// What answers in a session, and how long it thinks; null in JSON is the agent's own.
  case patchSession(key: String, SessionPatch)
  case listApprovals(Approval.Kind)
  case resolveApproval(Approval.Kind, id: String, ApprovalDecision)
  /// One approval, also when it is over.
  case approval(id: String)
  case listQuestions
  /// The answers by the id of each question; every question has one.
  case answerQuestion(id: String, [String: [String]])
  case cancelQuestion(id: String)
  case listPairings
  case approvePairing(id: String)
  case rejectPairing(id: String)
  /// Ends a run; without its id, what runs in the session.
  case abortRun(sessionKey: String, runId: String?)
  case listJobs
  /// The files of an agent that the gateway lets be read.
  case listFiles(agent: String)
  case file(agent: String, name: String)
  /// A folder of an agent's workspace, by its path in it; "" is the workspace itself.
  case listWorkspace(agent: String, path: String, offset: Int, limit: Int)
  case workspaceFile(agent: String, path: String)
  case listNodes
  /// The end of the gateway's log; with a cursor, what was written since.
  case tailLog(cursor: Int?, limit: Int)
  /// What the gateway has written down of runs and tools, the newest first.
  case listActivity(afterMs: Int64, cursor: String?, limit: Int)
  /// A text as audio: `{audioBase64}`.
  case speak(String)
  /// What became of a command that the gateway asked of this node.
  case nodeResult(NodeResult)

  /// One setting of a session; nil clears it.
  package enum SessionPatch: Sendable, Equatable {
    case model(String?)
    case thinkingLevel(String?)

    fileprivate var member: (String, JSONValue?) {
      switch self {
      case .model(let name): ("model", name.map(JSONValue.string) ?? .null)
      case .thinkingLevel(let level): ("thinkingLevel", level.map(JSONValue.string) ?? .null)
      }
    }
  }

  /// An image that goes with a message.
  package struct Attachment: Sendable, Equatable {
    package var mimeType: String
    package var fileName: String
    /// In base64.
    package var content: String

    package init(mimeType: String, fileName: String, content: String) {
      self.mimeType = mimeType
      self.fileName = fileName
      self.content = content
    }

    fileprivate var json: JSONValue {
      .body([
        ("type", .string("image")), ("mimeType", .string(mimeType)),
        ("fileName", .string(fileName)), ("content", .string(content)),
      ])
    }
  }

  package var method: String {
    switch self {
    case .sendMessage: "chat.send"
    case .patchSession: "sessions.patch"
    case .subscribeSessions: "sessions.subscribe"
    case .listSessions: "sessions.list"
    case .listAgents: "agents.list"
    case .history: "chat.history"
    case .listApprovals(let kind): "\(kind.rawValue).approval.list"
    case .resolveApproval(let kind, _, _): "\(kind.rawValue).approval.resolve"
    case .approval: "approval.get"
    case .listQuestions: "question.list"
    case .answerQuestion, .cancelQuestion: "question.resolve"
    case .listPairings: "device.pair.list"
    case .approvePairing: "device.pair.approve"
    case .rejectPairing: "device.pair.reject"
    case .abortRun: "chat.abort"
    case .listJobs: "cron.list"
    case .listFiles: "agents.files.list"
    case .file: "agents.files.get"
    case .listWorkspace: "agents.workspace.list"
    case .workspaceFile: "agents.workspace.get"
    case .listNodes: "node.list"
    case .tailLog: "logs.tail"
    case .listActivity: "audit.activity.list"
    case .speak: "tts.speak"
    case .nodeResult: "node.invoke.result"
    }
  }

  /// Whether a gateway of this protocol has the method.
  package func exists(in protocolVersion: Int) -> Bool {
    switch self {
    case .listQuestions, .answerQuestion, .cancelQuestion, .approval, .listActivity,
      .listWorkspace, .workspaceFile, .speak:
      protocolVersion >= 4
    default: true
    }
  }

  /// The scope without which the gateway refuses; of a node's requests, its role.
  package var scope: String {
    switch self {
    case .subscribeSessions, .listSessions, .listAgents, .history, .listJobs, .listFiles, .file,
      .listWorkspace, .workspaceFile, .listNodes, .tailLog, .listActivity:
      "operator.read"
    case .abortRun, .sendMessage, .patchSession, .speak: "operator.write"
    case .listApprovals, .resolveApproval, .approval: "operator.approvals"
    case .listQuestions, .answerQuestion, .cancelQuestion: "operator.questions"
    case .listPairings, .approvePairing, .rejectPairing: "operator.pairing"
    case .nodeResult: "node"
    }
  }

  package var parameters: JSONValue {
    switch self {
    case .subscribeSessions, .listAgents, .listApprovals, .listQuestions, .listPairings,
      .listNodes:
      .object(JSONObject())
    case .listSessions(let limit): .body([("limit", .integer(limit))])
    case .history(let key, let limit):
      .body([("sessionKey", .string(key)), ("limit", .integer(limit))])
    case .sendMessage(let sessionKey, let text, let key, let images):
      .body([
        ("sessionKey", .string(sessionKey)), ("message", .string(text)),
        ("idempotencyKey", .string(key)),
        ("attachments", images.isEmpty ? nil : .array(images.map(\.json))),
      ])
    case .patchSession(let key, let patch): .body([("key", .string(key)), patch.member])
    case .approval(let id): .body([("id", .string(id))])
    case .speak(let text): .body([("text", .string(text))])
    case .nodeResult(let result): result.parameters
    case .listJobs: .body([("includeDisabled", .bool(true))])
    case .listFiles(let agent): .body([("agentId", .string(agent))])
    case .file(let agent, let name):
      .body([("agentId", .string(agent)), ("name", .string(name))])
    case .listWorkspace(let agent, let path, let offset, let limit):
      .body([
        ("agentId", .string(agent)), ("path", path.isEmpty ? nil : .string(path)),
        ("offset", .integer(offset)), ("limit", .integer(limit)),
      ])
    case .workspaceFile(let agent, let path):
      .body([("agentId", .string(agent)), ("path", .string(path))])
    case .tailLog(let cursor, let limit):
      .body([("cursor", cursor.map { .integer($0) }), ("limit", .integer(limit))])
    case .listActivity(let after, let cursor, let limit):
      .body([
        ("after", .integer(max(0, after))), ("limit", .integer(limit)),
        ("cursor", cursor.map { .string($0) }),
      ])
    case .approvePairing(let id), .rejectPairing(let id): .body([("requestId", .string(id))])
    case .cancelQuestion(let id): .body([("id", .string(id)), ("cancel", .bool(true))])
    case .answerQuestion(let id, let answers):
      .body([
        ("id", .string(id)),
        (
          "answers",
          .body([
            (
              "answers",
              .body(
                answers.sorted { $0.key < $1.key }.map { key, values in
                  (key, .array(values.map { .string($0) }))
                })
            )
          ])
        ),
      ])
    case .abortRun(let key, let runId):
      .body([("sessionKey", .string(key)), ("runId", runId.map { .string($0) })])
    case .resolveApproval(_, let id, let decision):
      .body([("id", .string(id)), ("decision", .string(decision.rawValue))])
    }
  }

  /// The frame's bytes.
  package func frame(id: String) -> [UInt8] {
    Self.frame(id: id, method: method, parameters: parameters)
  }

  /// The frame of a connect.
  package static func connect(id: String, _ parameters: JSONValue) -> [UInt8] {
    frame(id: id, method: "connect", parameters: parameters)
  }

  private static func frame(id: String, method: String, parameters: JSONValue) -> [UInt8] {
    var writer = JSONObjectWriter()
    writer.string("type", "req")
    writer.string("id", id)
    writer.string("method", method)
    writer.value("params", parameters)
    return writer.finish()
  }
}
