/// The REST interface: signed addresses, conversations, agents, quota, voices.
enum ElevenLabsRoutes {
  static func answer(_ request: HTTPRequest, _ world: ElevenLabsWorld) -> HTTPReply {
    if request.rawPath == "/__demo/truth", world.options.hasControl {
      return HTTPReply(
        status: 200, headers: [("Content-Type", "application/json")], body: world.truthFile)
    }
    guard request.method == "GET" else { return refusal(405, "method_not_allowed", "GET only") }
    let path = request.segments
    let isConvai = path.count >= 3 && path[0] == "v1" && path[1] == "convai"
    guard isConvai || ["v1/user/subscription", "v1/voices"].contains(path.joined(separator: "/"))
    else { return .json(["detail": "Not Found"], status: 404) }
    guard request.headers["xi-api-key"] == world.key else {
      world.note("refused", ["path": .string(request.rawPath)])
      return refusal(401, "invalid_api_key", "Invalid API key")
    }
    world.note("rest", ["path": .string(request.rawPath)])
    switch path.joined(separator: "/") {
    case "v1/user/subscription": return subscription(world)
    case "v1/voices":
      return .json([
        "voices": .array(
          Cast.ElevenLabs.voices.map { ["voice_id": .string($0.0), "name": .string($0.1)] })
      ])
    case "v1/convai/agents":
      return .json([
        "agents": .array(
          Cast.ElevenLabs.agents.map { ["agent_id": .string($0.id), "name": .string($0.name)] }),
        "has_more": false, "next_cursor": nil,
      ])
    case "v1/convai/conversation/get-signed-url", "v1/convai/conversation/get_signed_url":
      return named(request) { ["signed_url": .string(world.sign($0.id))] }
    case "v1/convai/conversation/token":
      return named(request) { _ in ["token": "demo-webrtc-token"] }
    case "v1/convai/conversations": return conversations(request, world)
    default:
      guard path.count == 4, path[2] == "conversations" else {
        return .json(["detail": "Not Found"], status: 404)
      }
      guard let past = world.past.first(where: { $0.id == path[3] }) else {
        return refusal(404, "conversation_not_found", "Conversation \(path[3]) not found")
      }
      return .json(details(past))
    }
  }

  private static func refusal(_ status: Int, _ kind: String, _ message: String) -> HTTPReply {
    .json(
      ["detail": ["status": .string(kind), "message": .string(message)]], status: status)
  }

  /// An answer about the agent that is named.
  private static func named(
    _ request: HTTPRequest, _ answer: (Cast.ElevenLabs.Agent) -> DemoJSON
  ) -> HTTPReply {
    guard let id = request.query("agent_id") else {
      return .json(
        [
          "detail": [
            ["loc": ["query", "agent_id"], "msg": "Field required", "type": "missing"]
          ]
        ], status: 422)
    }
    guard let agent = Cast.ElevenLabs.agent(id) else {
      return refusal(404, "agent_not_found", "Agent \(id) not found")
    }
    return .json(answer(agent))
  }

  private static func subscription(_ world: ElevenLabsWorld) -> HTTPReply {
    let limit = 100_000
    let used = min(limit, limit - world.options.charactersLeft + world.usedCharacters)
    return .json([
      "tier": "creator", "character_count": .int(used), "character_limit": .int(limit),
      "next_character_count_reset_unix": .int(Int(world.now / 1_000) + 11 * 86_400),
    ])
  }

  private static func conversations(_ request: HTTPRequest, _ world: ElevenLabsWorld) -> HTTPReply {
    let size = min(100, max(1, request.query("page_size").flatMap(Int.init) ?? 30))
    var rows = world.past
    if let agent = request.query("agent_id"), !agent.isEmpty {
      rows = rows.filter { $0.agent.id == agent }
    }
    let start = request.query("cursor").flatMap(Int.init) ?? 0
    let page = rows.dropFirst(start).prefix(size)
    let hasMore = rows.count > start + page.count
    return .json([
      "conversations": .array(page.map(row)), "has_more": .bool(hasMore),
      "next_cursor": hasMore ? .string(String(start + page.count)) : nil,
    ])
  }

  private static func row(_ past: ElevenLabsWorld.Past) -> DemoJSON {
    [
      "agent_id": .string(past.agent.id), "agent_name": .string(past.agent.name),
      "conversation_id": .string(past.id),
      "start_time_unix_secs": .int(Int(past.startMs / 1_000)),
      "call_duration_secs": .int(past.seconds), "message_count": .int(past.turns.count),
      "status": .string(past.status),
      "call_successful": .string(
        past.status == "in-progress" ? "unknown" : past.isGood ? "success" : "failure"),
      "transcript_summary": past.turns.dropFirst().first.map { .string($0.text) } ?? nil,
      "termination_reason": past.status == "in-progress" ? nil : .string(past.ending),
      "tool_names": .strings(past.tools),
    ]
  }

  private static func details(_ past: ElevenLabsWorld.Past) -> DemoJSON {
    let turns: [DemoJSON] = past.turns.enumerated().map { index, turn in
      let isAgent = turn.role == "agent"
      return [
        "role": .string(turn.role), "message": .string(turn.text),
        "time_in_call_secs": .int(turn.at),
        "tool_calls": isAgent && index == 2
          ? .array(past.tools.map { ["tool_name": .string($0)] }) : [],
        "conversation_turn_metrics": isAgent
          ? ["metrics": ["convai_llm_service_ttf_sentence": ["elapsed_time": 0.41]]] : nil,
      ]
    }
    return [
      "conversation_id": .string(past.id), "agent_id": .string(past.agent.id),
      "status": .string(past.status), "transcript": .array(turns),
      "metadata": [
        "start_time_unix_secs": .int(Int(past.startMs / 1_000)),
        "call_duration_secs": .int(past.seconds), "cost": .int(past.seconds * 8),
        "termination_reason": .string(past.ending),
      ],
      "analysis": [
        "call_successful": .string(past.isGood ? "success" : "failure"),
        "transcript_summary": past.turns.dropFirst().first.map { .string($0.text) } ?? nil,
      ],
    ]
  }
}
