package import Networking

/// The clock of the past: now is where the playhead stands, on the backend's clock.
///
/// Timers are those of the real clock: they pace this program's own work, and a paused playhead would never
/// fire them.
@MainActor
package final class ReplayClock: LinkClock {
  private let real: any LinkClock
  /// The time of the playhead, in ms since 1970. It only moves on: another past has another clock.
  package private(set) var wallMs: Int64

  /// A clock that stands at a time.
  package init(atMs: Int64, real: any LinkClock) {
    self.real = real
    wallMs = max(0, atMs)
  }

  package var nowNs: UInt64 { Self.ns(wallMs) }

  /// The monotonic time of a moment of the past, so that ages can be reckoned from it.
  package static func ns(_ wallMs: Int64) -> UInt64 {
    UInt64(clamping: wallMs).multipliedReportingOverflow(by: 1_000_000).partialValue
  }

  package func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer { real.schedule(afterNs: delayNs, body) }

  /// Moves on; an earlier time is ignored.
  package func advance(toMs ms: Int64) { wallMs = max(wallMs, ms) }
}
