import CTermSupport
import Foundation

/// Catches the signals that end a program, from its making on, for commands that have to tidy up.
@MainActor
package final class EndSignal {
  private var signals: CaughtSignals?
  private var caught: Int32?
  private var waiter: CheckedContinuation<Int32, Never>?

  /// From here on SIGINT, SIGTERM and SIGHUP no longer end the process. SIGHUP stays ignored if it
  /// was, as `nohup` requires.
  package init() {
    let numbers = [SIGINT, SIGTERM, SIGHUP].filter { $0 != SIGHUP || !cterm_is_ignored($0) }
    signals = CaughtSignals(numbers) { [weak self] number in self?.take(number) }
  }

  private func take(_ number: Int32) {
    guard caught == nil else { return }
    caught = number
    // Cleanup may hang on a blocked operation, and a second signal would not end it.
    alarm(2)
    waiter?.resume(returning: number)
    waiter = nil
  }

  /// The number of the first signal, which may have arrived already; call once.
  package func first() async -> Int32 {
    await withCheckedContinuation { continuation in
      // The task may have been suspended before this.
      if let caught { continuation.resume(returning: caught) } else { waiter = continuation }
    }
  }

  /// Waits for the first of them that comes from now on.
  package static func first() async -> Int32 { await EndSignal().first() }
}
