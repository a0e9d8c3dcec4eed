package import DeviceKeys
package import LenientJSON

/// What this program says in a session; each message is signed with the device's key.
package enum ClientMessage: Sendable, Equatable {
  package enum Decision: String, Sendable, Equatable { case deny, once, timed, session }
  package enum CanvasEvent: String, Sendable, Equatable {
    case tap
    case longPress = "long_press"
    case draw
  }

  case text(String, id: String)
  /// Speech that was transcribed here; confidence 0…1.
  case voice(String, confidence: Double, language: String?)
  /// `x`, `y`: 0…1000. `png`: a drawing, base64.
  case canvas(element: String, CanvasEvent, point: (x: Double, y: Double)?, png: String?)
  /// - Parameter expiresAt: ISO 8601, UTC.
  case answer(request: String, Decision, expiresAt: String?, reason: String?)
  case revoke(capability: String)
  case heartbeat

  package static func == (left: ClientMessage, right: ClientMessage) -> Bool {
    left.type == right.type && left.payload == right.payload
  }

  package var type: String {
    switch self {
    case .text: "text"
    case .voice: "voice"
    case .canvas: "canvas_event"
    case .answer, .revoke: "capability_response"
    case .heartbeat: "heartbeat"
    }
  }

  package var payload: JSONValue {
    switch self {
    case .text(let text, let id): .body([("message_id", .string(id)), ("text", .string(text))])
    case .voice(let text, let confidence, let language):
      .body([
        ("text", .string(text)), ("confidence", Self.number(min(1, max(0, confidence)))),
        ("language", language.map { .string($0) }),
      ])
    case .canvas(let element, let event, let point, let png):
      .body([
        ("element_id", .string(element)), ("event", .string(event.rawValue)),
        ("point", point.map { .body([("x", Self.number($0.x)), ("y", Self.number($0.y))]) }),
        ("png", png.map { .string($0) }),
      ])
    case .answer(let request, let decision, let expiresAt, let reason):
      .body([
        ("request_id", .string(request)), ("decision", .string(decision.rawValue)),
        ("expires_at", expiresAt.map { .string($0) }), ("reason", reason.map { .string($0) }),
      ])
    case .revoke(let capability): .body([("revoke", .string(capability))])
    case .heartbeat: .object(JSONObject())
    }
  }

  /// Whole numbers have no fraction: who reads and writes them again to check a signature gets the same bytes.
  private static func number(_ value: Double) -> JSONValue? {
    let isWhole = value.rounded() == value && abs(value) < 1e9
    return isWhole ? .integer(Int(value)) : .finite(value)
  }
}

/// Makes the frames of one session. A gateway refuses a time stamp that is not greater than the last.
package struct EnvelopeSigner: Sendable {
  private let session: String
  private let key: DeviceKey
  private var lastMs: Int64 = 0

  package init(session: String, key: DeviceKey) {
    self.session = session
    self.key = key
  }

  /// The bytes of a frame; nil if libcrypto fails.
  ///
  /// - Parameter nowMs: the gateway's clock, ms since 1970: more than 120 s off is refused.
  package mutating func frame(_ message: ClientMessage, nowMs: Int64) -> [UInt8]? {
    let timestamp = max(nowMs, lastMs + 1)
    let payload = CanonicalJSON.bytes(message.payload)
    let text = Self.signedText(
      session: session, timestamp: timestamp, type: message.type, payload: payload)
    guard let signature = key.signature(of: text) else { return nil }
    lastMs = timestamp
    // The payload stands in the frame byte for byte as it was signed.
    var frame = Array(#"{"type":"\#(message.type)","session_id":"#.utf8)
    frame += CanonicalJSON.bytes(.string(session))
    frame += Array(#","timestamp":\#(timestamp),"payload":"#.utf8)
    frame += payload
    frame += Array(#","sig":"\#(signature)"}"#.utf8)
    return frame
  }

  static func signedText(
    session: String, timestamp: Int64, type: String, payload: [UInt8]
  ) -> String {
    let digest = Digest.hexadecimal(Digest.sha256(payload))
    return "msg|\(session)|\(timestamp)|\(type)|\(digest)"
  }
}
