import MainLoop
import Synchronization

/// The lifetime of a verb inside a running cockpit: interruption requests, and cleanup at its end.
/// A run that owns its process needs none: signals interrupt it, and the kernel cleans up.
@MainActor
package final class RunScope {
  /// The events of the main thread, which belong to the cockpit.
  package let loop: any EventLoop
  private let over = Mutex(false)
  private var waiters: [CheckedContinuation<Int32?, Never>] = []
  private var ends: [@MainActor () -> Void] = []
  /// Sets a new time limit for the run, in s from now; set by whoever limits it.
  package var extend: (@MainActor (_ seconds: Int) -> Void)?

  package init(loop: any EventLoop) { self.loop = loop }

  /// Whether the run has ended; work on other threads polls it.
  package nonisolated var isOver: Bool { over.withLock { $0 } }

  /// Runs `body` when the run ends, or at once if it has ended. Handlers run in reverse order.
  package func onEnd(_ body: @escaping @MainActor () -> Void) {
    if isOver { body() } else { ends.append(body) }
  }

  /// Waits until the run is asked to stop.
  ///
  /// - Returns: the number of the equivalent signal; nil if the run ended otherwise.
  package func interruption() async -> Int32? {
    await withCheckedContinuation { continuation in
      // The task may have been suspended before this.
      if isOver { continuation.resume(returning: nil) } else { waiters.append(continuation) }
    }
  }

  /// Asks the run to stop.
  ///
  /// - Returns: false if nothing waits for an interruption; then the caller need not wait either.
  package func interrupt(_ number: Int32) -> Bool {
    guard !waiters.isEmpty else { return false }
    resumeWaiters(number)
    return true
  }

  /// Ends the run and runs the cleanup handlers.
  package func end() {
    let isFirst = over.withLock { over in
      defer { over = true }
      return !over
    }
    guard isFirst else { return }
    resumeWaiters(nil)
    let ends = ends
    self.ends = []
    extend = nil
    for end in ends.reversed() { end() }
  }

  private func resumeWaiters(_ number: Int32?) {
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume(returning: number) }
  }
}

extension Environment {
  /// Waits until a signal or the surrounding cockpit asks the run to stop.
  ///
  /// - Returns: the signal number; nil if the run ended otherwise.
  @MainActor package func interruption() async -> Int32? {
    guard let scope else { return await EndSignal.first() }
    return await scope.interruption()
  }

  /// Asks for more time than a verb has beside a screen. A run that owns its process has no limit.
  @MainActor package func needs(seconds: Int) { scope?.extend?(seconds) }

  /// Whether the run has ended while the process continues.
  package var isOver: Bool { scope?.isOver ?? false }
}
