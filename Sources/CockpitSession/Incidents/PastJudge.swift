import CockpitHistory
import CockpitRules
import Networking
import Synchronization

/// Reads the recorded weeks of a bot and judges their days on another thread, again every hour and after each UTC day.
@MainActor
package final class PastJudge {
  /// Reads the recording. The closure tells whether to stop early.
  package typealias Reading =
    @MainActor (_ isCancelled: @escaping @Sendable () -> Bool) async -> Void

  /// Tells the reading thread to stop.
  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  private let clock: any LinkClock
  private let nowMs: @MainActor () -> Int64
  private let read: Reading
  private let end = End()
  private let startMs: UInt64
  private let mostMs: Int64
  private var timer: (any LinkTimer)?

  /// - Parameters:
  ///   - startMs: delay of the first reading, in ms, so that the rows of the start come first.
  ///   - mostMs: the longest time between two readings, in ms; an hour at most.
  ///   - nowMs: the backend's clock, in ms since 1970.
  package init(
    _ clock: any LinkClock, startMs: UInt64 = 10_000, mostMs: Int64 = .max,
    nowMs: @escaping @MainActor () -> Int64,
    read: @escaping Reading
  ) {
    (self.clock, self.startMs, self.mostMs) = (clock, startMs, mostMs)
    (self.nowMs, self.read) = (nowMs, read)
  }

  /// So often rules judge for sinks, in ms.
  private static let sinkMs: Int64 = 600_000

  /// Judges the days of a folder.
  ///
  /// - Parameter hasSinks: whether what rules find is kept for sinks, and looked for every ten minutes.
  package convenience init(
    folder: String, _ settings: RuleSettings, hasSinks: Bool = false, _ clock: any LinkClock,
    nowMs: @escaping @MainActor () -> Int64
  ) {
    self.init(clock, mostMs: hasSinks ? Self.sinkMs : .max, nowMs: nowMs) { isCancelled in
      let ms = nowMs()
      await OwnThread.run {
        let past = PastIncidents.read(folder, settings, nowMs: ms, isCancelled: isCancelled)
        if hasSinks { past?.note(in: folder) }
        PastIncidents.judgeOlder(folder, settings, nowMs: ms, isCancelled: isCancelled)
      }
    }
  }

  package func start() { schedule(afterMs: startMs) }

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
    schedule(afterMs: UInt64(max(1000, min(mostMs, PastIncidents.waitMs(nowMs: nowMs())))))
  }
}
