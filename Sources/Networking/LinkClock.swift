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
  /// Wall clock, milliseconds since 1970; may step. Used for labels and skew only.
  var wallMs: Int64 { get }
  /// Total time the machine has been asleep since boot, nanoseconds; monotonic, accurate to a
  /// millisecond.
  var asleepNs: UInt64 { get }
  /// Calls `body` once on the main actor, not earlier than `delayNs` from now.
  func schedule(afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void) -> any LinkTimer
}

extension LinkClock {
  /// A clock that knows of no sleep.
  package var asleepNs: UInt64 { 0 }
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

/// Notices that the machine slept, by the one clock that knows: a step of the wall clock, forward or
/// back, is none.
package struct SleepDetector: Sendable {
  /// Naps below this are not worth a doubt.
  package static let thresholdNs = Nanoseconds.seconds(5)
  private var lastNs: UInt64

  /// Starts from this reading of `LinkClock.asleepNs`.
  package init(asleepNs: UInt64) { lastNs = asleepNs }

  /// True when the machine slept for 5 s or longer since the last call.
  package mutating func slept(asleepNs: UInt64) -> Bool {
    defer { lastNs = asleepNs }
    return asleepNs.since(lastNs) >= Self.thresholdNs
  }
}

/// Detects that our wall clock was set, by comparing it with the monotonic clock. Sleep does not
/// count, and small drifts are reported once they add up to a second.
package struct ClockStepDetector: Sendable {
  package static let thresholdMs: Int64 = 1_000
  /// The wall clock against the steady one.
  private var offsetMs: Int64

  @MainActor package init(_ clock: any LinkClock) { offsetMs = Self.offset(clock) }

  /// How far forward the wall clock was set since the last reported step, in ms; nil if it was not.
  @MainActor package mutating func step(_ clock: any LinkClock) -> Int64? {
    let offset = Self.offset(clock)
    let stepMs = offset - offsetMs
    guard stepMs.magnitude >= UInt64(Self.thresholdMs) else { return nil }
    offsetMs = offset
    return stepMs
  }

  @MainActor private static func offset(_ clock: any LinkClock) -> Int64 {
    clock.wallMs - Int64((clock.nowNs &+ clock.asleepNs) / 1_000_000)
  }
}

extension ClockSkew {
  /// Our clock was set: the server's was not, so the difference changes by as much.
  package mutating func ownClockStepped(byMs stepMs: Int64) {
    guard let known = milliseconds else { return }
    let new = Int(clamping: Int64(known) - stepMs)
    milliseconds = Self.unmeasured.contains(new) ? 0 : new
  }
}
