/// Pairing, and what tests ask.
enum CompanionRoutes {
  static func answer(_ request: HTTPRequest, _ world: CompanionWorld) -> HTTPReply {
    switch request.rawPath {
    case "/pair":
      guard request.method == "POST" else { return .json(["error": "POST only"], status: 405) }
      guard let body = try? DemoJSON.parse(request.body) else {
        return .json(["error": "not JSON"], status: 400)
      }
      let (status, answer) = world.pair(body)
      return .json(answer, status: status)
    case "/__demo/truth" where world.options.hasControl:
      return HTTPReply(
        status: 200, headers: [("Content-Type", "application/json")], body: world.truthFile)
    case "/__demo/payload" where world.options.hasControl:
      return HTTPReply(
        status: 200, headers: [("Content-Type", "application/json")],
        body: Array(world.makePayload().utf8))
    case "/__demo/fault" where world.options.hasControl: return fault(request, world)
    default: return .text("Not Found", status: 404)
    }
  }

  private static func fault(_ request: HTTPRequest, _ world: CompanionWorld) -> HTTPReply {
    let body = (try? DemoJSON.parse(request.body)) ?? .null
    switch body["fault"]?.stringValue {
    case "revoke": world.revokeDevices()
    case "silence": world.answersHeartbeats = false
    case "ask":
      for session in world.sessions {
        world.ask(
          session, body["capability"]?.stringValue ?? "camera.front.once",
          body["purpose"]?.stringValue ?? "a test",
          seconds: Int(body["duration_s"]?.doubleValue ?? 60),
          age: Int64(body["age_ms"]?.doubleValue ?? 1_000),
          isForged: body["forged"]?.boolValue ?? false)
      }
    case "canvas":
      for session in world.sessions {
        if let payload = body["payload"] {
          world.send(session, "canvas_update", .passive, payload)
        } else {
          world.draw(session)
        }
      }
    case "close":
      for session in world.sessions {
        world.end(session, UInt16(body["code"]?.doubleValue ?? 1_000), "asked to")
      }
    default: return .json(["ok": false, "error": "unknown fault"], status: 400)
    }
    return .json(["ok": true])
  }
}
