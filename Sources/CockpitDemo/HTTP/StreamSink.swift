import Foundation
import Synchronization

/// The queue between the broadcaster and one event-stream connection.
///
/// The backend buffers for a slow reader without limit (contract 2.7). This one stops at
/// `capacity` bytes and cuts the connection instead: a forgotten reader must not eat the memory of
/// the machine the cockpit runs on. It is the only deliberate difference.
final class StreamSink: Sendable {
  /// 256 MiB: hours of a normal stream, a minute of a flood.
  static let capacity = 256 << 20

  /// The next data for the writer.
  enum Batch: Sendable {
    case events([Data])
    case closed
  }

  private struct State {
    var queue: [Data] = []
    var bytes = 0
    var closed = false
    var waiter: CheckedContinuation<Batch, Never>?
    var cutAfter: Int?
  }

  private let state = Mutex(State())

  let id: Int
  let faults: StreamFaults

  init(id: Int, faults: StreamFaults) {
    self.id = id
    self.faults = faults
  }

  /// Bytes accepted but not yet passed to the socket.
  var pendingBytes: Int { state.withLock { $0.bytes } }

  /// Whether the stream has ended.
  var isClosed: Bool { state.withLock { $0.closed } }

  /// Queues one event; returns false once the stream is closed.
  @discardableResult
  func send(_ event: Data) -> Bool {
    state.withLock { state in
      if state.closed { return false }
      if let waiter = state.waiter {
        state.waiter = nil
        waiter.resume(returning: .events([event]))
        return true
      }
      if state.bytes + event.count > Self.capacity {
        Self.close(&state)
        return false
      }
      state.queue.append(event)
      state.bytes += event.count
      return true
    }
  }

  /// Asks for the connection to be cut `bytes` into the next event of this stream.
  func requestCut(after bytes: Int) {
    state.withLock { $0.cutAfter = bytes }
  }

  /// Takes a pending cut, if there is one, so that it happens once.
  func takeCut() -> Int? {
    let own = state.withLock { state in
      let cut = state.cutAfter
      state.cutAfter = nil
      return cut
    }
    return own ?? faults.takeCut()
  }

  /// Ends the stream; queued events are dropped.
  func close() {
    state.withLock { Self.close(&$0) }
  }

  /// Waits for events. Only one caller at a time.
  func next() async -> Batch {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          if state.closed {
            continuation.resume(returning: .closed)
          } else if !state.queue.isEmpty {
            let queue = state.queue
            state.queue = []
            state.bytes = 0
            continuation.resume(returning: .events(queue))
          } else {
            state.waiter = continuation
          }
        }
      }
    } onCancel: {
      close()
    }
  }

  private static func close(_ state: inout State) {
    state.closed = true
    state.queue = []
    state.bytes = 0
    state.waiter?.resume(returning: .closed)
    state.waiter = nil
  }
}

/// Switches that disturb how the bytes of a stream reach the wire.
final class StreamFaults: Sendable {
  struct Setting: Sendable {
    /// Send headers, then nothing.
    var stalled = false
    /// Send in small pieces that split characters and lines.
    var drip = false
    /// Cut the connection this many bytes into the next event.
    var cutAfter: Int?
  }

  private let setting = Mutex(Setting())

  var current: Setting { setting.withLock { $0 } }

  func update(_ body: (inout Setting) -> Void) {
    setting.withLock { body(&$0) }
  }

  /// Takes a pending cut, if there is one, so that it happens once.
  func takeCut() -> Int? {
    setting.withLock { setting in
      let cut = setting.cutAfter
      setting.cutAfter = nil
      return cut
    }
  }
}
