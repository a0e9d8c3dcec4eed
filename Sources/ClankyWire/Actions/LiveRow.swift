import LenientJSON

/// A row of the action log that a source other than Clanky's backend makes from its events.
package struct LiveRow: Sendable {
  /// Bytes of one text that are kept (contract 15).
  package static let textLimit = 2 << 20

  /// The value of `metadata.source`, one of `RowOrigin`.
  package var source: String
  /// The source's clock, ms since 1970.
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

  package init(
    of source: String, _ kind: String, _ content: String, atMs timeMs: Int64,
    agent: String? = nil, session: String? = nil, user: String? = nil, cost: Double? = nil,
    _ metadata: [(key: String, value: JSONValue?)] = []
  ) {
    self.source = source
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
    let own: [(key: String, value: JSONValue?)] = [("source", .string(source))]
    writer.value("metadata", SecretMembers.removed(from: .body(own + metadata)))
    if let cost, cost.isFinite { writer.double("usdCost", cost) }
    return writer.finish()
  }

  /// A text that is too long loses its end.
  package static func bounded(_ text: String) -> String {
    guard text.utf8.count > textLimit else { return text }
    return String(decoding: text.utf8.prefix(textLimit), as: UTF8.self)
  }
}
