internal import CockpitDomain

/// Counts outages. One lasts from the loss of the first stream until every stream is back: both
/// streams usually fail together and retry several times.
struct Outages: Sendable, Equatable {
  /// Streams that were live and are not.
  private var lost: Set<SourceChannel> = []
  private var isCounted = false
  /// Outages after which something came back.
  private(set) var ended = 0
  /// Connections that were tried in all outages.
  private(set) var attempts = 0
  /// Number of times a stream has come back.
  private(set) var returns = 0

  /// A live stream was lost.
  mutating func lost(_ stream: SourceChannel) { lost.insert(stream) }

  /// A live connection is being replaced.
  mutating func tried(_ stream: SourceChannel) {
    lost.insert(stream)
    attempts += 1
  }

  /// The first byte of a connection. Returns whether the stream had been lost.
  mutating func heard(_ stream: SourceChannel) -> Bool {
    guard lost.contains(stream) else { return false }
    if !isCounted { ended += 1 }
    isCounted = true
    returns += 1
    over(stream)
    return true
  }

  /// The stream is not tried any more.
  mutating func gaveUp(_ stream: SourceChannel) { over(stream) }

  private mutating func over(_ stream: SourceChannel) {
    lost.remove(stream)
    if lost.isEmpty { isCounted = false }
  }
}
