import Foundation

/// Chat over HTTP (contract 12): completions, responses, and the history of a session.
extension GatewayRoutes {
  enum Stream {
    case refused(HTTPReply)
    /// What is written to the client, and the run whose answer it is.
    case started(GatewayLink, run: String?)
  }

  /// What takes its time; nil for all other requests.
  static func stream(_ request: HTTPRequest, _ world: GatewayWorld) -> Stream? {
    switch request.rawPath {
    case "/v1/chat/completions": return answer(request, .chat, world)
    case "/v1/responses": return answer(request, .responses, world)
    default:
      let parts = request.segments
      guard parts.count == 3, parts[0] == "sessions", parts[2] == "history" else { return nil }
      return history(of: parts[1], request, world)
    }
  }

  static let unauthorized = HTTPReply.json(
    ["error": ["message": "Unauthorized", "type": "unauthorized"]], status: 401)

  private static func refuse(
    _ message: String, _ status: Int = 400, type: String = "invalid_request_error",
    headers: [(name: String, value: String)] = []
  ) -> Stream {
    .refused(
      .json(
        ["error": ["message": .string(message), "type": .string(type)]], status: status,
        headers: headers))
  }

  private static func answer(
    _ request: HTTPRequest, _ interface: ChatStream.Interface, _ world: GatewayWorld
  ) -> Stream {
    if let off = world.faults.chatOff, off == interface.rawValue || off == "both" {
      return .refused(.text("Not Found", status: 404))
    }
    guard request.method == "POST" else {
      return .refused(.text("Method Not Allowed", status: 405))
    }
    guard isOpened(request, world) else { return .refused(unauthorized) }
    guard !request.bodyTooLarge else { return refuse("Payload too large", 413) }
    if let (status, seconds) = world.faults.chatRefusal {
      world.faults.chatRefusal = nil
      let headers = status == 429 ? [(name: "Retry-After", value: "\(seconds)")] : []
      return refuse(
        status == 429 ? "Too many requests" : "internal error", status,
        type: status == 429 ? "rate_limited" : "api_error", headers: headers)
    }
    guard let body = try? DemoJSON.parse(request.body), case .object = body else {
      return refuse("Request body must be valid JSON.")
    }
    let wanted = body["model"]?.stringValue ?? ""
    guard let named = agent(of: wanted) else {
      return refuse("Invalid `model`. Use `openclaw` or `openclaw/<agentId>`.")
    }
    var agent = request.headers["x-openclaw-agent-id"] ?? named
    if Cast.Gateway.agent(agent) == nil {
      // Protocol 3 lets the default agent answer.
      if world.isV4 { return refuse("Unknown agent '\(agent)'.") }
      agent = Cast.Gateway.agents[0].id
    }
    let given = request.headers["x-openclaw-session-key"]
    if let given, world.isV4, isReserved(given) {
      return refuse(
        "`x-openclaw-session-key` cannot use reserved internal session namespaces.")
    }
    guard let message = ChatMessages(body, interface) else {
      return refuse(
        interface == .chat ? "Missing user message in `messages`." : "input: Invalid input")
    }
    guard message.hasGoodImages else { return refuse("Invalid image content.") }
    return start(
      message, body, interface, agent: agent, key: key(given, body, agent, world), request, world)
  }

  /// The agent of a `model`; nil for any other text.
  private static func agent(of model: String) -> String? {
    if model == "openclaw" || model == "openclaw/default" { return Cast.Gateway.agents[0].id }
    for start in ["openclaw/", "openclaw:"] where model.hasPrefix(start) {
      return String(model.dropFirst(start.count))
    }
    return nil
  }

  private static func isReserved(_ key: String) -> Bool {
    let rest =
      key.hasPrefix("agent:") ? key.split(separator: ":").dropFirst(2).joined(separator: ":") : key
    return ["subagent:", "cron:", "acp:"].contains { rest.hasPrefix($0) }
  }

  private static func key(
    _ given: String?, _ body: DemoJSON, _ agent: String, _ world: GatewayWorld
  ) -> String {
    if let given { return given.hasPrefix("agent:") ? given : "agent:\(agent):\(given)" }
    if let user = body["user"]?.stringValue { return "agent:\(agent):openai-user:\(user)" }
    return "agent:\(agent):openai:\(world.idRandom.uuid())"
  }

