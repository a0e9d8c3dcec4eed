import Foundation

/// Tools over HTTP (contract 12.3): a closed body, the shared token, an agent where there are several.
extension GatewayRoutes {
  private static let shape = GatewayShape.object([
    .need("tool", .text(min: 1)), .may("agentId", .text(min: 1)), .may("args", .any),
    .may("sessionKey", .text(min: 1)), .may("action", .text()),
    .may("idempotencyKey", .text(min: 1)),
  ])

  static func invoke(_ request: HTTPRequest, _ world: GatewayWorld) -> HTTPReply {
    guard request.method == "POST" else { return .text("Method Not Allowed", status: 405) }
    guard isOpened(request, world) else {
      return .json(
        ["error": ["message": "Unauthorized", "type": "unauthorized"]], status: 401)
    }
    guard let body = try? DemoJSON.parse(request.body) else {
      return refuse("invalid_request", "Invalid JSON body", status: 400)
    }
    if let problem = shape.problem(body, version: world.version) {
      return refuse("invalid_request", problem, status: 400)
    }
    let tool = body["tool"]?.stringValue ?? ""
    let given = body["agentId"]?.stringValue
    if world.isV4, given == nil {
      return refuse(
        "invalid_request",
        "Multiple agents are configured, but session key \"main\" has no explicit owner. "
          + "Pass agentId or use an agent-prefixed session key.", status: 400)
    }
    let agent = given ?? Cast.Gateway.agents[0].id
    guard Cast.Gateway.agent(agent) != nil else {
      return refuse("invalid_request", "Unknown agent '\(agent)'.", status: 400)
    }
    world.note(
      "tool invoked",
      ["tool": .string(tool), "agent": .string(agent), "args": body["args"] ?? [:]])
    let arguments = body["args"] ?? [:]
    switch tool {
    case "memory_search" where world.isV4:
      guard let query = arguments["query"]?.stringValue else {
        return refuse("tool_error", "query required", status: 500)
      }
      let most = Int(arguments["maxResults"]?.doubleValue ?? 6)
      return answer(search(agent, query, most: most), world)
    case "memory_get" where world.isV4:
      guard let path = arguments["path"]?.stringValue else {
        return refuse("tool_error", "path required", status: 500)
      }
      return answer(
        ["text": .string(GatewayFiles.text(agent, path)), "path": .string(path)], world)
    default:
      guard let found = GatewayTools.call(tool, agent, arguments, world) else {
        return refuse("not_found", "Tool not available: \(tool)", status: 404)
      }
      switch found {
      case .success(let details):
        guard tool == "browser", arguments["action"]?.stringValue == "screenshot" else {
          return answer(details, world)
        }
        return answer(details, image: DemoScreenshot.png(), world)
      case .failure(let failure):
        return refuse("tool_error", failure.message, status: 500)
      }
    }
  }

  private static func search(_ agent: String, _ query: String, most: Int) -> DemoJSON {
    let found = GatewayFiles.search(agent, query, most: most)
    return [
      "results": .array(
        found.map {
          [
            "path": .string($0.path), "startLine": .int($0.line), "endLine": .int($0.line),
            "score": .double($0.score), "snippet": .string($0.text), "source": "memory",
          ]
        }),
      "provider": "none", "citations": "auto",
      "debug": [
        "backend": "builtin", "effectiveMode": "n/a", "hits": .int(found.count),
        "embeddingBootstrap": [
          "ok": false, "provider": "openai", "reason": "Unknown memory embedding provider: openai",
          "degradedTo": "keyword-only",
        ],
      ],
    ]
  }

  /// - Parameter image: a PNG file that comes with the words.
  private static func answer(
    _ details: DemoJSON, image: [UInt8]? = nil, _ world: GatewayWorld
  ) -> HTTPReply {
    let details = world.faults.isHostile ? HostileWords.poison(details) : details
    var content: [DemoJSON] = [["type": "text", "text": .string(details.text)]]
    if let image {
      content.append([
        "type": "image", "mimeType": "image/png",
        "data": .string(Data(image).base64EncodedString()),
      ])
    }
    return .json(["ok": true, "result": ["content": .array(content), "details": details]])
  }

  private static func refuse(_ type: String, _ message: String, status: Int) -> HTTPReply {
    .json(
      ["ok": false, "error": ["type": .string(type), "message": .string(message)]], status: status)
  }

  static func isOpened(_ request: HTTPRequest, _ world: GatewayWorld) -> Bool {
    let given = request.headers["authorization"] ?? ""
    return given.hasPrefix("Bearer ")
      && GatewayWorld.isSame(String(given.dropFirst(7)), world.token)
  }
}
