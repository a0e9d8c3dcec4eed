import CTermSupport
import Dispatch
import Foundation

/// Delivers signals on the main queue. No signal after `init` is lost; Dispatch sources alone lose
/// those that arrive before their thread has registered (observed: 4 of 200 Ctrl-C at the first
/// prompt of `setup`).
@MainActor
package final class CaughtSignals {
  private let source: (any DispatchSourceRead)?
  private let numbers: [Int32]

  /// - Parameter take: receives each signal number. If no descriptors are left, no signal is caught
  ///   and each keeps its default action.
  package init(_ numbers: [Int32], take: @escaping @MainActor (Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard !numbers.isEmpty, pipe(&ends) == 0 else {
      source = nil
      self.numbers = []
      return
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (reader, writer) = (ends[0], ends[1])
    let source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: .main)
    source.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(reader, &bytes, bytes.count)
      MainActor.assumeIsolated {
        for byte in bytes.prefix(max(0, count)) { take(Int32(byte)) }
      }
    }
    // The writing end stays open: a handler may be under way in another thread.
    source.setCancelHandler { _ = Foundation.close(reader) }
    source.activate()
    self.source = source
    self.numbers = numbers
    for number in numbers { cterm_catch_signal(number, writer) }
  }

  /// The signals end the program again.
  package func close() {
    for number in numbers { signal(number, SIG_DFL) }
    source?.cancel()
  }
}
