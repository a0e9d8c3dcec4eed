import CTermSupport
import Foundation
internal import MainLoop

/// Delivers signals as events of the main loop.
@MainActor
final class SignalPipe {
  private let watch: any DescriptorWatch
  private let ends: (reader: Int32, writer: Int32)

  /// nil if no descriptors are left.
  init?(loop: any EventLoop, onSignal: @escaping @MainActor (Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let (reader, writer) = (ends[0], ends[1])
    self.ends = (reader, writer)
    watch = loop.watch(reader) { _ in
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(reader, &bytes, bytes.count)
      for byte in bytes.prefix(max(0, count)) { onSignal(Int32(byte)) }
    }
    watch.wanted = .reading
    cterm_watch_signals(writer)
  }

  func close() {
    cterm_unwatch_signals()
    let ends = ends
    watch.cancel {
      Foundation.close(ends.reader)
      Foundation.close(ends.writer)
    }
  }
}
