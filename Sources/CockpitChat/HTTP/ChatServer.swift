package import Networking

/// A server that is asked over HTTP: an OpenClaw gateway, or any that speaks OpenAI's interfaces.
package struct ChatServer: Sendable {
  package enum Kind: Sendable, Hashable {
    case gateway
    /// The model that answers where a turn names none; nil is the first that the server has.
    case other(model: String?)
  }

  package var kind: Kind
  /// Its address, without `/v1`.
  package var base: BackendURL
  /// Sent as a bearer; nil sends none.
  package var secret: String?
  package var interface: ChatInterface
  /// `x-openclaw-message-channel`: what the gateway says the messages come through.
  package var messageChannel: String
  /// Headers that the owner adds to every request. Their values are secrets.
  package var headers: [HTTPHeader] = []
  /// Whether the server keeps the history of a session; otherwise it goes with every message.
  package var keepsHistory: Bool
  /// Why nothing may be sent to it; nil if it may.
  package var obstacle: ChatFailure?

  package init(
    kind: Kind, base: BackendURL, secret: String?, interface: ChatInterface,
    messageChannel: String = ChatServer.ownMessageChannel, obstacle: ChatFailure? = nil
  ) {
    self.kind = kind
    self.base = base
    self.secret = secret
    self.interface = interface
    self.messageChannel = messageChannel
    self.obstacle = obstacle
    keepsHistory = kind == .gateway
  }

  /// The message channel where the profile names none.
  package static let ownMessageChannel = "clanky-cockpit"

  package var isGateway: Bool { kind == .gateway }

  /// Whether a message can be sent without the list of models.
  package var namesModel: Bool {
    if case .other(let model) = kind { model != nil } else { true }
  }

  /// Below `/v1`, which an address of the profile may already end with.
  func target(_ segments: [String]) -> RequestTarget {
    RequestTarget(base.basePath.hasSuffix("/v1") ? segments : ["v1"] + segments)
  }

  func headers(accepts type: String) -> [HTTPHeader] {
    var headers = headers + [HTTPHeader("Accept", type)]
    if let secret { headers.append(HTTPHeader("Authorization", "Bearer \(secret)")) }
    return headers
  }

  /// The `model` of a request.
  ///
  /// - Parameter first: the first model that the server names.
  func model(for agent: String?, first: String?) -> String? {
    switch kind {
    case .gateway: agent.map { "openclaw/\(Self.agentId($0))" } ?? "openclaw"
    case .other(let model): agent ?? model ?? first
    }
  }

  /// `openclaw:wren` and `openclaw/wren` name the agent `wren`.
  package static func agentId(_ name: String) -> String {
    for start in ["openclaw:", "openclaw/"] where name.hasPrefix(start) {
      return String(name.dropFirst(start.count))
    }
    return name
  }
}
