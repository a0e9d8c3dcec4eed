import Synchronization

/// The output of a verb up to a limit; safe to call from any thread.
final class VerbCapture: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let whenFull: @Sendable () -> Void

  /// - Parameters:
  ///   - limit: maximum number of bytes kept.
  ///   - whenFull: called once when the limit is reached.
  init(limit: Int, whenFull: @escaping @Sendable () -> Void) {
    self.limit = limit
    self.whenFull = whenFull
  }

  func take(_ bytes: [UInt8]) {
    let isFull = state.withLock { state in
      guard !state.isClosed, state.bytes.count < limit else { return false }
      state.bytes += bytes.prefix(limit - state.bytes.count)
      return state.bytes.count == limit
    }
    if isFull { whenFull() }
  }

  /// The output so far; later output is dropped.
  func close() -> [UInt8] {
    state.withLock { state in
      defer { state = State(bytes: [], isClosed: true) }
      return state.bytes
    }
  }
}
