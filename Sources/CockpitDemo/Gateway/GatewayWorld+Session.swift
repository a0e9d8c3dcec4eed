/// A conversation with an agent.
final class GatewaySession {
  let key: String
  let agentID: String
  var kind = "direct"
  var title: String
  var messages: [DemoJSON] = []
  var activeRuns: [String] = []
  var status: String?
  var lastError: String?
  var updatedMs: Int64
  let createdMs: Int64
  var startedMs: Int64?
  var endedMs: Int64?
  var input = 0
  var output = 0
  var cost = 0.0
  var spawnedBy: String?
  var children: [String] = []
  /// Streams of its history over HTTP.
  var followers: [GatewayLink] = []
  /// What `sessions.patch` sets.
  var patched: DemoJSON = [:]

  init(key: String, agentID: String, title: String, nowMs: Int64) {
    self.key = key
    self.agentID = agentID
    self.title = title
    updatedMs = nowMs
    createdMs = nowMs
  }

  var sessionID: String {
    let sum = key.utf8.reduce(UInt32(7)) { ($0 &* 31) &+ UInt32($1) }
    return "s-" + String(sum, radix: 16)
  }

  var preview: String? {
    messages.last { $0["role"]?.stringValue == "assistant" }.flatMap(Self.text)
  }

  static func text(_ message: DemoJSON) -> String? {
    message["content"]?.arrayValue?.compactMap { $0["text"]?.stringValue }.last
  }

  func row(_ version: Int) -> DemoJSON {
    let isMain = key == Cast.Gateway.mainKey(agentID)
    var row: DemoJSON = [
      "key": .string(key), "kind": .string(kind),
      "chatType": kind == "group" ? "channel" : "direct",
      "updatedAt": .int(Int(updatedMs)), "sessionId": .string(sessionID),
      "derivedTitle": .string(title), "inputTokens": .int(input), "outputTokens": .int(output),
      "totalTokens": .int(input + output), "totalTokensFresh": true, "contextTokens": 128_000,
      "estimatedCostUsd": .double((cost * 1e6).rounded() / 1e6), "model": "birch-1",
      "modelProvider": "birch",
    ]
    if version >= 4 {
      row = row.merging([
        "classification": isMain ? "main" : "other", "agentId": .string(agentID),
        "isMain": .bool(isMain), "isBackground": .bool(spawnedBy != nil), "archived": false,
        "pinned": false, "unread": false, "createdVia": "operator", "visibility": "shared",
        "createdAt": .int(Int(createdMs)), "hasActiveRun": .bool(!activeRuns.isEmpty),
        "activeRunIds": .strings(activeRuns),
      ])
    }
    if let preview { row = row.setting("lastMessagePreview", .string(preview)) }
    if let status { row = row.setting("status", .string(status)) }
    if let lastError { row = row.setting("lastRunError", .string(lastError)) }
    if let startedMs { row = row.setting("startedAt", .int(Int(startedMs))) }
    if let endedMs, let startedMs {
      row = row.setting("endedAt", .int(Int(endedMs)))
        .setting("runtimeMs", .int(Int(endedMs - startedMs)))
    }
    if let spawnedBy {
      row = row.setting("spawnedBy", .string(spawnedBy))
        .setting("parentSessionKey", .string(spawnedBy)).setting("spawnDepth", 1)
    }
    if !children.isEmpty { row = row.setting("childSessions", .strings(children)) }
    return row.merging(patched)
  }
}

extension GatewayWorld {
  /// The session of a key; a bare name belongs to the first agent. One that is not there is made.
  func session(_ key: String, title: String? = nil) -> GatewaySession {
    let full = key.hasPrefix("agent:") ? key : "agent:\(Cast.Gateway.agents[0].id):\(key)"
    if let found = sessions.first(where: { $0.key == full }) { return found }
    let agent = Cast.Gateway.owner(full) ?? Cast.Gateway.agents[0].id
    let made = GatewaySession(key: full, agentID: agent, title: title ?? "New", nowMs: now)
    sessions.append(made)
    return made
  }

  /// Adds a message, and tells those who follow the session.
  func add(_ role: String, _ parts: DemoJSON, to session: GatewaySession, more: DemoJSON = [:]) {
    let sequence = session.messages.count + 1
    let id = "\(session.sessionID)-m\(sequence)"
    let base: DemoJSON = [
      "role": .string(role), "content": parts, "timestamp": .int(Int(now)),
      "__openclaw": ["id": .string(id), "seq": .int(sequence)],
    ]
    let message = base.merging(more)
    session.messages.append(message)
    session.updatedMs = now
    for follower in session.followers { follower.send(GatewaySSE.event("message", message)) }
    session.followers.removeAll { $0.isClosed }
    var payload: DemoJSON = [
      "sessionKey": .string(session.key), "message": message, "messageId": .string(id),
      "messageSeq": .int(sequence),
    ]
    if isV4 { payload = payload.setting("agentId", .string(session.agentID)) }
    tell("session.message", payload) {
      $0.subscribesSessions || $0.followed[session.key] != nil
    }
  }

  func tellChanged(_ session: GatewaySession, _ more: DemoJSON) {
    var payload: DemoJSON = ["sessionKey": .string(session.key)]
    payload = payload.merging(more).setting("ts", .int(Int(now)))
    if isV4 {
      payload = payload.setting("agentId", .string(session.agentID))
        .setting("activeRunIds", .strings(session.activeRuns))
    }
    tell("sessions.changed", payload) { $0.subscribesSessions }
  }
}
