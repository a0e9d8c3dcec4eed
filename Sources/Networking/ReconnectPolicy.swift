/// When to retry: from 3 s doubling to 30 s with jitter, the server's `Retry-After` within bounds,
/// back to the start after 60 s of health. Never below 1 s, so never a hot loop.
package struct ReconnectPolicy: Sendable {
  /// Used if the server sends no `retry` field (wire contract 2.8).
  package static let baseMs = 3_000
  /// The maximum of our own delays (wire contract 2.8).
  package static let capMs = 30_000
  /// A `retry` field is honoured between these.
  package static let retryRangeMs = 1_000...60_000
  /// A Retry-After header is honoured up to this.
  package static let retryAfterCapMs = 300_000
  /// A stream that lived this long starts over.
  package static let healthyAfterMs: UInt64 = 60_000

  /// Failures in a row.
  package private(set) var failures = 0
  private var liveSinceNs: UInt64?
  private var serverBaseMs: Int?

  package init() {}

  /// The stream delivers bytes since `nowNs`.
  package mutating func wentLive(nowNs: UInt64) {
    if liveSinceNs == nil { liveSinceNs = nowNs }
  }

  /// The server sent a `retry` field.
  package mutating func serverAsked(retryMs: Int?) {
    guard let retryMs else { return }
    serverBaseMs = min(max(retryMs, Self.retryRangeMs.lowerBound), Self.retryRangeMs.upperBound)
  }

  /// The connection ended: how long to wait, in nanoseconds. `random` is in 0..<1.
  package mutating func delayNs(nowNs: UInt64, retryAfterMs: Int?, random: Double) -> UInt64 {
    forgiveIfHealthy(nowNs: nowNs)
    let base = serverBaseMs ?? Self.baseMs
    let cap = max(Self.capMs, base)
    let doubled = failures >= 16 ? cap : min(base << failures, cap)
    failures += 1
    let share = min(max(random, 0), 1)
    // Jitter only lengthens, except at the cap, where it shortens: the cap holds, the base holds.
    var milliseconds =
      doubled >= Self.capMs && serverBaseMs == nil
      ? Double(doubled) * (0.8 + 0.2 * share)
      : min(Double(doubled) * (1 + 0.25 * share), Double(cap))
    if let retryAfterMs {
      milliseconds = max(milliseconds, Double(min(max(retryAfterMs, 0), Self.retryAfterCapMs)))
    }
    return UInt64(milliseconds) * 1_000_000
  }

  /// The connection was replaced on our own initiative (silence); counts, but does not wait.
  package mutating func countSilence(nowNs: UInt64) {
    forgiveIfHealthy(nowNs: nowNs)
    failures += 1
  }

  /// Starts over, for a reconnect requested by the user.
  package mutating func reset() {
    failures = 0
    liveSinceNs = nil
  }

  private mutating func forgiveIfHealthy(nowNs: UInt64) {
    if let since = liveSinceNs, nowNs.since(since) >= Self.healthyAfterMs * 1_000_000 {
      failures = 0
    }
    liveSinceNs = nil
  }
}
