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
    Thread.detachNewThread { [self] in accept() }
  }

  /// The requests so far, as sent.
  var requests: [String] { lock.withLock { heads } }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Nobody is let in any more, and whoever is inside is thrown out.
  func drop() {
    stop()
    lock.withLock { for client in clients { shutdown(client, Int32(SHUT_RDWR)) } }
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
    lock.withLock { _ = clients.insert(client) }
    defer {
      lock.withLock { _ = clients.remove(client) }
      close(client)
    }
    var head = ""
    var byte: UInt8 = 0
    while !head.hasSuffix("\r\n\r\n") {
      guard read(client, &byte, 1) == 1 else { return }
      head.unicodeScalars.append(Unicode.Scalar(byte))
    }
    lock.withLock { heads.append(head) }
    if case .open(let wanted?) = manner, !head.contains("Proxy-Authorization: \(wanted)\r\n") {
      return say("407 Proxy Authentication Required\r\nContent-Length: 0", to: client)
    }
    say("200 Connection established", to: client)
    if case .closing = manner { return }
    guard let far = try? LoopbackSocket.connected(to: target) else { return }
    // Closed when both directions are done: a number that is closed early may be another socket's by then.
    let isBack = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Self.pass(from: far, to: client)
      isBack.signal()
    }
    Self.pass(from: client, to: far)
    isBack.wait()
    close(far)
  }

  private func say(_ line: String, to client: Int32) {
    let bytes = Array("HTTP/1.1 \(line)\r\n\r\n".utf8)
    _ = LoopbackSocket.send(bytes, bytes.count, to: client)
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

/// Sockets on 127.0.0.1.
enum LoopbackSocket {
  static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = make()
    var address = address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && waits(descriptor)
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  static func connected(to port: UInt16) throws -> Int32 {
    let descriptor = make()
    var address = address(port)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw POSIXError(.ECONNREFUSED)
    }
    return descriptor
  }

  /// Writes without a SIGPIPE, which would end the tests, where the other side has hung up.
  static func send(_ bytes: [UInt8], _ count: Int, to descriptor: Int32) -> Int {
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      return Darwin.send(descriptor, bytes, count, 0)
    #else
      return Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
  }

  /// A name of its own: `listen` is ours here.
  private static func waits(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      Darwin.listen(descriptor, 16) == 0
    #else
      Glibc.listen(descriptor, 16) == 0
    #endif
  }

  private static func make() -> Int32 {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
