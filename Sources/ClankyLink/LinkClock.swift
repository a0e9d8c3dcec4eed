/// Something scheduled that can still be called off.
@MainActor
package protocol LinkTimer: AnyObject {
  /// After this the body is never called. Calling it twice, or after the timer fired, does nothing.
  func cancel()
}

/// Time as the link sees it; tests supply their own.
@MainActor
package protocol LinkClock: AnyObject {
  /// Monotonic nanoseconds; never steps, may or may not count system sleep.
  var nowNs: UInt64 { get }
  /// Wall clock, milliseconds since 1970; may step. Used for labels, skew and sleep detection only.
  var wallMs: Int64 { get }
  /// Calls `body` once on the main actor, not earlier than `delayNs` from now.
  func schedule(afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void) -> any LinkTimer
}

/// Nanosecond constants that read like prose.
package enum Nanoseconds {
  /// `value` milliseconds.
  package static func milliseconds(_ value: UInt64) -> UInt64 { value &* 1_000_000 }
  /// `value` seconds.
  package static func seconds(_ value: UInt64) -> UInt64 { value &* 1_000_000_000 }
}

extension UInt64 {
  /// Nanoseconds since `earlier`, 0 when `earlier` is in the future.
  package func since(_ earlier: UInt64) -> UInt64 { self > earlier ? self - earlier : 0 }
}

/// Notices that the machine slept: the wall clock ran on while the monotonic one stood still.
///
/// A forward step of the wall clock looks the same; the consequence (a "stale" label until the next
/// byte) is harmless in that case.
package struct SleepDetector: Sendable {
  /// A jump below this is a clock adjustment, not a sleep.
  package static let thresholdMs: Int64 = 5_000
  private var lastNs: UInt64
  private var lastWallMs: Int64

  /// Starts comparing from these readings of the two clocks.
  package init(nowNs: UInt64, wallMs: Int64) {
    lastNs = nowNs
    lastWallMs = wallMs
  }

  /// True when the wall clock advanced at least 5 s more than the monotonic clock since the last call.
  package mutating func slept(nowNs: UInt64, wallMs: Int64) -> Bool {
    let monotonicMs = Int64(clamping: nowNs.since(lastNs) / 1_000_000)
    let (wallDelta, overflow) = wallMs.subtractingReportingOverflow(lastWallMs)
    lastNs = nowNs
    lastWallMs = wallMs
    return !overflow && wallDelta - monotonicMs >= Self.thresholdMs
  }
}
