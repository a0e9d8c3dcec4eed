package import Networking

/// Answers requests from memory, after the call has returned, as a connection would.
@MainActor
package final class DeferredAnswers {
  private let clock: any LinkClock
  private var waiting: [Handle] = []

  package init(clock: any LinkClock) { self.clock = clock }

  private final class Handle: RestHandle {
    var timer: (any LinkTimer)?
    func cancel() { timer?.cancel() }
  }

  package func give(
    _ answer: Result<RestAnswer, RestFailure>,
    to completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    let handle = Handle()
    handle.timer = clock.schedule(afterNs: 0) { [weak self, weak handle] in
      self?.waiting.removeAll { $0 === handle }
      completion(answer)
    }
    waiting.append(handle)
    return handle
  }

  /// Cancels the answers that were not given yet.
  package func cancel() {
    for handle in waiting { handle.cancel() }
    waiting = []
  }
}
