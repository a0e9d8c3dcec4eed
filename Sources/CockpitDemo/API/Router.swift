/// Sends requests to their routes.
struct Router: Sendable {
  enum Result {
    case reply(HTTPReply)
    /// The connection ends without an answer.
    case close
    case activityStream
    case voiceStream
    /// Answer after a while.
    case wait(ms: Int, then: @Sendable (World) -> HTTPReply)
  }

  let options: DemoOptions

  func route(_ request: HTTPRequest, _ world: World) -> Result {
    let segments = request.segments
    let access = Access(request: request, world: world)
    guard segments.first == "api" else { return .reply(outside(segments, access)) }
    let path = Array(segments.dropFirst())
    do {
      if path == ["auth", "session"] {
        return .reply(access.session(body: try request.parsedBody()))
      }
      if let reply = try FrameRoutes(request: request, world: world).answer() {
        return .reply(reply)
      }
      if let refusal = access.refusal() {
        return .reply(refusal)
      }
      let body = try request.parsedBody()
      let method = request.method == "HEAD" ? "GET" : request.method
      let call = RESTCall(
        method: method, path: path, request: request, body: body, world: world)
      if let result = try call.answer() { return result }
    } catch let refusal as RequestRefusal {
      return .reply(refusal.reply)
    } catch {
      return .reply(.json(["error": .string("\(error)")], status: 500))
    }
    return .reply(notFound(request))
  }

  /// Unknown API paths: text for GET, JSON for everything else (contract 1.6).
  private func notFound(_ request: HTTPRequest) -> HTTPReply {
    request.method == "GET" || request.method == "HEAD"
      ? .text("Not found.", status: 404) : .json(["error": "Not found."], status: 404)
  }

  private static let sharePage =
    "<!doctype html><html><head><title>Share your screen</title></head>"
    + "<body><p>This is the demo backend; frames sent to it are counted and forgotten.</p>"
    + "</body></html>"

  /// The page of a share link is public; the web dashboard is private, and the demo has none.
  private func outside(_ segments: [String], _ access: Access) -> HTTPReply {
    if segments.first == "share", segments.count == 2 {
      return HTTPReply(
        status: 200, headers: [("Content-Type", "text/html; charset=utf-8")],
        body: Array(Self.sharePage.utf8))
    }
    if access.isTunnel { return .text("Not found.", status: 404) }
    let page =
      "<!doctype html><html><head><title>clanky dashboard</title></head>"
      + "<body><p>This is the demo backend. Point the cockpit at it.</p></body></html>"
    return HTTPReply(
      status: 200, headers: [("Content-Type", "text/html; charset=utf-8")],
      body: Array(page.utf8))
  }
}

/// One authorised request on its way to an answer.
struct RESTCall {
  let method: String
  /// Segments after `/api`.
  let path: [String]
  let request: HTTPRequest
  let body: DemoJSON
  let world: World

  /// nil if there is no such route.
  func answer() throws -> Router.Result? {
    switch (method, path.first ?? "") {
    case ("GET", "activity") where path == ["activity", "events"]: return .activityStream
    case ("GET", "voice") where path == ["voice", "events"]: return .voiceStream
    case ("POST", "voice") where path == ["voice", "join"]: return join()
    case ("PUT", "settings") where path == ["settings"]: return saveSettings()
    default: break
    }
    let reply =
      switch path.first ?? "" {
      case "health", "stats", "actions", "public-https", "guilds", "mcp", "agents": try system()
      case "voice": voice()
      case "memory": memory()
      case "automations": automations()
      case "settings", "llm", "oauth", "swarm-server-status", "swarm-mcp-skill-status",
        "swarm-mcp-skill-install", "elevenlabs":
        settings()
      default: HTTPReply?.none
      }
    return reply.map { .reply(spoilt($0)) }
  }

  /// Answers of the hostile scenario, except those made of rows and state, which are spoilt where
  /// they are made.
  private func spoilt(_ reply: HTTPReply) -> HTTPReply {
    guard world.options.scenario == .hostile, method == "GET", reply.status == 200,
      !["actions", "stats", "health"].contains(path.first), path != ["voice", "state"],
      path.last != "events", let json = try? DemoJSON.parse(reply.body)
    else { return reply }
    var reply = reply
    let name = path.filter { Int64($0) == nil }.joined(separator: "/")
    reply.body = world.spoilt(json, of: name).serialized()
    return reply
  }

  var isMay: Bool { world.isMay }

  private func system() throws -> HTTPReply? {
    guard method == "GET" else { return nil }
    switch path {
    case ["health"]: return .json(["ok": true])
    case ["stats"]: return .json(stats())
    case ["actions"]: return .json(try actions())
    case ["public-https"]: return .json(world.publicHTTPS)
    case ["guilds"]:
      let ready = world.isReady
      return .json(
        .array(
          ready ? Cast.guilds.map { ["id": .string($0.id), "name": .string($0.name)] } : []))
    case ["mcp", "status"]: return .json(mcpStatus())
    case ["agents", "browser-sessions"]: return .json(browserSessions())
    default:
      guard path.count == 3, path[0] == "guilds", path[2] == "channels" else { return nil }
      return .json(channels(of: path[1]))
    }
  }

  private func stats() -> DemoJSON {
    guard let guild = request.text("guildId") else { return world.statsEnvelope() }
    var totals = world.store.statsTotals(guild: guild)
    return ["stats": totals.json(now: world.now), "runtime": world.runtime]
  }

  private func actions() throws -> DemoJSON {
    var query = ActionQuery(limit: request.limit(default: 200, max: 1000))
    query.kinds = (request.query("kinds") ?? "").split(separator: ",").map(\.trimmingSpace)
      .filter { !$0.isEmpty }
    query.since = try request.sinceDate(now: world.now)
    query.guild = request.text("guildId")
    return .array(world.store.actions(query).map(\.json))
  }

  private func channels(of guild: String) -> DemoJSON {
    guard world.isReady, let guild = Cast.guild(guild) else { return [] }
    let sorted = guild.channels.sorted {
      ($0.category ?? "", $0.name) < ($1.category ?? "", $1.name)
    }
    return .array(
      sorted.map {
        [
          "id": .string($0.id), "name": .string($0.name),
          "type": $0.isVoice ? "voice" : "text", "category": .text($0.category),
        ]
      })
  }

  /// Contract 7.7: merged over live sessions, optimistically.
  private func mcpStatus() -> DemoJSON {
    var merged: [MCPServer] = []
    for server in world.sessions.flatMap(\.servers) {
      if let index = merged.firstIndex(where: { $0.name == server.name }) {
        merged[index].connected = merged[index].connected || server.connected
        merged[index].lastError = merged[index].lastError ?? server.lastError
      } else {
        merged.append(server)
      }
    }
    return [
      "servers": .array(
        merged.map {
          [
            "serverName": .string($0.name), "connected": .bool($0.connected),
            "tools": .array(
              $0.tools.map {
                ["name": .string($0.name), "description": .string($0.description)]
              }),
            "lastError": .text($0.lastError),
          ]
        })
    ]
  }
}
