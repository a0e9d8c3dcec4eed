/// The envelopes that a client may send. Objects are closed: a member that is not named is refused.
enum CompanionShape {
  /// What is wrong with an envelope; nil when it fits.
  static func problem(_ frame: DemoJSON) -> String? {
    guard let type = frame["type"]?.stringValue, let payloads = payloads[type] else {
      return "unknown type"
    }
    // A capability response is an answer or a revocation.
    let problems = payloads.map { payload in
      GatewayShape.object([
        .need("type", .text()), .need("session_id", .text(min: 1)), .need("timestamp", .whole()),
        .need("payload", payload), .need("sig", .text(min: 1)),
      ]).problem(frame, version: 4)
    }
    return problems.contains { $0 == nil } ? nil : problems[0]
  }

  private static let payloads: [String: [GatewayShape]] = [
    "text": [.object([.need("text", .text()), .need("message_id", .text(min: 1))])],
    "voice": [
      .object([.need("text", .text()), .need("confidence", .any), .may("language", .text())])
    ],
    "canvas_event": [
      .object([
        .need("element_id", .text(min: 1)), .need("event", .one(["tap", "long_press", "draw"])),
        .may("point", .object([.need("x", .any), .need("y", .any)])), .may("png", .text()),
      ])
    ],
    "capability_response": [
      .object([
        .need("request_id", .text(min: 1)),
        .need("decision", .one(["deny", "once", "timed", "session"])),
        .may("expires_at", .text()), .may("reason", .text()),
      ]),
      .object([.need("revoke", .text(min: 1))]),
    ],
    "heartbeat": [.object([])],
  ]

  /// The bytes that a signature covers: sorted keys, no spaces, no escaped slashes, UTF-8.
  static func canonical(_ value: DemoJSON) -> [UInt8] { Array(text(value).utf8) }

  private static func text(_ value: DemoJSON) -> String {
    switch value {
    case .object(let object):
      let members = object.members.sorted {
        $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
      }
      return "{" + members.map { quote($0.key) + ":" + text($0.value) }.joined(separator: ",")
        + "}"
    case .array(let values): return "[" + values.map(text).joined(separator: ",") + "]"
    case .string(let string): return quote(string)
    default: return value.text
    }
  }

  private static func quote(_ string: String) -> String {
    var out = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\u{08}": out += "\\b"
      case "\u{0C}": out += "\\f"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case "\u{00}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
