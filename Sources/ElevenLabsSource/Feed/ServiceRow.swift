internal import ClankyWire
package import LenientJSON

/// A row of the action log that is made from a conversation.
package struct ServiceRow: Sendable {
  private static let textLimit = 1 << 20

  package var kind: String
  package var content: String
  /// ms since 1970.
  package var timeMs: Int64
  /// In the place of the guild.
  package var agent: String?
  /// The conversation, in the place of the channel.
  package var conversation: String?
  package var metadata: [(key: String, value: JSONValue?)]

  init(
    _ kind: String, _ content: String, atMs timeMs: Int64, agent: String?, conversation: String?,
    _ metadata: [(key: String, value: JSONValue?)] = []
  ) {
    self.kind = kind
    self.content = content
    self.timeMs = timeMs
    self.agent = agent
    self.conversation = conversation
    self.metadata = metadata
  }

  /// The live shape of an action (`docs/contract.md`).
  package var json: [UInt8] {
    var writer = JSONObjectWriter(capacity: content.utf8.count + 512)
    writer.string("createdAt", WireTime(milliseconds: timeMs).iso)
    writer.string("kind", kind)
    if let agent { writer.string("guildId", agent) }
    if let conversation { writer.string("channelId", conversation) }
    let text =
      content.utf8.count > Self.textLimit
      ? String(decoding: content.utf8.prefix(Self.textLimit), as: UTF8.self) : content
    writer.string("content", text)
    let own: [(key: String, value: JSONValue?)] = [("source", .string(RowOrigin.elevenLabs))]
    writer.value("metadata", .body(own + metadata))
    return writer.finish()
  }
}
