import Foundation
import MainLoop

/// Lines from stdin as they are typed.
@MainActor
package final class LinearInput {
  package enum Event {
    case line(String)
    /// No line will come any more.
    case end
  }

  private let loop: any EventLoop
  private var watch: (any DescriptorWatch)?
  private var buffer: [UInt8] = []
  private let onEvent: @MainActor (Event) -> Void

  /// Longer lines are cut: no query is ever this long.
  private static let limit = 64 << 10

  package init(loop: any EventLoop, _ onEvent: @escaping @MainActor (Event) -> Void) {
    self.loop = loop
    self.onEvent = onEvent
  }

  package func start() {
    let watch = loop.watch(STDIN_FILENO) { [weak self] _ in self?.readable() }
    watch.wanted = .reading
    self.watch = watch
  }

  package func stop() {
    watch?.cancel()
    watch = nil
  }

  private func readable() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      stop()
      return onEvent(.end)
    }
    for byte in bytes[..<count] {
      if byte == UInt8(ascii: "\n") {
        let line = String(decoding: buffer, as: UTF8.self)
        buffer = []
        onEvent(.line(line))
      } else if buffer.count < Self.limit {
        buffer.append(byte)
      }
    }
  }
}
