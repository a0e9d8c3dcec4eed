import Foundation

/// An HTTP proxy on 127.0.0.1 that takes CONNECT for any name and leads to one port of this machine.
///
/// `@unchecked Sendable`: what changes is in `heads` and `clients`, behind `lock`; the rest never changes.
final class TunnelProxy: @unchecked Sendable {
  enum Manner: Sendable {
    /// Lets through who shows this `Proxy-Authorization`, or everybody.
    case open(credentials: String?)
    /// Says that the way is open and closes it.
    case closing
  }

  let port: UInt16
  private let listener: Int32
  private let target: UInt16
  private let manner: Manner
  private let lock = NSLock()
  private var heads: [String] = []
  private var clients: Set<Int32> = []

  init(to target: UInt16, _ manner: Manner = .open(credentials: nil)) throws {
    self.target = target
    self.manner = manner
    (listener, port) = try LoopbackSocket.listen()
    LoopbackSocket.accept(on: listener) { [self] in serve($0) }
  }

  /// The requests so far, as sent.
  var requests: [String] { lock.withLock { heads } }

  func stop() { LoopbackSocket.stop(listener) }

  /// Nobody is let in any more, and whoever is inside is thrown out.
  func drop() {
    stop()
    lock.withLock { for client in clients { shutdown(client, Int32(SHUT_RDWR)) } }
  }

  private func serve(_ client: Int32) {
    lock.withLock { _ = clients.insert(client) }
    defer {
      lock.withLock { _ = clients.remove(client) }
      close(client)
    }
    guard let head = LoopbackSocket.head(from: client) else { return }
    lock.withLock { heads.append(head) }
    if case .open(let wanted?) = manner, !head.contains("Proxy-Authorization: \(wanted)\r\n") {
      return say("407 Proxy Authentication Required\r\nContent-Length: 0", to: client)
    }
    say("200 Connection established", to: client)
    if case .closing = manner { return }
    LoopbackSocket.relay(client, to: target)
  }

  private func say(_ line: String, to client: Int32) {
    let bytes = Array("HTTP/1.1 \(line)\r\n\r\n".utf8)
    _ = LoopbackSocket.send(bytes, bytes.count, to: client)
  }
}
