/// The few HTTP routes: probes, the list of models, the tools of the memory, chat (`GatewayRoutes+Chat`), and what
/// tests use.
enum GatewayRoutes {
  /// The most bytes of a body (contract 15).
  static let bodyLimit = 20_000_000

  static func answer(_ request: HTTPRequest, _ world: GatewayWorld) -> HTTPReply {
    switch request.rawPath {
    case "/healthz", "/health": return .json(["ok": true, "status": "live"])
    case "/readyz":
      let isReady = world.now >= world.startingUntilMs
      return .json(
        [
          "ready": .bool(isReady), "failing": isReady ? [] : ["startup-sidecars"],
          "uptimeMs": .int(Int(world.now - world.startedMs)), "eventLoop": world.eventLoop,
        ], status: isReady ? 200 : 503)
    case "/startupz" where world.isV4: return .json(["ok": true, "status": "started"])
    case "/v1/models": return models(request, world)
    case "/tools/invoke": return invoke(request, world)
    case "/__demo/fault" where world.options.hasControl: return fault(request, world)
    case "/__demo/truth" where world.options.hasControl:
      return HTTPReply(
        status: 200, headers: [("Content-Type", "application/json")],
        body: world.truthFile)
    default: return .text("Not Found", status: 404)
    }
  }

  private static func models(_ request: HTTPRequest, _ world: GatewayWorld) -> HTTPReply {
    guard isOpened(request, world) else {
      return .json(
        ["error": ["message": "Unauthorized", "type": "unauthorized"]], status: 401)
    }
    let ids =
      ["openclaw", "openclaw/default"] + Cast.Gateway.agents.map { "openclaw/\($0.id)" }
    return .json([
      "object": "list",
      "data": .array(ids.map { ["id": .string($0), "object": "model", "owned_by": "openclaw"] }),
    ])
  }

  private static func fault(_ request: HTTPRequest, _ world: GatewayWorld) -> HTTPReply {
    guard request.method == "POST", let body = try? DemoJSON.parse(request.body),
      let fault = GatewayFault(body)
    else { return .json(["ok": false, "error": "unknown fault"], status: 400) }
    world.apply(fault)
    return .json(["ok": true])
  }
}
