package import LenientJSON

/// The first frame of a connection: who connects, with what.
package struct ConnectRequest: Sendable {
  /// How the device proves who it is.
  package struct Device: Sendable {
    package var id: String
    package var publicKey: String
    package var signature: String
    package var signedAt: Int
    package var nonce: String

    package init(id: String, publicKey: String, signature: String, signedAt: Int, nonce: String) {
      self.id = id
      self.publicKey = publicKey
      self.signature = signature
      self.signedAt = signedAt
      self.nonce = nonce
    }
  }

  /// Which of the accepted secrets is sent.
  package enum Credential: Sendable, Equatable {
    case none
    /// Of the profile.
    case token(String)
    /// Given to this device by the gateway.
    case deviceToken(String)
    /// Of a setup code: lets one device in once.
    case bootstrapToken(String)

    /// What the signature covers.
    package var signed: String {
      switch self {
      case .none: ""
      case .token(let token), .deviceToken(let token), .bootstrapToken(let token): token
      }
    }
  }

  /// How this program introduces itself.
  package struct Client: Sendable {
    package var version: String
    package var platform: String
    /// One UUID a profile: without it every reconnect leaves a ghost in the presence list.
    package var instanceId: String
    package var displayName: String

    package init(version: String, platform: String, instanceId: String, displayName: String) {
      self.version = version
      self.platform = platform
      self.instanceId = instanceId
      self.displayName = displayName
    }
  }

  /// What this device is to the gateway.
  package enum Role: Sendable, Equatable {
    /// Sees and changes what the gateway does, as far as its scopes go.
    case `operator`
    /// Carries out these commands when the gateway asks. It has no scopes.
    case node(commands: [String])

    /// The closed lists of names that a gateway knows have these.
    var clientId: String { isNode ? "node-host" : "gateway-client" }
    var mode: String { isNode ? "node" : "ui" }
    var name: String { isNode ? "node" : "operator" }
    var capabilities: [String] { isNode ? ["system"] : ["tool-events", "approvals"] }
    var commands: [String] { if case .node(let commands) = self { commands } else { [] } }
    package var isNode: Bool { self != .operator }
  }

  static let family = "terminal"

  package var client: Client
  package var role: Role
  package var scopes: [String]
  package var credential: Credential
  /// The gateway's password, beside the credential. The signature does not cover it.
  package var password: String?

  package init(
    client: Client, role: Role = .operator, scopes: [String], credential: Credential,
    password: String? = nil
  ) {
    self.client = client
    self.role = role
    self.scopes = scopes
    self.credential = credential
    self.password = password
  }

  /// The text that the device signs (version 3 of it, which both protocols take).
  ///
  /// - Parameter signedAt: the challenge's own time, so that the clock of this machine does not matter.
  package func signedText(deviceId: String, signedAt: Int, nonce: String) -> String {
    [
      "v3", deviceId, role.clientId, role.mode, role.name, scopes.joined(separator: ","),
      String(signedAt), credential.signed, nonce, Self.normal(client.platform),
      Self.normal(Self.family),
    ].joined(separator: "|")
  }

  /// Trimmed, and A–Z in lower case; other letters stay.
  static func normal(_ text: String) -> String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace }
    let start = text.drop(while: isSpace)
    let trimmed = start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? ""
    let lowered = trimmed.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    return String(decoding: lowered, as: UTF8.self)
  }

  /// The parameters of the frame; nothing is null.
  package func parameters(_ device: Device) -> JSONValue {
    func text(_ value: String) -> JSONValue { .string(value) }
    var secrets: [(key: String, value: JSONValue?)] = []
    switch credential {
    case .none: break
    case .token(let token): secrets.append(("token", text(token)))
    case .deviceToken(let token): secrets.append(("deviceToken", text(token)))
    case .bootstrapToken(let token): secrets.append(("bootstrapToken", text(token)))
    }
    if let password { secrets.append(("password", text(password))) }
    let auth: JSONValue? = secrets.isEmpty ? nil : .body(secrets)
    return .body([
      ("minProtocol", .integer(3)), ("maxProtocol", .integer(4)),
      (
        "client",
        .body([
          ("id", text(role.clientId)), ("displayName", text(client.displayName)),
          ("version", text(client.version)), ("platform", text(client.platform)),
          ("deviceFamily", text(Self.family)), ("mode", text(role.mode)),
          ("instanceId", text(client.instanceId)),
        ])
      ),
      ("role", text(role.name)), ("scopes", .array(scopes.map(text))),
      ("caps", .array(role.capabilities.map(text))),
      ("commands", .array(role.commands.map(text))),
      ("permissions", .object(JSONObject())), ("auth", auth),
      (
        "device",
        .body([
          ("id", text(device.id)), ("publicKey", text(device.publicKey)),
          ("signature", text(device.signature)), ("signedAt", .integer(device.signedAt)),
          ("nonce", text(device.nonce)),
        ])
      ),
      ("userAgent", text("clanky-cockpit/\(client.version)")),
    ])
  }
}

/// What the gateway greets with: `connect.challenge`.
package struct ConnectChallenge: Sendable, Equatable {
  package var nonce: String
  /// The gateway's clock, ms.
  package var ts: Int

  package init?(_ event: GatewayEvent) {
    guard event.name == "connect.challenge", let fields = JSONFields(event.payload),
      let nonce = fields.string("nonce"), let ts = fields.int("ts")
    else { return nil }
    self.nonce = nonce
    self.ts = ts
  }
}
