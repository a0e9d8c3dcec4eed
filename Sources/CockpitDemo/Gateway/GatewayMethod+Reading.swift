extension GatewayMethod {
  private static let agentID = GatewayShape.Field.may("agentId", .text(min: 1))
  private static let limit = GatewayShape.Field.may("limit", .whole(1...1000))
  private static let offset = GatewayShape.Field.may("offset", .whole(0...Int.max))
  private static let key = GatewayShape.Field.need("key", .text(min: 1))

  /// Sessions, history, cron, tasks, audit.
  static let reading: [GatewayMethod] = [
    GatewayMethod("sessions.subscribe", "read") { _, client, _ in
      client.subscribesSessions = true
      return ["subscribed": true]
    },
    GatewayMethod("sessions.unsubscribe", "read") { _, client, _ in
      client.subscribesSessions = false
      return ["subscribed": false]
    },
    GatewayMethod(
      "sessions.messages.subscribe", "read", [key],
      new: [agentID, .may("includeApprovals", .flag)]
    ) { world, client, params in
      let key = world.session(params["key"]?.stringValue ?? "").key
      client.followed[key] = params["includeApprovals"]?.boolValue ?? false
      return ["subscribed": true, "key": .string(key)]
    },
    GatewayMethod("sessions.messages.unsubscribe", "read", [key], new: [agentID]) {
      world, client, params in
      client.followed[world.session(params["key"]?.stringValue ?? "").key] = nil
      return ["subscribed": false]
    },
    GatewayMethod(
      "sessions.list", "read",
      [
        limit, agentID, .may("activeMinutes", .whole(1...Int.max)),
        .may("includeDerivedTitles", .flag), .may("includeLastMessage", .flag),
        .may("includeGlobal", .flag), .may("includeUnknown", .flag), .may("search", .text()),
        .may("label", .text(min: 1)), .may("spawnedBy", .text(min: 1)),
      ], new: [offset, .may("archived", .flag)]
    ) { world, _, params in world.list(params) },
    GatewayMethod(
      "sessions.preview", "read",
      [
        .need("keys", .list(.text(min: 1))), limit, .may("maxChars", .whole(20...Int.max)),
      ]
    ) { world, _, params in
      let count = Int(params["limit"]?.doubleValue ?? 6)
      let most = Int(params["maxChars"]?.doubleValue ?? 240)
      let previews: [DemoJSON] = (params["keys"]?.arrayValue ?? []).map { key in
        let found = world.sessions.first { $0.key == key.stringValue }
        let items: [DemoJSON] = (found?.messages.suffix(count) ?? []).compactMap { message in
          GatewaySession.text(message).map {
            ["role": message["role"] ?? "user", "text": .string(String($0.prefix(most)))]
          }
        }
        return [
          "key": key, "status": found == nil ? "missing" : items.isEmpty ? "empty" : "ok",
          "items": .array(items),
        ]
      }
      return ["ts": .int(Int(world.now)), "previews": .array(previews)]
    },
    GatewayMethod(
      "chat.history", "read",
      [.need("sessionKey", .text(min: 1)), limit, .may("maxChars", .whole(1...500_000))],
      new: [agentID, offset, .may("sessionId", .text(min: 1))]
    ) { (world, _, params) throws(GatewayError) in
      if world.faults.rebuildsHistory {
        world.faults.rebuildsHistory = false
        throw GatewayError(
          "session history is rebuilding; retry shortly", code: "UNAVAILABLE",
          details: ["method": "chat.history"], retryAfterMs: 250)
      }
      return try world.history(params)
    },
    GatewayMethod(
      "cron.list", "read", [.may("includeDisabled", .flag), limit, offset], new: [agentID]
    ) { world, _, params in
      let all = world.jobs.filter { $0.isEnabled || params["includeDisabled"]?.boolValue == true }
      return [
        "jobs": .array(all.map { $0.json }), "total": .int(all.count), "offset": 0, "limit": 50,
        "hasMore": false, "nextOffset": .null,
      ]
    },
    GatewayMethod("cron.status", "read") { world, _, _ in
      let status: DemoJSON = [
        "enabled": true, "storePath": "\(Cast.Gateway.home)/.openclaw/cron/jobs.json",
        "jobs": .int(world.jobs.count),
        "nextWakeAtMs": .number(world.jobs.map { Int($0.nextMs) }.min()),
      ]
      guard world.isV4 else { return status }
      return status.merging([
        "storage": "sqlite", "sqlitePath": "\(Cast.Gateway.home)/.openclaw/state/openclaw.sqlite",
      ])
    },
    GatewayMethod("cron.runs", "read", [.need("id", .text(min: 1)), limit], new: [agentID]) {
      (world, _, params) throws(GatewayError) in
      let job = try world.job(params)
      let most = Int(params["limit"]?.doubleValue ?? 50)
      return [
        "entries": .array(job.entries.reversed().prefix(most).map { $0 }),
        "total": .int(job.entries.count), "offset": 0, "limit": .int(most),
        "hasMore": .bool(job.entries.count > most), "nextOffset": .null,
      ]
    },
    GatewayMethod(
      "tasks.list", "read", versions: 4...4, [.may("status", .text()), agentID, limit]
    ) { world, _, params in
      let status = params["status"]?.stringValue
      let all = world.tasks.filter { status == nil || $0["status"]?.stringValue == status }
      return ["tasks": .array(all.suffix(Int(params["limit"]?.doubleValue ?? 100)))]
    },
    GatewayMethod(
      "audit.activity.list", "read", versions: 4...4,
      [
        .may("agentId", .text(min: 1)), .may("sessionKey", .text(min: 1)),
        .may("runId", .text(min: 1)), .may("kind", .one(["agent_run", "tool_action", "message"])),
        .may(
          "status",
          .one(["started", "succeeded", "failed", "cancelled", "timed_out", "blocked", "unknown"])),
        .may("after", .whole(0...Int.max)), .may("before", .whole(0...Int.max)),
        .may("limit", .whole(1...500)), .may("cursor", .text(min: 1)),
      ]
    ) { world, _, params in
      let from = params["after"]?.doubleValue ?? 0
      let to = params["before"]?.doubleValue ?? .infinity
      let all = world.audit.reversed().filter { event in
        let at = event["occurredAt"]?.doubleValue ?? 0
        let names = ["agentId", "sessionKey", "runId", "kind", "status"]
        return at >= from && at <= to
          && names.allSatisfy { name in params[name].map { $0 == event[name] } ?? true }
      }
      // The cursor is the sequence of the last entry that was given: new ones do not move the page.
      let below = params["cursor"]?.stringValue.flatMap(Double.init) ?? .infinity
      let left = all.filter { ($0["sequence"]?.doubleValue ?? 0) < below }
      let page = left.prefix(Int(params["limit"]?.doubleValue ?? 100))
      var json: DemoJSON = ["events": .array(Array(page))]
      if page.count < left.count, let last = page.last?["sequence"]?.doubleValue {
        json = json.setting("nextCursor", .string(String(Int(last))))
      }
      return json
    },
  ]
}

