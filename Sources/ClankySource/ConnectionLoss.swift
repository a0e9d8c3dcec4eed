internal import Networking

/// The loss of a connection that brings rows: where it belongs in the history, and how long it lasted.
struct ConnectionLoss {
  /// Server time of the loss, after everything received before it.
  let atMs: Int64
  /// When that was by the clock that runs evenly.
  private let heardNs: UInt64
  /// Length of the silence; nil until the next connection has started.
  private(set) var lengthMs: Int?
  /// Rows of the next connection's snapshot that were not known before.
  var added = 0

  /// Clock error tolerated between the two machines, in ms, for a row to count as the last one
  /// received.
  private static let clockErrorMs: Int64 = 2_000

  /// - Parameters:
  ///   - heardNs: when the last byte arrived.
  ///   - serverNowMs: the estimated server time at `nowNs`.
  ///   - newestRowMs: the time of the newest known row.
  init(heardNs: UInt64, nowNs: UInt64, serverNowMs: Int64, newestRowMs: Int64?) {
    self.heardNs = heardNs
    let heardMs = serverNowMs - Int64(clamping: nowNs.since(heardNs) / 1_000_000)
    // The clocks agree to within a second or two. Earlier rows lie before the loss, later ones
    // after it.
    let nearMs = heardMs - Self.clockErrorMs...heardMs + Self.clockErrorMs
    atMs = newestRowMs.flatMap { nearMs.contains($0) ? $0 : nil } ?? heardMs
  }

  /// The next connection has begun.
  mutating func end(nowNs: UInt64) { lengthMs = Int(clamping: nowNs.since(heardNs) / 1_000_000) }
}
