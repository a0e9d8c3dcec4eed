internal import ClankyWire
package import LenientJSON

/// A row of the action log that is made from an event of a gateway.
package struct FeedRow: Sendable {
  /// Bytes of one text that are kept (contract 15).
  static let textLimit = 2 << 20

  /// The gateway's clock, ms since 1970.
  package var timeMs: Int64
  package var kind: String
  /// In the place of the guild.
  package var agent: String?
  /// In the place of the channel.
  package var session: String?
  package var user: String?
  package var content: String
  package var metadata: [(key: String, value: JSONValue?)]
  /// US dollars.
  package var cost: Double?

  init(
    _ kind: String, _ content: String, atMs timeMs: Int64, agent: String? = nil,
    session: String? = nil, user: String? = nil, cost: Double? = nil,
    _ metadata: [(key: String, value: JSONValue?)] = []
  ) {
    self.kind = kind
    self.content = content
    self.timeMs = timeMs
    self.agent = agent
    self.session = session
    self.user = user
    self.cost = cost
    self.metadata = metadata
  }

  /// The live shape of an action (`docs/contract.md`).
  package var json: [UInt8] {
    var writer = JSONObjectWriter(capacity: content.utf8.count + 512)
    writer.string("createdAt", WireTime(milliseconds: timeMs).iso)
    writer.string("kind", kind)
    if let agent { writer.string("guildId", agent) }
    if let session { writer.string("channelId", session) }
    if let user { writer.string("userId", user) }
    writer.string("content", Self.bounded(content))
    let own: [(key: String, value: JSONValue?)] = [("source", .string(RowOrigin.gateway))]
    writer.value("metadata", Redaction.without(.body(own + metadata)))
    if let cost, cost.isFinite { writer.double("usdCost", cost) }
    return writer.finish()
  }

  /// A text that is too long loses its end.
  static func bounded(_ text: String) -> String {
    guard text.utf8.count > textLimit else { return text }
    return String(decoding: text.utf8.prefix(textLimit), as: UTF8.self)
  }
}

/// Members that are never kept, wherever they stand (contract 16.8).
enum Redaction {
  private static let secrets: Set<String> = [
    "auth", "authorization", "devicetoken", "devicetokens", "recoveryscope", "bootstraptoken",
    "setupcode", "signature", "token", "password", "answers",
  ]

  static func without(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      return .object(
        JSONObject(
          members: object.members.compactMap { member in
            guard !secrets.contains(member.key.lowercased()) else { return nil }
            return JSONObject.Member(key: member.key, value: without(member.value))
          }))
    case .array(let list): return .array(list.map(without))
    case .null, .bool, .number, .string: return value
    }
  }
}
