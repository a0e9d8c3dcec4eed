internal import ClankyWire
internal import LenientJSON

extension LiveRow {
  /// A row that is made from a conversation with an agent of ElevenLabs.
  init(
    _ kind: String, _ content: String, atMs timeMs: Int64, agent: String?, conversation: String?,
    _ metadata: [(key: String, value: JSONValue?)] = []
  ) {
    self.init(
      of: RowOrigin.elevenLabs, kind, content, atMs: timeMs, agent: agent, session: conversation,
      metadata)
  }
}
