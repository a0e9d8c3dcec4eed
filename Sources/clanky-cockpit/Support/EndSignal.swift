import CTermSupport
import Dispatch
import Foundation

/// Waits for the signals that end a program, for commands that have to tidy up.
@MainActor
enum EndSignal {
  /// The number of the first of SIGINT, SIGTERM and SIGHUP that arrives. SIGHUP stays ignored where
  /// it was: that is what `nohup` asks for.
  static func first() async -> Int32 {
    await withCheckedContinuation { continuation in
      var sources: [any DispatchSourceSignal] = []
      var isDone = false
      for number in [SIGINT, SIGTERM, SIGHUP] {
        if number == SIGHUP, cterm_is_ignored(number) { continue }
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler {
          MainActor.assumeIsolated {
            guard !isDone else { return }
            isDone = true
            for source in sources { source.cancel() }
            sources = []
            continuation.resume(returning: number)
          }
        }
        source.activate()
        sources.append(source)
      }
    }
  }
}
