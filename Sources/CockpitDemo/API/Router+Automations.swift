extension RESTCall {
  func automations() -> HTTPReply? {
    guard method == "GET" else { return nil }
    if path == ["automations"] { return automationList() }
    if path == ["automations", "runs"] { return automationRuns() }
    return nil
  }

  private func automationList() -> HTTPReply {
    guard let guild = request.text("guildId") else {
      return .json(["error": "guildId is required"], status: 400)
    }
    let known = ["active", "paused", "deleted"]
    let requested = (request.query("status") ?? "").split(separator: ",").map(\.trimmingSpace)
    let statuses =
      requested.contains("all")
      ? known
      : requested.filter(known.contains).isEmpty
        ? ["active", "paused"] : requested.filter(known.contains)
    let limit = request.limit(default: 30, max: 120)
    let text = request.text("q") ?? ""
    let channel = request.text("channelId")
    let rows = world.store.automations.list(
      guild: guild, channel: channel, statuses: statuses, text: text, limit: limit)
    return .json([
      "guildId": .string(guild), "channelId": .text(channel), "statuses": .strings(statuses),
      "query": .string(text), "limit": .int(limit), "rows": .array(rows.map(\.json)),
    ])
  }

  private func automationRuns() -> HTTPReply {
    guard let guild = request.text("guildId"), let id = request.text("automationId"),
      let number = Int64(id), number > 0
    else { return .json(["error": "guildId and automationId are required"], status: 400) }
    let limit = request.limit(default: 30, max: 120)
    return .json([
      "guildId": .string(guild), "automationId": .int(Int(number)), "limit": .int(limit),
      "rows": .array(world.store.automations.runs(automation: number, guild: guild, limit: limit)),
    ])
  }

  /// Contract 7.3: rebuilt from the browser rows, newest activity first.
  func browserSessions() -> DemoJSON {
    let limit = request.limit(default: 50, max: 200)
    let guild = request.text("guildId")
    var query = ActionQuery(limit: limit * 20)
    query.kinds = [
      "browser_agent_session_turn", "browser_browse_call", "browser_browse_failed",
      "browser_tool_step",
    ]
    query.since = request.since(now: world.now, default: 24)
    query.guild = guild
    var order: [String] = []
    var groups: [String: [(row: ActionRow, data: DemoJSON)]] = [:]
    for row in world.store.actions(query) {
      let data = (try? DemoJSON.parse((row.metadata ?? "{}").utf8)) ?? [:]
      let session = data.field("sessionId")
      let key = data.field("sessionKey")
      let id = !session.isEmpty ? session : !key.isEmpty ? key : "browse-\(row.id)"
      if groups[id] == nil { order.append(id) }
      groups[id, default: []].append((row, data))
    }
    let sessions = order.prefix(limit).map { Self.browserSession($0, groups[$0] ?? []) }
    return ["guildId": .text(guild), "sessions": .array(sessions)]
  }

  private static func browserSession(
    _ id: String, _ rows: [(row: ActionRow, data: DemoJSON)]
  ) -> DemoJSON {
    let oldest = rows.last?.row
    let runs = rows.filter { $0.row.kind != "browser_tool_step" }
    let newest = runs.first
    let failed = rows.first { $0.row.kind == "browser_browse_failed" }
    func sum(_ key: String) -> Double {
      runs.reduce(0) { $0 + ($1.data[key]?.doubleValue ?? 0) }
    }
    func first(_ key: String) -> DemoJSON { newest?.data[key] ?? .null }
    let content = newest.flatMap { try? DemoJSON.parse($0.row.content.utf8) } ?? .null
    return [
      "sessionId": .string(id), "startedAt": .time(oldest?.createdMs),
      "lastActiveAt": .time(rows.first?.row.createdMs), "source": first("source"),
      "guildId": .text(oldest?.guild), "channelId": .text(oldest?.channel),
      "userId": .text(oldest?.user), "instruction": content,
      "totalCostUsd": .double(sum("totalCostUsd") + sum("turnCostUsd")),
      "totalSteps": .int(Int(sum("steps"))),
      "hitStepLimit": .bool(runs.contains { $0.data["hitStepLimit"] == .bool(true) }),
      "durationMs": first("durationMs"), "runtime": first("runtime"),
      "provider": first("provider"), "model": first("model"),
      "currentUrl": runs.lazy.compactMap { $0.data["currentUrl"] }.first ?? .null,
      "failed": .bool(failed != nil), "errorName": failed?.data["errorName"] ?? .null,
      "errorMessage": failed?.data["errorMessage"] ?? .null,
      "toolSteps": .array(
        rows.reversed().filter { $0.row.kind == "browser_tool_step" }.map {
          [
            "tool": $0.data["tool"] ?? .null, "step": $0.data["step"] ?? .null,
            "timestamp": .time($0.row.createdMs),
          ]
        }),
    ]
  }
}
