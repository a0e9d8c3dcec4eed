import LenientJSON

/// What made a row: a bot, or a source that writes its events as rows of the same log.
package enum RowOrigin {
  /// The value of a row's `metadata.source` if it was made from events of an OpenClaw gateway.
  package static let gateway = "openclaw"
  /// The same if it was made from a conversation with an agent of ElevenLabs.
  package static let elevenLabs = "elevenlabs"
  /// The same if it was made from events of a companion gateway.
  package static let companion = "companion"

  /// Whether a row was made from events of a source of agents.
  package static func isGateway(_ metadata: JSONValue) -> Bool {
    let source = metadata["source"]?.string
    return source == gateway || source == elevenLabs || source == companion
  }
}
