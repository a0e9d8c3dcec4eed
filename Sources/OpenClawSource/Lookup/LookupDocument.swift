internal import ClankyWire
internal import CockpitDomain
package import LenientJSON

/// What a gateway answers to a lookup, as the document that the stores read. A member that is missing is left out;
/// nil means that the answer is none.
package enum LookupDocument {
  /// The most entries of one list.
  static let maximum = 500

  package static func files(_ payload: JSONValue) -> JSONValue? {
    guard let files = payload["files"]?.array else { return nil }
    return .body([
      ("workspace", payload["workspace"]),
      ("files", .array(files.prefix(maximum).compactMap(file))),
    ])
  }

  package static func folder(_ payload: JSONValue) -> JSONValue? {
    guard let entries = payload["entries"]?.array else { return nil }
    let list = entries.prefix(maximum).compactMap { entry -> JSONValue? in
      guard let fields = JSONFields(entry), let path = fields.string("path") else { return nil }
      return .body([
        ("path", .string(path)), ("name", fields.string("name").map { .string($0) }),
        ("folder", .bool(fields.string("kind") == "directory")),
        ("size", fields.int("size").map { .integer($0) }),
        ("updated_ms", fields.int("updatedAtMs").map { .integer($0) }),
      ])
    }
    return .body([("entries", .array(list)), ("total", payload["totalEntries"])])
  }

  /// - Parameter payload: the whole answer, or an entry of the list.
  package static func file(_ payload: JSONValue) -> JSONValue? {
    guard let fields = JSONFields(payload["file"] ?? payload), let name = fields.string("name")
    else { return nil }
    return .body([
      ("name", .string(name)), ("path", fields.string("path").map { .string($0) }),
      ("missing", .bool(fields.bool("missing") ?? false)),
      ("size", fields.int("size").map { .integer($0) }),
      ("updated_ms", fields.int("updatedAtMs").map { .integer($0) }),
      ("type", fields.string("mimeType").map { .string($0) }),
      ("text", text(fields).map { .string(LiveRow.bounded($0)) }),
    ])
  }

  /// The text of a file; nil for an image, which a gateway sends in base64.
  private static func text(_ fields: JSONFields) -> String? {
    fields.string("encoding") == "base64" ? nil : fields.string("content")
  }

  /// - Parameter details: `result.details` of the tool `memory_search`.
  package static func search(_ details: JSONValue) -> JSONValue? {
    let problem = details["error"]?.string ?? details["warning"]?.string
    let isOff = details["disabled"]?.bool == true || details["unavailable"]?.bool == true
    guard details["results"]?.array != nil || problem != nil || isOff else { return nil }
    let debug = details["debug"]
    let hits = (details["results"]?.array ?? []).prefix(maximum).compactMap { hit -> JSONValue? in
      guard let fields = JSONFields(hit), let path = fields.string("path") else { return nil }
      return .body([
        ("path", .string(path)), ("start", fields.int("startLine").map { .integer($0) }),
        ("end", fields.int("endLine").map { .integer($0) }),
        ("score", fields.double("score").flatMap { .finite($0) }),
        ("snippet", fields.string("snippet", "text").map { .string(String($0.prefix(4_000))) }),
        ("origin", fields.string("source").map { .string($0) }),
      ])
    }
    return .body([
      ("hits", .array(hits)),
      ("problem", problem.map { .string($0) } ?? (isOff ? .string("memory search is off") : nil)),
      (
        "degraded",
        debug?["embeddingBootstrap"]?["degradedTo"]?.string.map { .string($0) }
      ),
    ])
  }

  /// - Parameter details: `result.details` of the tool `memory_get`.
  package static func passage(_ details: JSONValue) -> JSONValue? {
    guard let text = details["text"]?.string else { return nil }
    return .body([
      ("path", details["path"]), ("text", .string(LiveRow.bounded(text))),
      ("problem", details["error"]?.string.map { .string($0) }),
    ])
  }

  package static func nodes(_ payload: JSONValue) -> JSONValue? {
    guard let nodes = payload["nodes"]?.array else { return nil }
    let list = nodes.prefix(maximum).compactMap { node -> JSONValue? in
      guard let fields = JSONFields(node), let id = fields.id("nodeId", "id") else { return nil }
      func text(_ name: String) -> JSONValue? { fields.string(name).map { .string($0) } }
      func strings(_ name: String) -> JSONValue? {
        fields.strings(name).map { .array($0.prefix(50).map { .string($0) }) }
      }
      func time(_ name: String) -> JSONValue? { fields.int(name).map { .integer($0) } }
      return .body([
        ("id", .string(id)), ("name", text("displayName")), ("platform", text("platform")),
        ("version", text("version")), ("model", text("modelIdentifier")),
        ("address", text("remoteIp")),
        ("connected", fields.bool("connected").map { .bool($0) }),
        ("paired", fields.bool("paired").map { .bool($0) }), ("caps", strings("caps")),
        ("commands", strings("commands")), ("connected_ms", time("connectedAtMs")),
        ("seen_ms", time("lastSeenAtMs")),
      ])
    }
    return .body([("nodes", .array(list))])
  }

  /// The details of any tool's result, without what is longer than a screen can use.
  package static func result(_ details: JSONValue) -> JSONValue? {
    let whole = details.serialized()
    guard whole.utf8.count > longestResult else { return .body([("result", details)]) }
    return .body([("cut", .string(String(whole.prefix(longestResult))))])
  }

  private static let longestResult = 1 << 20

  package static func log(_ payload: JSONValue) -> JSONValue? {
    guard let lines = payload["lines"]?.array else { return nil }
    return .body([
      ("file", payload["file"]), ("truncated", payload["truncated"]), ("reset", payload["reset"]),
      ("lines", .array(lines.suffix(2_000).compactMap { $0.string.map(GatewayLogLine.document) })),
    ])
  }
}

/// A line of the gateway's log: JSON of its logger, or any text.
enum GatewayLogLine {
  private static let longest = 4_000

  static func document(_ line: String) -> JSONValue {
    let parsed = try? JSONValue.parse(Array(line.utf8))
    guard let parsed, parsed.object != nil else {
      return .body([("text", .string(String(line.prefix(longest))))])
    }
    let meta = parsed["_logMeta"]
    let text = parsed["message"]?.string ?? words(parsed)
    let time = parsed["time"]?.string ?? meta?["date"]?.string
    return .body([
      ("time", time.map { .string($0) }),
      ("level", (meta?["logLevelName"]?.string ?? parsed["level"]?.string).map { .string($0) }),
      ("part", part(meta?["name"]?.string ?? parsed["0"]?.string).map { .string($0) }),
      ("text", .string(String((text.isEmpty ? line : text).prefix(longest)))),
    ])
  }

  /// The numbered members are what was logged; the first one may name the part of the gateway.
  private static func words(_ line: JSONValue) -> String {
    var parts: [String] = []
    for index in 0..<10 {
      guard let value = line["\(index)"] else { break }
      if index == 0, part(value.string) != nil { continue }
      // Text without quotes, other values as JSON.
      parts.append(value.string ?? SecretMembers.removed(from: value).serialized())
    }
    return parts.joined(separator: " ")
  }

  /// `gateway/ws` of `{"subsystem":"gateway/ws"}`.
  private static func part(_ name: String?) -> String? {
    guard let name, name.hasPrefix("{"), let value = try? JSONValue.parse(Array(name.utf8)) else {
      return nil
    }
    return value["subsystem"]?.string ?? value["module"]?.string
  }
}
