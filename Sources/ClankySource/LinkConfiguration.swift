package import CockpitDomain
package import Networking

/// The backend to connect to, and the time limits.
package struct LinkConfiguration: Sendable {
  /// The backend.
  package var baseURL: BackendURL
  /// Sent with every request; nil for an open backend.
  package var token: TokenText?
  /// Which event streams to keep open.
  package var streams: Set<SourceChannel>
  /// End (state `stopped`) when a stream ends or cannot be opened, instead of reconnecting.
  package var once: Bool
  /// A stream that was never live is tried again all the same, with `once` too.
  package var waitsForFirst = false
  /// Whether the sink also gets each event unparsed (`SourceEvent.raw`).
  package var passesRawEvents = false
  /// Whether a document identical to the previous one is reported as `SourceEvent.repeated`.
  package var mergesRepetitions = true
  /// An additional trust anchor (PEM), for the code that creates the transport.
  package var caFile: String?
  /// Time limits.
  package var limits: LinkLimits

  /// All parts but the URL have sensible defaults.
  package init(
    baseURL: BackendURL, token: TokenText? = nil,
    streams: Set<SourceChannel> = [.activity, .voice],
    once: Bool = false, caFile: String? = nil,
    limits: LinkLimits = LinkLimits()
  ) {
    self.baseURL = baseURL
    self.token = token
    self.streams = streams
    self.once = once
    self.caFile = caFile
    self.limits = limits
  }
}

/// Time limits of the link. The server speaks every 3 s on each stream (wire contract 2.3), so the
/// defaults are three and six missed ticks (9.7).
package struct LinkLimits: Sendable, Equatable {
  /// Name resolution, TCP and TLS together.
  package var connectMs = 5_000
  /// From the start of a request to the end of the answer's header.
  package var headersMs = 10_000
  /// From the header of a stream to its first byte; then polling.
  package var firstByteMs = 8_000
  /// Silence after which a stream is called stale.
  package var staleMs = 10_000
  /// Silence after which it is replaced.
  package var deadMs = 20_000
  /// Between quiet comparisons with the stored log.
  package var reconcileEveryMs = 60_000
  /// Between polls while a stream is held back.
  package var pollEveryMs = 3_000
  /// Between attempts to get the stream itself while polling.
  package var streamRetryWhilePollingMs = 60_000
  /// A REST request as a whole.
  package var restTotalMs = 30_000

  /// All parts but the URL have sensible defaults.
  package init() {}
}
