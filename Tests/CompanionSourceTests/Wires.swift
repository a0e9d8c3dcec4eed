import LenientJSON
import Networking

/// Sockets and time that a test moves.
@MainActor
final class Wires: WebSocketTransport, LinkClock {
  final class Socket: WebSocketConnection {
    var sent: [JSONValue] = []
    var closed: Int?
    var isCancelled = false

    func send(_ text: [UInt8]) { sent.append((try? JSONValue.parse(text)) ?? .null) }
    func close(code: Int, reason: String) { closed = code }
    func cancel() { isCancelled = true }
  }

  private final class Timer: LinkTimer {
    var body: (@MainActor () -> Void)?
    let dueNs: UInt64

    init(_ dueNs: UInt64, _ body: @escaping @MainActor () -> Void) {
      (self.dueNs, self.body) = (dueNs, body)
    }

    func cancel() { body = nil }
  }

  var sockets: [Socket] = []
  var delegate: (any WebSocketDelegate)?
  var nowNs: UInt64 = 1_000_000_000
  var wallMs: Int64 = 1_790_000_000_000
  var asleepNs: UInt64 = 0
  private var timers: [Timer] = []

  func connect(
    _ request: WebSocketRequest, delegate: any WebSocketDelegate
  ) -> any WebSocketConnection {
    self.delegate = delegate
    let socket = Socket()
    sockets.append(socket)
    return socket
  }

  func schedule(afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void) -> any LinkTimer {
    let timer = Timer(nowNs + delayNs, body)
    timers.append(timer)
    return timer
  }

  /// Whether anything is waited for.
  var isWaiting: Bool { timers.contains { $0.body != nil } }

  func pass(seconds: UInt64) {
    let end = nowNs + seconds * 1_000_000_000
    timers.removeAll { $0.body == nil }
    while let next = timers.filter({ $0.body != nil && $0.dueNs <= end }).min(by: {
      $0.dueNs < $1.dueNs
    }) {
      nowNs = max(nowNs, next.dueNs)
      let body = next.body
      next.cancel()
      body?()
    }
    nowNs = end
  }

  func say(_ text: String, on index: Int) {
    delegate?.socket(sockets[index], received: Array(text.utf8))
  }
}
