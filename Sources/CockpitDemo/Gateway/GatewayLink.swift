import Foundation
import Synchronization

/// The queue between the gateway's world and one socket.
final class GatewayLink: Sendable {
  /// What the writer does next.
  enum Item: Sendable {
    case bytes(Data)
    /// Write this, then end.
    case last(Data)
    /// End without a word.
    case cut
  }

  private struct State {
    var queue: [Item] = []
    var bytes = 0
    var closed = false
    var isReadingPaused = false
    var limit: Int
    var waiter: CheckedContinuation<[Item], Never>?
  }

  private let state: Mutex<State>

  init(firstLimit: Int) {
    state = Mutex(State(limit: firstLimit))
  }

  /// Bytes accepted but not yet passed to the socket.
  var pendingBytes: Int { state.withLock { $0.bytes } }
  /// Whether nothing is sent any more.
  var isClosed: Bool { state.withLock { $0.closed } }

  /// Bytes that a message of the client may have.
  var limit: Int {
    get { state.withLock { $0.limit } }
    set { state.withLock { $0.limit = newValue } }
  }

  /// Whether the gateway reads nothing of this client for now.
  var isReadingPaused: Bool {
    get { state.withLock { $0.isReadingPaused } }
    set { state.withLock { $0.isReadingPaused = newValue } }
  }

  func send(_ data: Data) { add(.bytes(data), ends: false) }

  /// Sends a close, after what waits already; later frames are dropped.
  func close(_ code: UInt16?, _ reason: String = "") {
    add(.last(ServerFrame.close(code, reason)), ends: true)
  }

  /// Sends these bytes and ends without a close.
  func end(after data: Data) { add(.last(data), ends: true) }

  /// Ends the connection; what waits is dropped.
  func cut() {
    state.withLock { state in
      state.closed = true
      state.queue = [.cut]
      state.bytes = 0
      Self.hand(&state)
    }
  }

  private func add(_ item: Item, ends: Bool) {
    state.withLock { state in
      if state.closed { return }
      state.closed = ends
      state.queue.append(item)
      if case .bytes(let data) = item { state.bytes += data.count }
      Self.hand(&state)
    }
  }

  private static func hand(_ state: inout State) {
    guard let waiter = state.waiter else { return }
    state.waiter = nil
    let queue = state.queue
    state.queue = []
    waiter.resume(returning: queue)
  }

  /// The writer has passed on so many bytes.
  func wrote(_ count: Int) { state.withLock { $0.bytes = max(0, $0.bytes - count) } }

  /// Waits for something to write. Only one caller at a time.
  func next() async -> [Item] {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          if state.queue.isEmpty {
            if state.closed { return continuation.resume(returning: [.cut]) }
            state.waiter = continuation
          } else {
            let queue = state.queue
            state.queue = []
            continuation.resume(returning: queue)
          }
        }
      }
    } onCancel: {
      cut()
    }
  }
}
