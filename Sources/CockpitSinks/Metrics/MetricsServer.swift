internal import Foundation
internal import Networking
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Serves `GET /metrics` on a loopback address: one connection at a time, with a limit for what it sends and how long it
/// takes, on a thread of its own. Nothing else is answered.
package final class MetricsServer: Sendable {
  private let descriptor: Int32
  private let isStopping = Atomic(false)
  private let page: @Sendable () -> String

  /// The port it listens on.
  package let port: Int

  /// A longer request is no scrape.
  private static let maxRequestBytes = 8 << 10
  /// For each reading and writing.
  private static let patienceSeconds = 2

  /// - Parameters:
  ///   - address: `127.0.0.1:9464`; port 0 takes a free one.
  ///   - page: the text to serve.
  package init(_ address: String, page: @escaping @Sendable () -> String) throws(SinkProblem) {
    self.page = page
    guard let colon = address.lastIndex(of: ":"),
      let port = UInt16(address[address.index(after: colon)...])
    else { throw SinkProblem("'\(address)' is no address; write one such as 127.0.0.1:9464") }
    let host = String(address[..<colon])
    var parsed = in_addr()
    let isAddress = inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &parsed) == 1
    guard isAddress, UInt32(bigEndian: parsed.s_addr) >> 24 == 127 else {
      throw SinkProblem(
        "metrics are served on loopback alone; write 127.0.0.1:\(port), and let a proxy of yours do the rest"
      )
    }
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let opened = socket(AF_INET, stream, 0)
    guard opened >= 0 else { throw Self.problem("opened") }
    _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
    var one: Int32 = 1
    setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr = parsed
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(opened, $0, size) == 0 }
    }
    guard isBound, listen(opened, 8) == 0 else {
      let problem = Self.problem("bound to '\(address)'")
      close(opened)
      throw problem
    }
    var length = size
    let isNamed = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(opened, $0, &length) == 0
      }
    }
    descriptor = opened
    self.port = isNamed ? Int(UInt16(bigEndian: name.sin_port)) : Int(port)
    let thread = Thread { [self] in serve() }
    thread.name = "metrics"
    thread.stackSize = 512 << 10
    thread.start()
  }

  private static func problem(_ what: String) -> SinkProblem {
    SinkProblem("the metrics socket cannot be \(what): \(String(cString: strerror(errno)))")
  }

  package func stop() {
    isStopping.store(true, ordering: .relaxed)
    // Wakes `accept`.
    #if canImport(Glibc)
      shutdown(descriptor, Int32(SHUT_RDWR))
    #else
      shutdown(descriptor, SHUT_RDWR)
      close(descriptor)
    #endif
  }

  // MARK: the thread

  private func serve() {
    while !isStopping.load(ordering: .relaxed) {
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        break
      }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      answer(client)
      close(client)
    }
    #if canImport(Glibc)
      close(descriptor)
    #endif
  }

  private func answer(_ client: Int32) {
    var limit = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var request: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 2048)
    // So that slow senders do not add up.
    let deadline = Date(timeIntervalSinceNow: Double(2 * Self.patienceSeconds))
    while !Self.isComplete(request) {
      guard request.count < Self.maxRequestBytes, Date() < deadline else { return }
      let count = recv(client, &chunk, chunk.count, 0)
      guard count > 0 else { return }
      request += chunk[..<count]
    }
    send(Self.reply(to: request, page), to: client)
  }

  private static func isComplete(_ request: [UInt8]) -> Bool {
    String(decoding: request.suffix(4), as: UTF8.self) == "\r\n\r\n"
  }

  /// The answer to a request: the text for `GET /metrics`, else why not.
  static func reply(to request: [UInt8], _ page: () -> String) -> [UInt8] {
    let lines = String(decoding: request, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    let host = lines.dropFirst().first { $0.lowercased().hasPrefix("host:") }?.dropFirst(5)
    // A page in a browser must not read it under a name that it has pointed here.
    guard isLoopback(host.map(String.init) ?? "localhost") else {
      return head("403 Forbidden", "text/plain", 0)
    }
    guard words.count == 3, words[0] == "GET" || words[0] == "HEAD" else {
      return head("405 Method Not Allowed", "text/plain", 0)
    }
    guard words[1].split(separator: "?").first == "/metrics" else {
      return head("404 Not Found", "text/plain", 0)
    }
    let body = Array(page().utf8)
    let start = head("200 OK", "text/plain; version=0.0.4; charset=utf-8", body.count)
    return words[0] == "HEAD" ? start : start + body
  }

  private static func isLoopback(_ host: String) -> Bool {
    var name = host.trimmingCharacters(in: .whitespaces)
    if let colon = name.lastIndex(of: ":"), name.last != "]" { name = String(name[..<colon]) }
    return name == "localhost"
      || name.hasPrefix("127.") && name.allSatisfy { $0.isNumber || $0 == "." }
  }

  private static func head(_ status: String, _ type: String, _ count: Int) -> [UInt8] {
    Array(
      """
      HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(count)\r\nConnection: close\r\n\r\n
      """.utf8)
  }

  private func send(_ bytes: [UInt8], to client: Int32) {
    var at = 0
    while at < bytes.count {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map {
          #if canImport(Glibc)
            Glibc.send(client, $0 + at, buffer.count - at, flags)
          #else
            Darwin.send(client, $0 + at, buffer.count - at, flags)
          #endif
        } ?? 0
      }
      guard count > 0 else { return }
      at += count
    }
  }
}
