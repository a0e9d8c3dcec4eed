import CockpitDomain
import CockpitRules

/// Tells the rules when the stream of events becomes silent, and when bytes come again.
struct LinkWatch {
  private var sinceMs: Int64?

  /// - Parameter nowMs: on the backend's clock.
  mutating func events(_ stream: StreamStatus, nowMs: Int64, nowNs: UInt64) -> [RuleEvent] {
    var silentSinceMs: Int64?
    if stream.state == .stale, let ago = stream.lastByteAgoMs(nowNs: nowNs) {
      // Two clocks are in it: the first reading counts while the silence lasts.
      silentSinceMs = sinceMs ?? nowMs - Int64(ago)
    }
    guard silentSinceMs != sinceMs else { return [] }
    sinceMs = silentSinceMs
    return [RuleEvent(timeMs: nowMs, body: .link(silentSinceMs: silentSinceMs))]
  }
}
