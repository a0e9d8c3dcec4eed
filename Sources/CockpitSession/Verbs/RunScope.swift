import MainLoop
import Synchronization

/// The life of a verb that runs inside a running cockpit: what asks it to end, and what it has to let
/// go of when it is over. A run with a process of its own needs none: signals ask it to end, and the
/// kernel lets go.
@MainActor
package final class RunScope {
  /// The events of the main thread, which belong to the cockpit.
  package let loop: any EventLoop
  private let over = Mutex(false)
  private var waiters: [CheckedContinuation<Int32?, Never>] = []
  private var ends: [@MainActor () -> Void] = []

  package init(loop: any EventLoop) { self.loop = loop }

  /// Whether the run has ended; work on another thread looks at it now and then.
  package nonisolated var isOver: Bool { over.withLock { $0 } }

  /// Does this when the run is over, at once when it is already. What came last is done first.
  package func onEnd(_ body: @escaping @MainActor () -> Void) {
    if isOver { body() } else { ends.append(body) }
  }

  /// Waits until the run is asked to end.
  ///
  /// - Returns: the number of the signal that would ask a process; nil when the run ended otherwise.
  package func interruption() async -> Int32? {
    guard !isOver else { return nil }
    return await withCheckedContinuation { waiters.append($0) }
  }

  /// Asks the run to end.
  ///
  /// - Returns: false when nothing waits for that: it need not be waited for then.
  package func interrupt(_ number: Int32) -> Bool {
    guard !waiters.isEmpty else { return false }
    resumeWaiters(number)
    return true
  }

  /// The run is over: lets go of everything.
  package func end() {
    let isFirst = over.withLock { over in
      defer { over = true }
      return !over
    }
    guard isFirst else { return }
    resumeWaiters(nil)
    let ends = ends
    self.ends = []
    for end in ends.reversed() { end() }
  }

  private func resumeWaiters(_ number: Int32?) {
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume(returning: number) }
  }
}

extension Environment {
  /// Waits until the run is asked to end: by a signal, or by the cockpit that runs it.
  ///
  /// - Returns: the number of the signal; nil when the run ended otherwise.
  @MainActor package func interruption() async -> Int32? {
    guard let scope else { return await EndSignal.first() }
    return await scope.interruption()
  }

  /// Whether the run has ended while the process goes on.
  package var isOver: Bool { scope?.isOver ?? false }
}
