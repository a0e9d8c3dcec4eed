import Foundation

/// A proxy before a server of this machine that lets only requests with certain headers through, as Cloudflare Access
/// does. It looks at the first request of each connection.
///
/// `@unchecked Sendable`: what changes is in `heads`, behind `lock`; the rest never changes.
final class AccessProxy: @unchecked Sendable {
  let port: UInt16
  private let listener: Int32
  private let target: UInt16
  private let wanted: [String]
  private let lock = NSLock()
  private var heads: [String] = []

  /// - Parameter wanted: whole lines, such as `CF-Access-Client-Id: abc`.
  init(to target: UInt16, wanting wanted: [String]) throws {
    self.target = target
    self.wanted = wanted
    (listener, port) = try LoopbackSocket.listen()
    LoopbackSocket.accept(on: listener) { [self] in serve($0) }
  }

  /// The heads of requests so far, as sent.
  var requests: [String] { lock.withLock { heads } }

  func stop() { LoopbackSocket.stop(listener) }

  private func serve(_ client: Int32) {
    defer { close(client) }
    guard let head = LoopbackSocket.head(from: client) else { return }
    lock.withLock { heads.append(head) }
    guard wanted.allSatisfy({ head.contains("\r\n\($0)\r\n") }) else {
      // It repeats what it was sent, as some do.
      let body =
        "{\"error\":{\"message\":\"no access with \(head.split(separator: "\r\n").last ?? "")\"}}"
      let bytes = Array(
        "HTTP/1.1 403 Forbidden\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
          .utf8)
      _ = LoopbackSocket.send(bytes, bytes.count, to: client)
      return
    }
    LoopbackSocket.relay(client, to: target, first: Array(head.utf8))
  }
}
