/// Access control (contract 1.1 to 1.5).
struct Access {
  let request: HTTPRequest
  let world: World

  private var token: String { world.token.trimmingSpace }

  /// The request came through the public tunnel (contract 1.4).
  var isTunnel: Bool {
    let named = request.headers["x-forwarded-host"] ?? request.headers["host"] ?? ""
    return Self.normal(named) == Self.normal(world.tunnel.host)
  }

  private static func normal(_ host: String) -> String {
    var host = host.trimmingSpace.lowercased()
    if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") { host = String(host[..<colon]) }
    while host.hasSuffix(".") { host.removeLast() }
    return host
  }

  var hasHeader: Bool {
    // Only the configured value is trimmed; HTTP itself removes blanks around the presented one.
    !token.isEmpty && request.headers["x-dashboard-token"] == token
  }

  var hasCookie: Bool {
    guard !token.isEmpty, let cookies = request.headers["cookie"] else { return false }
    for cookie in cookies.split(separator: ";") {
      let halves = cookie.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, String(halves[0]).trimmingSpace == Self.cookieName else { continue }
      let value = halves[1].replacing("%2E", with: ".")
      guard let dot = value.lastIndex(of: ".") else { continue }
      let name = String(value[..<dot])
      if !name.isEmpty, value[value.index(after: dot)...] == Self.sign(name, token) { return true }
    }
    return false
  }

  static let cookieName = "dashboard_session"

  /// A keyed digest. It only has to distinguish a rotated token from the current one: the demo
  /// listens on loopback and guards invented data.
  static func sign(_ value: String, _ token: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in (token + "\u{1}" + value + "\u{1}" + token).utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 36)
  }

  /// Contract 1.3: nil if the request may go on, else the refusal.
  func refusal() -> HTTPReply? {
    if hasHeader || hasCookie { return nil }
    if isTunnel { return .json(["error": "Not found."], status: 404) }
    if token.isEmpty {
      guard world.options.publicHTTPS else { return nil }
      return .json(["error": .string(Self.configurationError)], status: 503)
    }
    return .json(["error": "Unauthorized. Provide x-dashboard-token."], status: 401)
  }

  static let configurationError = "dashboard_token_required_when_public_https_enabled"

  // MARK: /api/auth/session

  func session(body: DemoJSON) -> HTTPReply {
    if isTunnel { return .json(["error": "Not found."], status: 404) }
    let noStore = [(name: "Cache-Control", value: "no-store")]
    let blocked = token.isEmpty && world.options.publicHTTPS
    switch request.method {
    case "GET", "HEAD":
      return .json(state(cookie: hasCookie), headers: noStore)
    case "DELETE":
      return .json(
        state(cookie: false, header: false),
        headers: noStore + [
          ("Set-Cookie", "\(Self.cookieName)=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict")
        ])
    case "POST":
      if blocked {
        return .json(
          ["error": .string(Self.configurationError)], status: 503, headers: noStore)
      }
      guard token.isEmpty || body.field("token") == token else {
        return .json(
          ["error": "Unauthorized. Provide a valid dashboard token."], status: 401,
          headers: noStore)
      }
      guard !token.isEmpty else { return .json(state(cookie: false), headers: noStore) }
      let value = world.cookieRandom.token(20)
      let secure = request.headers["x-forwarded-proto"] == "https" ? "; Secure" : ""
      // 12 h (contract 1.1).
      let cookie =
        "\(Self.cookieName)=\(value).\(Self.sign(value, token)); Max-Age=43200; Path=/; "
        + "HttpOnly\(secure); SameSite=Strict"
      return .json(state(cookie: true), headers: noStore + [("Set-Cookie", cookie)])
    default:
      return .json(["error": "Not found."], status: 404)
    }
  }

  private func state(cookie: Bool, header: Bool? = nil) -> DemoJSON {
    let blocked = token.isEmpty && world.options.publicHTTPS
    let method =
      if token.isEmpty {
        blocked ? "none" : "open_local"
      } else if header ?? hasHeader {
        "header"
      } else {
        cookie ? "session" : "none"
      }
    return [
      "authenticated": .bool(method != "none"), "requiresToken": .bool(!token.isEmpty || blocked),
      "publicHttpsEnabled": .bool(world.options.publicHTTPS), "authMethod": .string(method),
      "configurationError": blocked ? .string(Self.configurationError) : .null,
    ]
  }
}

extension StringProtocol {
  /// Without blanks and line ends at both sides.
  var trimmingSpace: String {
    var slice = Substring(self)
    while let first = slice.first, first.isWhitespace { slice.removeFirst() }
    while let last = slice.last, last.isWhitespace { slice.removeLast() }
    return String(slice)
  }
}
