import Dispatch
import Foundation

/// Lines from stdin as they are typed.
@MainActor
final class LinearInput {
  enum Event {
    case line(String)
    /// No line will come any more.
    case end
  }

  private var source: (any DispatchSourceRead)?
  private var buffer: [UInt8] = []
  private let onEvent: @MainActor (Event) -> Void

  /// Longer lines are cut: no query is ever this long.
  private static let limit = 64 << 10

  init(_ onEvent: @escaping @MainActor (Event) -> Void) { self.onEvent = onEvent }

  func start() {
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.readable() }
    }
    source.activate()
    self.source = source
  }

  func stop() {
    source?.cancel()
    source = nil
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