  private static func start(
    _ message: ChatMessages, _ body: DemoJSON, _ interface: ChatStream.Interface, agent: String,
    key: String, _ request: HTTPRequest, _ world: GatewayWorld
  ) -> Stream {
    let id = (interface == .chat ? "chatcmpl_" : "resp_") + world.idRandom.uuid()
    let session = world.session(key, title: String(message.text.prefix(40)))
    world.note(
      "message",
      [
        "run": .string(id), "session": .string(session.key), "text": .string(message.text),
        "images": .int(message.images), "earlier": .int(message.earlier),
        "over": .string(interface.rawValue),
        "has_key": .bool(
          request.headers["x-openclaw-session-key"] != nil),
        "channel": .text(request.headers["x-openclaw-message-channel"]),
      ])
    world.add("user", [["type": "text", "text": .string(message.text)]], to: session)
    let steps = RunScript.steps(
      message.text, &world.storyRandom, hostile: world.faults.isHostile)
    let link = GatewayLink(firstLimit: 0)
    let stream = ChatStream(
      link, interface, id: id, model: body["model"]?.stringValue ?? "openclaw",
      isStreaming: body["stream"]?.boolValue ?? false,
      countsUsage: body["stream_options"]?["include_usage"]?.boolValue ?? false,
      isV4: world.isV4, nowMs: world.now, cut: world.faults.chatCut)
    world.faults.chatCut = nil
    let run = world.start(steps, id: id, session: session)
    run.listener = stream
    stream.begin()
    return .started(link, run: id)
  }

  // MARK: History

  private static func history(
    of key: String, _ request: HTTPRequest, _ world: GatewayWorld
  ) -> Stream {
    guard request.method == "GET" else {
      return .refused(.text("Method Not Allowed", status: 405))
    }
    guard isOpened(request, world) else { return .refused(unauthorized) }
    let scopes = request.headers["x-openclaw-scopes"] ?? ""
    guard world.isV4 || scopes.contains("operator.read") else {
      return refuse("missing scope: operator.read", 403, type: "forbidden")
    }
    guard let session = world.sessions.first(where: { $0.key == key }) else {
      return .refused(
        .json(
          ["ok": false, "error": ["type": "not_found", "message": "Session not found"]],
          status: 404))
    }
    let limit = min(max(request.query("limit").flatMap { Int($0) } ?? 200, 1), 1_000)
    let skip = max(0, request.query("cursor").flatMap { Int($0) } ?? 0)
    let older = session.messages.dropLast(min(skip, session.messages.count))
    var page: DemoJSON = [
      "sessionKey": .string(session.key), "items": .array(older.suffix(limit)),
      "messages": .array(older.suffix(limit)), "hasMore": .bool(older.count > limit),
    ]
    if older.count > limit { page = page.setting("nextCursor", .string("\(skip + limit)")) }
    guard request.headers["accept"]?.contains("text/event-stream") == true else {
      return .refused(.json(page))
    }
    let link = GatewayLink(firstLimit: 0)
    link.send(GatewaySSE.head(DemoTime.httpDate(world.now)))
    link.send(GatewaySSE.text("retry: 1000\n\n"))
    link.send(GatewaySSE.event("history", page))
    session.followers.append(link)
    world.after(15_000) { keepAlive(link, $0) }
    return .started(link, run: nil)
  }

  private static func keepAlive(_ link: GatewayLink, _ world: GatewayWorld) {
    guard !link.isClosed else { return }
    link.send(GatewaySSE.text(": keepalive\n\n"))
    world.after(15_000) { keepAlive(link, $0) }
  }
}

/// The newest message of a request, and how much came before it.
struct ChatMessages {
  var text = ""
  var images = 0
  var earlier = 0
  var hasGoodImages = true

  /// nil without a message of a user.
  init?(_ body: DemoJSON, _ interface: ChatStream.Interface) {
    if interface == .responses, let text = body["input"]?.stringValue {
      self.text = text
      return
    }
    let list = body[interface == .chat ? "messages" : "input"]?.arrayValue ?? []
    guard let last = list.last(where: { $0["role"]?.stringValue == "user" }) else { return nil }
    earlier = list.count - 1
    if let text = last["content"]?.stringValue {
      self.text = text
      return
    }
    for part in last["content"]?.arrayValue ?? [] {
      switch part["type"]?.stringValue {
      case "text" where interface == .chat, "input_text" where interface == .responses:
        text += part["text"]?.stringValue ?? ""
      case "image_url" where interface == .chat:
        take(image: Self.encoded(part["image_url"]?["url"]?.stringValue ?? ""))
      case "input_image" where interface == .responses:
        // A gateway's own form, and OpenAI's.
        let source = part["source"]
        if source?["type"]?.stringValue == "base64",
          source?["media_type"]?.stringValue?.hasPrefix("image/") == true
        {
          take(image: source?["data"]?.stringValue)
        } else {
          take(image: Self.encoded(part["image_url"]?.stringValue ?? ""))
        }
      default: hasGoodImages = false
      }
    }
    guard !text.isEmpty || images > 0 else { return nil }
  }

  private mutating func take(image: String?) {
    images += 1
    guard let image, Data(base64Encoded: image)?.isEmpty == false else {
      hasGoodImages = false
      return
    }
  }

  /// The base64 of a `data:` address.
  private static func encoded(_ url: String) -> String? {
    guard url.hasPrefix("data:image/"), let comma = url.range(of: ";base64,") else { return nil }
    return String(url[comma.upperBound...])
  }
}
