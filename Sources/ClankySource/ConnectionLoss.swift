internal import Networking

/// The loss of a connection that brings rows: where it belongs in the history, and how long it lasted.
struct ConnectionLoss {
  /// Where it belongs in time: after all that was heard (server time).
  let atMs: Int64
  /// When that was by the clock that runs evenly.
  private let heardNs: UInt64
  /// How long nothing was heard, once the next one has begun.
  private(set) var lengthMs: Int?
  /// The rows of the next one's snapshot that nobody had told.
  var added = 0

  /// How far the clocks of the two machines may be apart, in ms, for a row to be the last thing heard.
  private static let clockErrorMs: Int64 = 2_000

  /// - Parameters:
  ///   - heardNs: when the last byte came.
  ///   - serverNowMs: what the clock of the server is held to say at `nowNs`.
  ///   - newestRowMs: the newest row that is known.
  init(heardNs: UInt64, nowNs: UInt64, serverNowMs: Int64, newestRowMs: Int64?) {
    self.heardNs = heardNs
    let heardMs = serverNowMs - Int64(clamping: nowNs.since(heardNs) / 1_000_000)
    // The clocks agree to a second or two. What came last is before the loss, and what comes next after.
    let nearMs = heardMs - Self.clockErrorMs...heardMs + Self.clockErrorMs
    atMs = newestRowMs.flatMap { nearMs.contains($0) ? $0 : nil } ?? heardMs
  }

  /// The next connection has begun.
  mutating func end(nowNs: UInt64) { lengthMs = Int(clamping: nowNs.since(heardNs) / 1_000_000) }
}
