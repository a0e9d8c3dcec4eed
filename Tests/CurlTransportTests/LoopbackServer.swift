import ClankySource
import CockpitDomain
import Networking
import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A server on 127.0.0.1, port chosen by the system, that does exactly what a test tells it: one thread
/// per connection, plain blocking sockets.
final class LoopbackServer: Sendable {
  let port: Int
  private let descriptor: Int32
  private let state = Mutex(State())

  private struct State {
    var requests: [String] = []
    var connections = 0
    var open: [Int32] = []
  }

  init(_ handler: @escaping @Sendable (Connection) -> Void) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> Int in
        guard bind(descriptor, raw, length) == 0, listen(descriptor, 64) == 0,
          getsockname(descriptor, raw, &length) == 0
        else { return 0 }
        return 1
      }
    }
    guard port == 1 else { throw POSIXError(.EADDRNOTAVAIL) }
    self.port = Int(UInt16(bigEndian: address.sin_port))
    self.descriptor = descriptor
    Thread.detachNewThread { [self] in
      while true {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else {
          close(descriptor)
          return
        }
        var yes: Int32 = 1
        setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(4))
        state.withLock {
          $0.connections += 1
          $0.open.append(accepted)
        }
        Thread.detachNewThread {
          handler(Connection(descriptor: accepted, server: self))
          self.state.withLock { state in state.open.removeAll { $0 == accepted } }
          close(accepted)
        }
      }
    }
  }

  /// Ends listening and breaks all connections; handlers waiting for bytes return.
  ///
  /// The thread that accepts closes the descriptor. Closed here, its number could belong to the
  /// next server before that thread calls `accept` again, and it would take a connection of that one.
  func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    state.withLock { for open in $0.open { shutdown(open, Int32(SHUT_RDWR)) } }
  }

  var requests: [String] { state.withLock { $0.requests } }
  var connections: Int { state.withLock { $0.connections } }

  func base() throws -> BackendURL { try BackendURL("http://127.0.0.1:\(port)") }

  struct Connection: Sendable {
    let descriptor: Int32
    let server: LoopbackServer

    /// Head and body of the next request; nil if the client is gone.
    func readRequest() -> String? {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        bytes += buffer[..<count]
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { continue }
        let head = text[..<end.lowerBound].lowercased()
        var wanted = 0
        for line in head.components(separatedBy: "\r\n") where line.hasPrefix("content-length:") {
          wanted = Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces)) ?? 0
        }
        if text[end.upperBound...].utf8.count >= wanted {
          server.state.withLock { $0.requests.append(text) }
          return text
        }
      }
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// A whole answer with Content-Length.
    func answer(
      _ status: String, _ body: String = "", type: String = "application/json",
      headers: [String] = []
    ) {
      let lines =
        ["HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)"]
        + headers
      send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    func startStream() {
      send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    }

    @discardableResult
    func chunk(_ bytes: [UInt8]) -> Bool {
      send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A])
    }

    func endChunks() { send("0\r\n\r\n") }

    /// Blocks until the client closes.
    func waitForClose() {
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) > 0 {}
    }
  }
}

/// Collects what a transfer delivers.
@MainActor
final class Probe: TransportDelegate {
  private(set) var head: HTTPHead?
  private(set) var body: [UInt8] = []
  private(set) var chunks = 0
  private(set) var end: TransportEnd?
  var onHead: (() -> Void)?
  var onBytes: (() -> Void)?
  private var waiters: [CheckedContinuation<TransportEnd, Never>] = []
  private var byteWaiters: [(count: Int, CheckedContinuation<Void, Never>)] = []

  func transfer(_ task: any TransportTask, received head: HTTPHead) {
    self.head = head
    onHead?()
  }

  func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
    body += bytes
    chunks += 1
    onBytes?()
    let ready = byteWaiters.filter { $0.count <= body.count }
    byteWaiters.removeAll { $0.count <= body.count }
    for waiter in ready { waiter.1.resume() }
  }

  func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    self.end = end
    for waiter in waiters { waiter.resume(returning: end) }
    waiters = []
  }

  func ended() async -> TransportEnd {
    if let end { return end }
    return await withCheckedContinuation { waiters.append($0) }
  }

  func bytes(_ count: Int) async {
    if body.count >= count { return }
    await withCheckedContinuation { byteWaiters.append((count, $0)) }
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}

extension HTTPRequest {
  static func rest(
    _ base: BackendURL, _ path: [String] = ["api", "health"], method: HTTPMethod = .get,
    body: [UInt8]? = nil, headersMs: Int = 5_000, maxBodyBytes: Int = defaultMaxBodyBytes
  ) throws -> HTTPRequest {
    HTTPRequest(
      method: method, base: base, target: RequestTarget(path), purpose: .rest,
      token: try TokenText("lantern-sesame"), body: body,
      timeouts: HTTPTimeouts(headersMs: headersMs, totalMs: 20_000), maxBodyBytes: maxBodyBytes)
  }

  static func stream(_ base: BackendURL) throws -> HTTPRequest {
    HTTPRequest(
      base: base, target: RequestTarget(SourceChannel.activity.path), purpose: .stream,
      token: try TokenText("lantern-sesame"), maxBodyBytes: .max)
  }
}
