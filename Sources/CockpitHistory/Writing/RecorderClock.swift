#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a recorder knows of time.
package struct RecorderClock: Sendable {
  /// Our clock, in ms since 1970. It may be set.
  package var nowMs: @Sendable () -> Int64
  /// Ms since some moment, sleep included. It is never set.
  package var steadyMs: @Sendable () -> Int64
  /// How long the machine has slept since it was started, in ms.
  package var asleepMs: @Sendable () -> Int64

  package init(
    nowMs: @escaping @Sendable () -> Int64, steadyMs: @escaping @Sendable () -> Int64,
    asleepMs: @escaping @Sendable () -> Int64
  ) {
    self.nowMs = nowMs
    self.steadyMs = steadyMs
    self.asleepMs = asleepMs
  }

  /// A clock that is never set, beside a machine that never sleeps: for tests with a clock of their own.
  package init(_ nowMs: @escaping @Sendable () -> Int64) {
    self.init(nowMs: nowMs, steadyMs: nowMs, asleepMs: { 0 })
  }

  /// The clocks of the system.
  package static let system = RecorderClock(
    nowMs: { ms(CLOCK_REALTIME) }, steadyMs: { boot() }, asleepMs: { max(0, boot() - awake()) })

  private static func ms(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func boot() -> Int64 {
    #if os(Linux)
      ms(CLOCK_BOOTTIME)
    #else
      ms(CLOCK_MONOTONIC)
    #endif
  }

  private static func awake() -> Int64 {
    #if os(Linux)
      ms(CLOCK_MONOTONIC)
    #else
      ms(CLOCK_UPTIME_RAW)
    #endif
  }
}

/// Notices that the machine slept, and that its clock was set.
struct ClockWatch {
  private let clock: RecorderClock
  private var asleepMs: Int64
  /// Our clock against the steady one.
  private var offsetMs: Int64

  /// Shorter naps and smaller steps are not worth a record.
  private static let sleepMs: Int64 = 5000
  private static let stepMs: Int64 = 1000

  init(_ clock: RecorderClock) {
    self.clock = clock
    asleepMs = clock.asleepMs()
    offsetMs = clock.nowMs() - clock.steadyMs()
  }

  /// What happened since the last call: how long the machine slept, and by how much the clock was set.
  mutating func check() -> (sleptMs: Int64?, stepMs: Int64?) {
    let asleep = clock.asleepMs()
    let slept = asleep - asleepMs
    asleepMs = asleep
    let offset = clock.nowMs() - clock.steadyMs()
    let step = offset - offsetMs
    if step.magnitude >= UInt64(Self.stepMs) { offsetMs = offset }
    return (
      slept >= Self.sleepMs ? slept : nil, step.magnitude >= UInt64(Self.stepMs) ? step : nil
    )
  }
}
