import CTermSupport
import Foundation

/// Catches the signals that end a program, from its making on, for commands that have to tidy up.
@MainActor
package final class EndSignal {
  private var signals: CaughtSignals?
  private var caught: Int32?
  private var waiter: CheckedContinuation<Int32, Never>?

  /// From here on SIGINT, SIGTERM and SIGHUP end nothing by themselves. SIGHUP stays ignored where
  /// it was: that is what `nohup` asks for.
  package init() {
    let numbers = [SIGINT, SIGTERM, SIGHUP].filter { $0 != SIGHUP || !cterm_is_ignored($0) }
    signals = CaughtSignals(numbers) { [weak self] number in self?.take(number) }
  }

  private func take(_ number: Int32) {
    guard caught == nil else { return }
    caught = number
    // Tidying up may hang on what it waits for; another signal would not end it.
    alarm(2)
    waiter?.resume(returning: number)
    waiter = nil
  }

  /// The number of the first of them, which may have come already; to be asked once.
  package func first() async -> Int32 {
    if let caught { return caught }
    return await withCheckedContinuation { waiter = $0 }
  }

  /// Waits for the first of them that comes from now on.
  package static func first() async -> Int32 { await EndSignal().first() }
}
