/// The agents' tools besides those of the memory. Heron may use all of them, Moss only its own status, and Tally's
/// browser does not start.
enum GatewayTools {
  struct Failure: Error {
    var message: String
  }

  /// Details of the answer; nil for a tool that the agent does not have.
  static func call(
    _ tool: String, _ agent: String, _ arguments: DemoJSON, _ world: GatewayWorld
  ) -> Result<DemoJSON, Failure>? {
    guard agent != "moss" || tool == "session_status" else { return nil }
    switch tool {
    case "agents_list": return .success(agents(agent))
    case "sessions_list":
      let limit = Int(arguments["limit"]?.doubleValue ?? 50)
      return .success(sessions(agent, limit: limit, world))
    case "session_status":
      return .success(
        status(arguments["sessionKey"]?.stringValue ?? Cast.Gateway.mainKey(agent), world))
    case "sessions_history":
      guard let key = arguments["sessionKey"]?.stringValue else {
        return .failure(Failure(message: "sessionKey required"))
      }
      return .success(history(key, limit: Int(arguments["limit"]?.doubleValue ?? 20), world))
    case "browser":
      guard agent != "tally" else {
        return .failure(
          Failure(message: "Can't reach the browser control service. Start (or restart) it."))
      }
      return browser(arguments["action"]?.stringValue)
    default: return nil
    }
  }

  private static func agents(_ agent: String) -> DemoJSON {
    [
      "requester": .string(agent), "allowAny": false,
      "agents": [
        [
          "id": .string(agent), "configured": true,
          "model": .string("\(Cast.Gateway.provider)/\(Cast.Gateway.model)"),
        ]
      ],
    ]
  }

  private static func sessions(_ agent: String, limit: Int, _ world: GatewayWorld) -> DemoJSON {
    let seen = world.sessions.filter { $0.agentID == agent }
      .sorted { ($0.updatedMs, $0.key) > ($1.updatedMs, $1.key) }.prefix(max(0, limit))
    return [
      "count": .int(seen.count), "sessions": .array(seen.map { $0.row(world.version) }),
      "visibility": [
        "mode": "agent", "restricted": true,
        "warning": "Session visibility is restricted: sessions of other agents are omitted.",
      ],
    ]
  }

  private static func status(_ key: String, _ world: GatewayWorld) -> DemoJSON {
    let session = world.sessions.first { $0.key == key }
    let tokens = (session?.input ?? 0) + (session?.output ?? 0)
    let text = """
      OpenClaw \(world.isV4 ? "2026.8.1" : "2026.4.12")
      Model: \(Cast.Gateway.provider)/\(Cast.Gateway.model)
      Tokens: \(session?.input ?? 0) in / \(session?.output ?? 0) out
      Context: \(tokens)/128000
      Session: \(key)
      """
    return [
      "ok": true, "sessionKey": .string(key), "changedModel": false, "statusText": .string(text),
    ]
  }

  private static func history(_ key: String, limit: Int, _ world: GatewayWorld) -> DemoJSON {
    let messages = world.sessions.first { $0.key == key }?.messages ?? []
    return [
      "sessionKey": .string(key), "messages": .array(Array(messages.suffix(max(0, limit)))),
      "truncated": .bool(messages.count > limit), "droppedMessages": false,
    ]
  }

  private static func browser(_ action: String?) -> Result<DemoJSON, Failure> {
    switch action {
    case "status":
      .success(["enabled": true, "running": true, "profile": "openclaw", "tabCount": 2])
    case "tabs":
      .success([
        "tabs": [
          [
            "targetId": "t1", "title": "Tide table", "url": "https://tides.example/harbour",
            "type": "page",
          ],
          [
            "targetId": "t2", "title": "Seed catalogue", "url": "https://seeds.example/beans",
            "type": "page",
          ],
        ]
      ])
    case "screenshot":
      .success(["path": "/home/demo/.openclaw/media/browser/tides.png", "targetId": "t1"])
    default: .failure(Failure(message: "action required"))
    }
  }
}