extension GatewayWorld {
  fileprivate func list(_ params: DemoJSON) -> DemoJSON {
    var found = sessions.sorted { ($0.updatedMs, $0.key) > ($1.updatedMs, $1.key) }
    if let agent = params["agentId"]?.stringValue { found.removeAll { $0.agentID != agent } }
    if let minutes = params["activeMinutes"]?.doubleValue {
      found.removeAll { Double(now - $0.updatedMs) > minutes * 60_000 }
    }
    if let words = params["search"]?.stringValue?.lowercased() {
      found.removeAll { !($0.key + " " + $0.title).lowercased().contains(words) }
    }
    let total = found.count
    let start = Int(params["offset"]?.doubleValue ?? 0)
    let limit = Int(params["limit"]?.doubleValue ?? 100)
    let page = found.dropFirst(start).prefix(limit)
    var json: DemoJSON = [
      "ts": .int(Int(now)), "path": "(multiple)", "count": .int(page.count),
      "defaults": ["modelProvider": "birch", "model": "birch-1", "contextTokens": 128_000],
      "sessions": .array(page.map { $0.row(version) }),
    ]
    guard isV4 else { return json }
    let hasMore = start + page.count < total
    json = json.merging([
      "totalCount": .int(total), "limitApplied": .int(limit), "hasMore": .bool(hasMore),
      "nextOffset": hasMore ? .int(start + page.count) : .null, "creators": [],
    ])
    return json
  }

  fileprivate func history(_ params: DemoJSON) throws(GatewayError) -> DemoJSON {
    let session = session(try owned(params))
    let limit = Int(params["limit"]?.doubleValue ?? 200)
    let skip = Int(params["offset"]?.doubleValue ?? 0)
    let older = session.messages.dropLast(skip)
    var json: DemoJSON = [
      "sessionKey": .string(session.key), "sessionId": .string(session.sessionID),
      "messages": .array(older.suffix(limit)), "thinkingLevel": "off",
    ]
    guard isV4 else { return json }
    let hasMore = older.count > limit
    json = json.setting("hasMore", .bool(hasMore))
      .setting("totalMessages", .int(session.messages.count))
      .setting("sessionInfo", session.row(version))
    if hasMore { json = json.setting("nextOffset", .int(skip + limit)) }
    if let id = session.activeRuns.last, let run = run(id) {
      json = json.setting(
        "inFlightRun", ["runId": .string(id), "text": .string(run.text)])
    }
    return json
  }

  /// The full key of `sessionKey` or `key`; protocol 4 wants its owner named (contract 6).
  func owned(_ params: DemoJSON) throws(GatewayError) -> String {
    let key = (params["sessionKey"] ?? params["key"])?.stringValue ?? ""
    if key.hasPrefix("agent:") {
      guard Cast.Gateway.owner(key) != nil else {
        throw GatewayError(
          "unknown agent id in session key \"\(key)\"", details: ["code": "UNKNOWN_AGENT_ID"])
      }
      return key
    }
    if let agent = params["agentId"]?.stringValue { return "agent:\(agent):\(key)" }
    guard isV4 else { return "agent:\(Cast.Gateway.agents[0].id):\(key)" }
    throw GatewayError(
      "Multiple agents are configured, but session key \"\(key)\" has no explicit owner. "
        + "Pass agentId or use an agent-prefixed session key.")
  }

  func job(_ params: DemoJSON) throws(GatewayError) -> GatewayJob {
    let id = params["id"]?.stringValue ?? ""
    guard let job = jobs.first(where: { $0.id == id }) else {
      throw GatewayError("cron job not found: \(id)", details: ["code": "CRON_JOB_NOT_FOUND"])
    }
    return job
  }
}
