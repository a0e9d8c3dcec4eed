/// Faults that replace the answer to a request.
struct FaultGate: Sendable {
  private struct Rule: Sendable {
    var outcome: HTTPOutcome
    var left: Int?
  }

  private var rules: [Rule] = []
  private var missing: [(method: String?, path: [Substring])] = []
  private(set) var delayMs = 0

  mutating func add(_ fault: DemoFault) {
    switch fault {
    case .http500(let count):
      add(.reply(.json(["error": "injected failure"], status: 500)), count)
    case .htmlPage(let count):
      let page =
        "<!doctype html><html><head><title>Welcome</title></head>"
        + "<body><h1>Please sign in to the network</h1></body></html>"
      add(
        .reply(
          HTTPReply(
            status: 200, headers: [("Content-Type", "text/html; charset=utf-8")],
            body: Array(page.utf8))), count)
    case .closeImmediately(let count):
      add(.close, count)
    case .redirect(let target, let count):
      add(.reply(HTTPReply(status: 302, headers: [("Location", target)])), count)
    case .hideBehind404:
      add(.reply(.json(["error": "Not found."], status: 404)), nil)
    case .missingRoute(let method, let path):
      missing.append((method, path.split(separator: "/")))
    case .slowREST(let ms):
      delayMs = max(0, ms)
    default:
      break
    }
  }

  private mutating func add(_ outcome: HTTPOutcome, _ count: Int?) {
    rules.append(Rule(outcome: outcome, left: count))
  }

  /// The answer a fault wants to give, if any.
  mutating func intercept(_ request: HTTPRequest) -> HTTPOutcome? {
    guard request.rawPath.hasPrefix("/api/") else { return nil }
    let path = request.rawPath.split(separator: "/")
    let isMissing = missing.contains { route in
      (route.method ?? request.method) == request.method && route.path.count == path.count
        && zip(route.path, path).allSatisfy { $0 == "*" || $0 == $1 }
    }
    // As the router answers an unknown path (contract 1.6).
    if isMissing {
      return .reply(
        request.method == "GET"
          ? .text("Not found.", status: 404) : .json(["error": "Not found."], status: 404))
    }
    guard !rules.isEmpty else { return nil }
    let outcome = rules[0].outcome
    if let left = rules[0].left {
      rules[0].left = left - 1
      if left <= 1 { rules.removeFirst() }
    }
    return outcome
  }
}

extension DemoFault {
  /// Reads `{"fault": name, …}`; nil if unknown.
  init?(_ body: DemoJSON) {
    let number = { (key: String) in body[key]?.doubleValue.map { Int($0) } }
    switch body["fault"]?.stringValue {
    case "stalledStream": self = .stalledStream
    case "cutMidEvent": self = .cutMidEvent(afterBytes: number("afterBytes") ?? 20)
    case "slowDrip": self = .slowDrip
    case "rotateToken": self = .rotateToken(body["token"]?.stringValue ?? "rotated")
    case "http500": self = .http500(count: number("count"))
    case "slowREST": self = .slowREST(ms: number("ms") ?? 2000)
    case "tunnelStatus": self = .tunnelStatus(body["status"]?.stringValue ?? "error")
    case "secondSession": self = .secondSession
    case "dropConnections": self = .dropConnections
    case "htmlPage": self = .htmlPage(count: number("count"))
    case "closeImmediately": self = .closeImmediately(count: number("count"))
    case "redirect":
      self = .redirect(
        to: body["to"]?.stringValue ?? "http://127.0.0.1:9/", count: number("count"))
    case "hideBehind404": self = .hideBehind404
    case "missingRoute":
      self = .missingRoute(
        method: body["method"]?.stringValue, path: body["path"]?.stringValue ?? "")
    case "crashSession":
      self = .crashSession(keepsStart: body["keepsStart"]?.boolValue ?? true)
    case "joinOutcome":
      self = .joinOutcome(body["reason"]?.stringValue ?? "voice_join_unconfirmed")
    case "settingsSave":
      self = .settingsSave(DemoFault.Save(rawValue: body["kind"]?.stringValue ?? "") ?? .conflict)
    case "clear": self = .clear
    default: return nil
    }
  }
}
