import CockpitSession
import CockpitStores
import MainLoop
import Synchronization

/// Whether a reading on another thread is to end.
final class PastReading: Sendable {
  private let isOver = Atomic(false)
  var isCancelled: Bool { isOver.load(ordering: .relaxed) }
  func cancel() { isOver.store(true, ordering: .relaxed) }
}

extension CockpitApp {
  /// Starts reading the recorded weeks on another thread, and again every hour and when a UTC day has ended.
  func readPast() {
    stopReadingPast()
    let (reading, model) = (PastReading(), model)
    pastReading = reading
    Task { [weak self] in
      await model.readPast { reading.isCancelled }
      guard !reading.isCancelled, let self else { return }
      let waitMs = PastIncidents.waitMs(nowMs: model.bot.serverNowMs)
      let nextNs = model.nowNs + UInt64(waitMs) * 1_000_000
      pastReader.set(dueNs: nextNs, leewayNs: 60_000_000_000)
    }
  }

  func stopReadingPast() {
    pastReading?.cancel()
    pastReading = nil
    pastReader.unset()
  }
}
