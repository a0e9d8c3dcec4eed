import Networking
import Dispatch
package import MainLoop

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Real time on the main queue.
///
/// All timers share one loop timer, set to the earliest of them: on Dispatch a separate source per
/// timer would wake the manager thread three times each, and an idle cockpit must hardly ever wake.
@MainActor
package final class DispatchClock: LinkClock {
  private let loop: any EventLoop
  private lazy var source = loop.makeTimer { [weak self] in self?.fire() }
  /// Earliest first.
  private var timers: [Timer] = []
  /// The time the loop timer is set to; nil if it is not set.
  private var armedNs: UInt64?

  package init(loop: any EventLoop = DispatchLoop()) { self.loop = loop }

  /// Uptime of the monotonic clock.
  package var nowNs: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// `CLOCK_REALTIME`.
  package var wallMs: Int64 {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The difference between the clock that counts sleep and the one that does not.
  package var asleepNs: UInt64 {
    #if canImport(Darwin)
      let all = clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)
      let awake = clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
    #else
      let (awake, all) = (Self.read(CLOCK_MONOTONIC), Self.read(CLOCK_BOOTTIME))
    #endif
    return all.since(awake)
  }

  #if !canImport(Darwin)
    private static func read(_ clock: clockid_t) -> UInt64 {
      var time = timespec()
      guard clock_gettime(clock, &time) == 0 else { return 0 }
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
  #endif

  /// A one-shot timer on the main queue.
  package func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer {
    // A century is far enough and does not overflow the deadline.
    let timer = Timer(dueNs: nowNs + min(delayNs, 3_155_760_000_000_000_000), body, clock: self)
    timers.insert(timer, at: timers.partition(before: timer.dueNs))
    arm()
    return timer
  }

  /// Calls off everything that is scheduled.
  package func cancelAll() {
    for timer in timers { timer.cancel() }
  }

  fileprivate func remove(_ timer: Timer) {
    var index = timers.partition(before: timer.dueNs)
    while index > 0, timers[index - 1].dueNs == timer.dueNs {
      index -= 1
      if timers[index] === timer {
        timers.remove(at: index)
        if index == 0 { rearm() }
        return
      }
    }
  }

  private func arm() {
    guard let due = timers.first?.dueNs, armedNs.map({ due < $0 }) ?? true else { return }
    armedNs = due
    source.set(dueNs: due, leewayNs: 1_000_000)
  }

  /// The earliest timer was cancelled: do not wake for it.
  private func rearm() {
    armedNs = nil
    if timers.isEmpty { source.unset() } else { arm() }
  }

  private func fire() {
    armedNs = nil
    let now = nowNs
    while let first = timers.first, first.dueNs <= now {
      timers.removeFirst()
      first.fire()
    }
    arm()
  }

  @MainActor
  fileprivate final class Timer: LinkTimer {
    let dueNs: UInt64
    private var body: (@MainActor () -> Void)?
    private weak var clock: DispatchClock?

    init(dueNs: UInt64, _ body: @escaping @MainActor () -> Void, clock: DispatchClock) {
      self.dueNs = dueNs
      self.body = body
      self.clock = clock
    }

    func cancel() {
      guard body != nil else { return }
      body = nil
      clock?.remove(self)
    }

    func fire() {
      let body = body
      self.body = nil
      body?()
    }
  }
}

extension [DispatchClock.Timer] {
  /// The index after the last timer that is due no later than `time`.
  @MainActor fileprivate func partition(before time: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].dueNs <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
