import CockpitDomain
import Networking

/// Makes a link check its clocks periodically, as a screen's ticks do. Nothing else detects that
/// the machine slept or that its clock was set.
@MainActor
package final class LinkTicker {
  private let source: any Source
  private let clock: any LinkClock
  private var timer: (any LinkTimer)?

  /// 3 s, as the screen has.
  private static let periodNs = Nanoseconds.seconds(3)

  package init(_ source: any Source, _ clock: any LinkClock) {
    self.source = source
    self.clock = clock
  }

  package func start() {
    timer = clock.schedule(afterNs: Self.periodNs) { [weak self] in
      self?.source.tick()
      self?.start()
    }
  }

  package func stop() {
    timer?.cancel()
    timer = nil
  }
}
