import Foundation

/// The closed request objects of a gateway, written from the contract (OPENCLAW.md, 3, 7, 10, 11) and
/// not from the encoder: what is sent must fit.
enum ClosedSchema {
  indirect enum Shape: Sendable {
    case text
    case oneOf([String])
    case int(ClosedRange<Int>)
    case list(Shape)
    /// An object with any names.
    case map(Shape)
    case either(Shape, Shape)
    case flag
    case null
    case empty
    case object(required: [String: Shape], optional: [String: Shape])
  }

  private static let clientIds = [
    "webchat-ui", "openclaw-control-ui", "openclaw-browser-copilot", "openclaw-tui", "webchat",
    "cli",
    "gateway-client", "openclaw-macos", "openclaw-linux", "openclaw-ios", "openclaw-watchos",
    "openclaw-android", "node-host", "openclaw-worker", "test", "fingerprint", "openclaw-probe",
  ]
  private static let nothing = Shape.object(required: [:], optional: [:])
  private static let decisions = Shape.oneOf(["allow-once", "allow-always", "deny"])

  /// By method: what both protocols take.
  static let parameters: [String: Shape] = [
    "connect": .object(
      required: [
        "minProtocol": .int(1...9), "maxProtocol": .int(1...9),
        "client": .object(
          required: [
            "id": .oneOf(clientIds), "version": .text, "platform": .text,
            "mode": .oneOf(["webchat", "cli", "ui", "backend", "node", "worker", "probe", "test"]),
          ],
          optional: ["displayName": .text, "deviceFamily": .text, "instanceId": .text]),
        "role": .oneOf(["operator", "node"]), "scopes": .list(.text),
      ],
      optional: [
        "caps": .list(.text), "commands": .list(.text), "permissions": .empty,
        "auth": .object(
          required: [:],
          optional: [
            "token": .text, "password": .text, "deviceToken": .text, "bootstrapToken": .text,
          ]),
        "device": .object(
          required: [
            "id": .text, "publicKey": .text, "signature": .text, "signedAt": .int(0...Int.max),
            "nonce": .text,
          ], optional: [:]),
        "locale": .text, "userAgent": .text,
      ]),
    "sessions.subscribe": nothing, "agents.list": nothing, "exec.approval.list": nothing,
    "plugin.approval.list": nothing, "question.list": nothing, "device.pair.list": nothing,
    // Fields of protocol 4 alone (offset, archived) are left out: ours has to fit both.
    "sessions.list": .object(
      required: [:], optional: ["limit": .int(1...1_000), "agentId": .text, "search": .text]),
    "chat.history": .object(
      required: ["sessionKey": .text], optional: ["limit": .int(1...1_000)]),
    "agents.files.list": .object(required: ["agentId": .text], optional: [:]),
    "agents.files.get": .object(required: ["agentId": .text, "name": .text], optional: [:]),
    "agents.workspace.list": .object(
      required: ["agentId": .text],
      optional: ["path": .text, "offset": .int(0...Int.max), "limit": .int(1...Int.max)]),
    "agents.workspace.get": .object(required: ["agentId": .text, "path": .text], optional: [:]),
    "node.list": nothing,
    "audit.activity.list": .object(
      required: [:],
      optional: [
        "kind": .text, "status": .text, "after": .int(0...Int.max), "before": .int(0...Int.max),
        "limit": .int(1...500), "cursor": .text,
      ]),
    "logs.tail": .object(
      required: [:],
      optional: [
        "cursor": .int(0...Int.max), "limit": .int(1...5_000), "maxBytes": .int(1...1_000_000),
      ]),
    "chat.send": .object(
      required: ["sessionKey": .text, "message": .text, "idempotencyKey": .text],
      optional: [
        "thinking": .text, "timeoutMs": .int(0...Int.max),
        "attachments": .list(
          .object(
            required: ["type": .oneOf(["image"]), "mimeType": .text, "content": .text],
            optional: ["fileName": .text])),
      ]),
    "sessions.patch": .either(
      .object(required: ["key": .text, "model": .text], optional: [:]),
      .either(
        .object(required: ["key": .text, "thinkingLevel": .text], optional: [:]),
        .object(required: ["key": .text], optional: ["model": .null, "thinkingLevel": .null]))),
    "node.invoke.result": .object(
      required: ["id": .text, "nodeId": .text, "ok": .flag],
      optional: [
        "payloadJSON": .text,
        "error": .object(required: [:], optional: ["code": .text, "message": .text]),
      ]),
    "tts.speak": .object(required: ["text": .text], optional: [:]),
    "chat.abort": .object(required: ["sessionKey": .text], optional: ["runId": .text]),
    "cron.list": .object(
      required: [:],
      optional: [
        "includeDisabled": .flag, "limit": .int(1...1_000), "offset": .int(0...Int.max),
      ]),
    "question.resolve": .either(
      .object(
        required: [
          "id": .text,
          "answers": .object(required: ["answers": .map(.list(.text))], optional: [:]),
        ], optional: [:]),
      .object(required: ["id": .text, "cancel": .flag], optional: [:])),
    "device.pair.approve": .object(required: ["requestId": .text], optional: [:]),
    "device.pair.reject": .object(required: ["requestId": .text], optional: [:]),
    "approval.get": .object(required: ["id": .text], optional: [:]),
    "exec.approval.resolve": .object(
      required: ["id": .text, "decision": decisions], optional: [:]),
    "plugin.approval.resolve": .object(
      required: ["id": .text, "decision": decisions], optional: [:]),
  ]

  /// Why a frame is none, or nil.
  static func fault(_ frame: [UInt8]) -> String? {
    guard
      let object = try? JSONSerialization.jsonObject(with: Data(frame)) as? [String: Any],
      Set(object.keys) == ["type", "id", "method", "params"], object["type"] as? String == "req",
      object["id"] is String, let method = object["method"] as? String,
      let params = object["params"]
    else { return "not a request" }
    guard let shape = parameters[method] else { return "unknown method \(method)" }
    return fault(params, shape, at: method)
  }

  private static func fault(_ value: Any, _ shape: Shape, at place: String) -> String? {
    switch shape {
    case .text: return value is String ? nil : "\(place) is no text"
    case .oneOf(let names):
      return (value as? String).map(names.contains) == true ? nil : "\(place) is none of its list"
    case .int(let range):
      return (value as? Int).map(range.contains) == true ? nil : "\(place) is no such number"
    case .list(let element):
      guard let list = value as? [Any] else { return "\(place) is no list" }
      return list.lazy.compactMap { fault($0, element, at: place + "[]") }.first
    case .map(let element):
      guard let object = value as? [String: Any] else { return "\(place) is no object" }
      return object.lazy.compactMap { fault($1, element, at: "\(place).\($0)") }.first
    case .either(let one, let other):
      return fault(value, one, at: place).flatMap { _ in fault(value, other, at: place) }
    case .flag: return value is Bool ? nil : "\(place) is neither true nor false"
    case .null: return value is NSNull ? nil : "\(place) is not null"
    case .empty:
      return (value as? [String: Any])?.isEmpty == true ? nil : "\(place) is not an empty object"
    case .object(let required, let optional):
      guard let object = value as? [String: Any] else { return "\(place) is no object" }
      for name in required.keys where object[name] == nil { return "\(place).\(name) is missing" }
      for (name, member) in object {
        guard let shape = required[name] ?? optional[name] else {
          return "\(place).\(name) is unexpected"
        }
        if let fault = fault(member, shape, at: "\(place).\(name)") { return fault }
      }
      return nil
    }
  }
}
