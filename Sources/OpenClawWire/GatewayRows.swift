package import LenientJSON

/// A device that asks to be let in.
package struct PairingRequest: Sendable, Equatable {
  package var requestId: String
  package var deviceId: String?
  package var displayName: String?
  package var platform: String?
  package var remoteAddress: String?
  package var scopes: [String]
  package var ts: Int?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("requestId") else { return nil }
    requestId = id
    deviceId = fields.id("deviceId")
    displayName = fields.string("displayName")
    platform = fields.string("platform")
    remoteAddress = fields.string("remoteIp")
    scopes = fields.strings("scopes") ?? []
    ts = fields.int("ts")
  }
}

/// An agent of the gateway.
package struct AgentRow: Sendable, Equatable {
  package var id: String
  package var name: String?
  package var model: String?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("id") else { return nil }
    self.id = id
    name = fields.string("name")
    model = fields.string("model")
  }
}

/// A session of an agent. Only the key has to be there.
package struct SessionRow: Sendable, Equatable {
  package var key: String
  package var agentId: String?
  package var label: String?
  /// `running done failed killed timeout`, or another as sent.
  package var status: String?
  package var hasActiveRun: Bool?
  package var activeRunIds: [String]?
  package var updatedAt: Int?
  package var model: String?
  package var estimatedCostUsd: Double?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let key = fields.string("key") else { return nil }
    self.key = key
    agentId = fields.string("agentId")
    label = fields.string("label", "displayName", "derivedTitle")
    status = fields.string("status")
    hasActiveRun = fields.bool("hasActiveRun")
    activeRunIds = fields.strings("activeRunIds")
    updatedAt = fields.int("updatedAt")
    model = fields.string("model")
    estimatedCostUsd = fields.double("estimatedCostUsd")
  }
}
