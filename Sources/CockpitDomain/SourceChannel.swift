/// One connection over which a source receives. A source states its channels in `SourceStatus`; nothing
/// counts on their number.
package struct SourceChannel: Hashable, Sendable {
  /// The word on screen, in `tail --json` and in the log.
  package let name: String
  /// What is spoken over it, as the screen abbreviates it: `SSE`.
  package let transport: String

  /// A channel of a source.
  package init(_ name: String, transport: String) {
    self.name = name
    self.transport = transport
  }
}

/// The event streams of Clanky's backend. Stores name them, because the age of the voice state is that of
/// the stream that carries it; another source names its own.
extension SourceChannel {
  /// Every action, the statistics, and a snapshot on connect.
  package static let activity = SourceChannel("activity", transport: "SSE")
  /// Voice actions and the voice state.
  package static let voice = SourceChannel("voice", transport: "SSE")
}
