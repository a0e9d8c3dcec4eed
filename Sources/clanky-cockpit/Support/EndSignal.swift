import CTermSupport
import Dispatch
import Foundation

/// Catches the signals that end a program, from its making on, for commands that have to tidy up.
@MainActor
final class EndSignal {
  private var sources: [any DispatchSourceSignal] = []
  private var caught: Int32?
  private var waiter: CheckedContinuation<Int32, Never>?

  /// From here on SIGINT, SIGTERM and SIGHUP end nothing by themselves. SIGHUP stays ignored where
  /// it was: that is what `nohup` asks for.
  init() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      if number == SIGHUP, cterm_is_ignored(number) { continue }
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { [weak self] in
        MainActor.assumeIsolated { self?.take(number) }
      }
      source.activate()
      sources.append(source)
    }
  }

  private func take(_ number: Int32) {
    guard caught == nil else { return }
    caught = number
    for source in sources { source.cancel() }
    waiter?.resume(returning: number)
    waiter = nil
  }

  /// The number of the first of them, which may have come already; to be asked once.
  func first() async -> Int32 {
    if let caught { return caught }
    return await withCheckedContinuation { waiter = $0 }
  }

  /// Waits for the first of them that comes from now on.
  static func first() async -> Int32 { await EndSignal().first() }
}
