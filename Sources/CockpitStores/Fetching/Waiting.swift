package import Networking
import Observation

/// A continuation that is resumed by the first caller only.
@MainActor
private final class Once<Value: Sendable> {
  var continuation: CheckedContinuation<Value, Never>?

  func resume(_ value: Value) {
    continuation?.resume(returning: value)
    continuation = nil
  }
}

/// Waits for a callback. The first call counts; cancelling the task ends the wait too.
///
/// - Parameters:
///   - cancelled: the result after a cancellation.
///   - begin: starts the work that calls back.
@MainActor
package func awaitCallback<Value: Sendable>(
  ifCancelled cancelled: Value,
  _ begin: @MainActor (_ done: @escaping @MainActor (Value) -> Void) -> Void
) async -> Value {
  let once = Once<Value>()
  return await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      once.continuation = continuation
      guard !Task.isCancelled else { return once.resume(cancelled) }
      begin { once.resume($0) }
    }
  } onCancel: {
    Task { @MainActor in once.resume(cancelled) }
  }
}

/// Waits for a callback without a value.
@MainActor
package func awaitCallback(
  _ begin: @MainActor (_ done: @escaping @MainActor () -> Void) -> Void
) async {
  await awaitCallback(ifCancelled: ()) { done in begin { done(()) } }
}

/// Waits until a condition on observable stores holds, or the task is cancelled.
@MainActor
package func waitUntil(_ condition: @escaping @MainActor () -> Bool) async {
  while !Task.isCancelled, !condition() {
    await awaitCallback { done in
      let holds = withObservationTracking(condition) {
        // The callback precedes the change; the next round sees the new value.
        Task { @MainActor in done() }
      }
      // With an executor preference the task suspends before this; the change may have happened meanwhile.
      if holds { done() }
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
