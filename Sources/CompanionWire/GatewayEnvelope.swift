internal import ClankyWire
package import LenientJSON

/// What a companion gateway says. Text in it is remote.
package struct GatewayEnvelope: Sendable, Equatable {
  package enum Level: String, Sendable, Equatable, CaseIterable, Comparable {
    case passive, notify, active, interrupt, urgent

    package static func < (left: Level, right: Level) -> Bool {
      left.rank < right.rank
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  package enum Message: Sendable, Equatable {
    /// Frames of one id replace each other; the last has `isFinal`.
    case text(String, id: String, isFinal: Bool)
    case canvas(CanvasCommand)
    case request(CapabilityRequest)
    case attention(reason: String)
    case status(GatewayState)
    /// A type that this program does not know, or a payload that cannot be read.
    case unknown(type: String)
  }

  /// nil if the gateway names none.
  package var agent: String?
  /// What the gateway asks for; the profile caps it.
  package var level: Level
  package var message: Message

  /// nil for a frame that is no envelope.
  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let type = fields.string("type") else { return nil }
    agent = fields.string("agent_id")
    // An unknown level is "notify"; one that is missing asks for nothing.
    level = fields.string("attention_level").map { Level(rawValue: $0) ?? .notify } ?? .passive
    let payload = fields.value("payload") ?? .null
    message = Self.message(type, payload) ?? .unknown(type: type)
  }

  private static func message(_ type: String, _ payload: JSONValue) -> Message? {
    guard let fields = JSONFields(payload) else { return nil }
    switch type {
    case "text":
      guard let text = fields.string("text"), let id = fields.id("message_id") else { return nil }
      return .text(text, id: id, isFinal: fields.bool("final") ?? false)
    case "canvas_update": return CanvasCommand(payload).map(Message.canvas)
    case "capability_request": return CapabilityRequest(payload).map(Message.request)
    case "attention": return .attention(reason: fields.string("reason") ?? "")
    case "status": return GatewayState(payload).map(Message.status)
    default: return nil
    }
  }
}

/// An agent asks to use something of this machine.
package struct CapabilityRequest: Sendable, Equatable {
  package var id: String
  package var capability: Capability
  /// nil if the agent does not say.
  package var seconds: Int?
  package var purpose: String
  /// nil if the request has none.
  package var token: CapabilityToken?
  /// Whether a token was sent that cannot be read.
  package var hasBrokenToken: Bool

  init?(_ payload: JSONValue) {
    guard let fields = JSONFields(payload), let id = fields.id("request_id"),
      let name = fields.string("capability")
    else { return nil }
    self.id = id
    capability = Capability(name)
    seconds = fields.int("duration_s")
    purpose = fields.string("purpose") ?? ""
    let sent = fields.value("token")
    token = sent.flatMap(CapabilityToken.init)
    hasBrokenToken = sent.map { !$0.isNull } == true && token == nil
  }
}

/// How a gateway says it is.
package struct GatewayState: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case ready, active, idle, alive, error
    case other(String)

    init(_ text: String) {
      switch text {
      case "ready": self = .ready
      case "active": self = .active
      case "idle": self = .idle
      case "alive": self = .alive
      case "error": self = .error
      default: self = .other(text)
      }
    }
  }

  package var kind: Kind
  /// What the agent is doing, in its words.
  package var quote: String?
  /// How much waits for the owner, by the gateway's count.
  package var pending: Int?
  package var sessionID: String?
  /// The gateway's clock, ms since 1970.
  package var serverMs: Int64?
  package var reason: String?

  init?(_ payload: JSONValue) {
    guard let fields = JSONFields(payload), let state = fields.string("state") else { return nil }
    kind = Kind(state)
    quote = fields.string("quote")
    pending = fields.int("pending")
    sessionID = fields.id("session_id")
    serverMs =
      fields.int("server_time").map(Int64.init)
      ?? fields.string("server_time").flatMap { WireTime(iso: $0)?.milliseconds }
    reason = fields.string("reason", "message")
  }
}
