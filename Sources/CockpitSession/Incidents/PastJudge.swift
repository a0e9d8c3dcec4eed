import CockpitHistory
import CockpitRules
import Networking
import Synchronization

/// Has the recorded days of a bot judged aside, again and again, for a run without a screen.
@MainActor
package final class PastJudge {
  /// Reads the past until the closure says that it is to end.
  package typealias Reading =
    @MainActor (_ isCancelled: @escaping @Sendable () -> Bool) async -> Void

  /// Whether a reading on another thread is to end.
  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  private let clock: any LinkClock
  private let nowMs: @MainActor () -> Int64
  private let read: Reading
  private let end = End()
  private var timer: (any LinkTimer)?

  /// Rows of the start come first, in ms.
  private static let startMs: UInt64 = 10_000

  /// - Parameter nowMs: on the backend's clock, in ms since 1970.
  package init(
    _ clock: any LinkClock, nowMs: @escaping @MainActor () -> Int64, read: @escaping Reading
  ) {
    (self.clock, self.nowMs, self.read) = (clock, nowMs, read)
  }

  /// The days of a folder.
  package convenience init(
    folder: String, _ settings: RuleSettings, _ clock: any LinkClock,
    nowMs: @escaping @MainActor () -> Int64
  ) {
    self.init(clock, nowMs: nowMs) { isCancelled in
      let ms = nowMs()
      await OwnThread.run {
        _ = PastIncidents.read(folder, settings, nowMs: ms, isCancelled: isCancelled)
        PastIncidents.judgeOlder(folder, settings, nowMs: ms, isCancelled: isCancelled)
      }
    }
  }

  package func start() { schedule(afterMs: Self.startMs) }

  package func stop() {
    end.isReached.store(true, ordering: .relaxed)
    timer?.cancel()
  }

  private func schedule(afterMs ms: UInt64) {
    guard !end.isReached.load(ordering: .relaxed) else { return }
    timer = clock.schedule(afterNs: Nanoseconds.milliseconds(ms)) { [weak self] in
      guard let self else { return }
      Task { await self.judge() }
    }
  }

  private func judge() async {
    let end = end
    await read { end.isReached.load(ordering: .relaxed) }
    schedule(afterMs: UInt64(max(1000, PastIncidents.waitMs(nowMs: nowMs()))))
  }
}
