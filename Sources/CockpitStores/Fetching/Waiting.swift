package import Networking
import Observation

/// Waits until a condition on observable stores holds.
@MainActor
package func waitUntil(_ condition: @escaping @MainActor () -> Bool) async {
  while !condition() {
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = condition()
      } onChange: {
        // It is about to change: what it changes to is seen in the next round.
        Task { @MainActor in continuation.resume() }
      }
    }
  }
}

/// Waits until a condition on observable stores holds, or until the time is up.
///
/// - Parameter limitNs: how long to wait at most, in ns.
@MainActor
package func waitUntil(
  atMostNs limitNs: UInt64, on clock: any LinkClock, _ condition: @escaping @MainActor () -> Bool
) async {
  let isOver = ObservableFlag()
  let timer = clock.schedule(afterNs: limitNs) { isOver.set() }
  await waitUntil { isOver.isSet || condition() }
  timer.cancel()
}

/// A callback as something to wait for.
@MainActor
@Observable
package final class ObservableFlag {
  package private(set) var isSet = false

  package init() {}

  package func set() { isSet = true }
}
