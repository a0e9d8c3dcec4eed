/// Reading parameters the way the backend does (contract 3.1).
extension HTTPRequest {
  /// Floored and clamped; not a number gives `fallback`; empty counts as 0.
  func limit(_ name: String = "limit", default fallback: Int, max: Int) -> Int {
    guard let text = query(name) else { return fallback }
    let value = text.trimmingSpace.isEmpty ? 0 : Double(text.trimmingSpace)
    guard let value, value.isFinite else { return fallback }
    return Int(Swift.min(Double(max), Swift.max(1, value.rounded(.down))))
  }

  /// The start of a `sinceHours` window, or nil if not (validly) given.
  func since(now: Int64, default fallback: Double? = nil) -> Int64? {
    let given = query("sinceHours").flatMap { Double($0.trimmingSpace) }
    let hours = given.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? fallback
    return hours.map { now - Int64(Swift.min($0, 1e6) * 3_600_000) }
  }

  /// The start of the window of `/api/actions`. One that lies before the first date of JavaScript is
  /// refused, as upstream does.
  func sinceDate(now: Int64) throws(RequestRefusal) -> Int64? {
    guard let text = query("sinceHours")?.trimmingSpace, let hours = Double(text), hours.isFinite,
      hours > 0
    else { return nil }
    let start = Double(now) - hours * 3_600_000
    guard start >= -8.64e15 else {
      throw RequestRefusal(reply: .json(["error": "Invalid Date"], status: 500))
    }
    return Int64(start)
  }

  /// A trimmed parameter, nil if absent or blank.
  func text(_ name: String) -> String? {
    let value = query(name)?.trimmingSpace ?? ""
    return value.isEmpty ? nil : value
  }

  /// The body as the backend's middleware sees it: only JSON and form bodies are read, everything
  /// else is empty (contract 1.6). Throws the reply for a broken body.
  func parsedBody() throws(RequestRefusal) -> DemoJSON {
    if bodyTooLarge {
      throw RequestRefusal(reply: .json(["error": "payload_too_large"], status: 413))
    }
    let type = headers["content-type"]?.lowercased() ?? ""
    if type.contains("application/x-www-form-urlencoded") {
      var form = self
      form.target = "?" + String(decoding: body, as: UTF8.self)
      var object: DemoJSON = [:]
      for pair in form.target.dropFirst().split(separator: "&") {
        let key = String(pair.prefix { $0 != "=" })
        object = object.setting(key, .text(form.query(key)))
      }
      return object
    }
    guard type.contains("application/json"), !body.isEmpty else { return [:] }
    do {
      let value = try DemoJSON.parse(body)
      if case .object = value { return value }
      return [:]
    } catch {
      let reply = HTTPReply(
        status: 400, headers: [("Content-Type", "application/json;charset=utf-8")],
        body: Array(#"{"error":"invalid_json_body"}"#.utf8))
      throw RequestRefusal(reply: reply)
    }
  }
}

/// A request that was answered before it reached its route.
struct RequestRefusal: Error {
  var reply: HTTPReply
}

extension DemoJSON {
  /// `String(value || "").trim()` of a body member.
  func field(_ key: String) -> String {
    switch self[key] {
    case .string(let text): text.trimmingSpace
    case .units(let units): String(decoding: units, as: UTF16.self).trimmingSpace
    case .int(let value): value == 0 ? "" : String(value)
    case .double(let value): JSNumber.text(value)
    case .bool(true): "true"
    default: ""
    }
  }
}
