import CTermSupport
import Dispatch
import Foundation

/// Signals as events on the main queue.
@MainActor
final class SignalPipe {
  private let source: any DispatchSourceRead

  /// Nil when there are no descriptors left.
  init?(onSignal: @escaping @MainActor (Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (reader, writer) = (ends[0], ends[1])
    source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(reader, &bytes, bytes.count)
        for byte in bytes.prefix(max(0, count)) { onSignal(Int32(byte)) }
      }
    }
    source.setCancelHandler {
      Foundation.close(reader)
      Foundation.close(writer)
    }
    source.activate()
    cterm_watch_signals(writer)
  }

  func close() {
    cterm_unwatch_signals()
    source.cancel()
  }
}
