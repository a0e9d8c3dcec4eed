package import LenientJSON

/// The gateway's greeting after a connect: `hello-ok`. Every field may be missing.
package struct GatewayHello: Sendable {
  package var protocolVersion: Int
  package var serverVersion: String?
  package var connectionId: String?
  /// A hint: a missing method may exist.
  package var methods: [String]
  /// What this device may do. Protocol 3 names all that it was ever approved for.
  package var scopes: [String]
  package var deviceToken: String?
  package var maximumPayload: Int
  /// What images the gateway takes, bytes: one, and all of a message; nil where it does not say.
  package var maximumImage: Int?
  package var maximumAttachments: Int?
  package var tickIntervalMs: Int
  package var presence: [PresenceEntry]
  /// `snapshot.presence` and `snapshot.health`, as sent.
  package var snapshotPresence: [JSONValue]
  package var snapshotHealth: JSONValue?
  package var defaultAgentId: String?
  /// Requests must name an agent.
  package var needsAgent: Bool

  /// nil when this is no greeting.
  ///
  /// - Parameter requested: the scopes that were asked for; others do not count.
  package init?(_ value: JSONValue, requested: [String]) {
    guard let fields = JSONFields(value), fields.string("type") == "hello-ok" else { return nil }
    let auth = fields.nested("auth", as: JSONFields.init)
    let policy = fields.nested("policy", as: JSONFields.init)
    let server = fields.nested("server", as: JSONFields.init)
    let snapshot = fields.nested("snapshot", as: JSONFields.init)
    let sessions = snapshot?.nested("sessionDefaults", as: JSONFields.init)
    protocolVersion = fields.int("protocol") ?? 3
    serverVersion = server?.string("version")
    connectionId = server?.id("connId")
    methods = fields.nested("features", as: JSONFields.init)?.strings("methods") ?? []
    scopes = (auth?.strings("scopes") ?? []).filter(requested.contains)
    deviceToken = auth?.string("deviceToken")
    maximumPayload = min(max(policy?.int("maxPayload") ?? 25 << 20, 64 << 10), 64 << 20)
    let attachments = policy?.nested("attachments", as: JSONFields.init)
    maximumImage = attachments?.int("maxImageBytes")
    maximumAttachments = attachments?.int("maxBytes")
    tickIntervalMs = min(max(policy?.int("tickIntervalMs") ?? 30_000, 1_000), 600_000)
    snapshotPresence = value["snapshot"]?["presence"]?.array ?? []
    snapshotHealth = value["snapshot"]?["health"]
    presence = snapshot?.list("presence", of: PresenceEntry.init) ?? []
    defaultAgentId = sessions?.string("defaultAgentId")
    needsAgent = sessions?.bool("selectionRequired") ?? false
  }
}

/// A client or node that the gateway sees.
package struct PresenceEntry: Sendable, Equatable {
  package var host: String?
  package var version: String?
  package var platform: String?
  package var mode: String?
  package var text: String?
  package var deviceId: String?
  package var instanceId: String?
  package var ts: Int?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value) else { return nil }
    host = fields.string("host")
    version = fields.string("version")
    platform = fields.string("platform")
    mode = fields.string("mode")
    text = fields.string("text")
    deviceId = fields.id("deviceId")
    instanceId = fields.id("instanceId")
    ts = fields.int("ts")
  }
}
