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
    Thread.detachNewThread { [self] in accept() }
  }

  /// The heads of requests so far, as sent.
  var requests: [String] { lock.withLock { heads } }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func accept() {
    while true {
      #if canImport(Darwin)
        let descriptor = Darwin.accept(listener, nil, nil)
      #else
        let descriptor = Glibc.accept(listener, nil, nil)
      #endif
      guard descriptor >= 0 else { return }
      Thread.detachNewThread { [self] in serve(descriptor) }
    }
  }

  private func serve(_ client: Int32) {
    defer { close(client) }
    var head = ""
    var byte: UInt8 = 0
    while !head.hasSuffix("\r\n\r\n") {
      guard read(client, &byte, 1) == 1 else { return }
      head.unicodeScalars.append(Unicode.Scalar(byte))
    }
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
    guard let far = try? LoopbackSocket.connected(to: target) else { return }
    let bytes = Array(head.utf8)
    _ = LoopbackSocket.send(bytes, bytes.count, to: far)
    let isBack = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Self.pass(from: far, to: client)
      isBack.signal()
    }
    Self.pass(from: client, to: far)
    isBack.wait()
    close(far)
  }

  private static func pass(from source: Int32, to destination: Int32) {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(source, &chunk, chunk.count)
      guard count > 0, LoopbackSocket.send(chunk, count, to: destination) == count else { break }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(destination, Int32(SHUT_RDWR))
  }
}
