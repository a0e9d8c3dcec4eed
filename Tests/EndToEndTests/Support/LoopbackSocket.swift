import Foundation

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

  /// Calls `serve` with each connection to `listener`, in a thread of its own, until `stop`. It closes the descriptor.
  static func accept(on listener: Int32, _ serve: @escaping @Sendable (Int32) -> Void) {
    Thread.detachNewThread {
      while true {
        #if canImport(Darwin)
          let descriptor = Darwin.accept(listener, nil, nil)
        #else
          let descriptor = Glibc.accept(listener, nil, nil)
        #endif
        guard descriptor >= 0 else { return }
        Thread.detachNewThread { serve(descriptor) }
      }
    }
  }

  /// Ends `accept`.
  static func stop(_ listener: Int32) {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// The head of a request, its empty line included; nil if the client hangs up before it is whole.
  static func head(from client: Int32) -> String? {
    var head = ""
    var byte: UInt8 = 0
    while !head.hasSuffix("\r\n\r\n") {
      guard read(client, &byte, 1) == 1 else { return nil }
      head.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return head
  }

  /// Passes bytes between a client and a port of this machine until both directions are done.
  ///
  /// - Parameter first: sent to the port before anything else.
  static func relay(_ client: Int32, to port: UInt16, first: [UInt8] = []) {
    guard let far = try? connected(to: port) else { return }
    if !first.isEmpty { _ = send(first, first.count, to: far) }
    // Closed when both directions are done: a number that is closed early may be another socket's by then.
    let isBack = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      pass(from: far, to: client)
      isBack.signal()
    }
    pass(from: client, to: far)
    isBack.wait()
    close(far)
  }

  private static func pass(from source: Int32, to destination: Int32) {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(source, &chunk, chunk.count)
      guard count > 0, send(chunk, count, to: destination) == count else { break }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(destination, Int32(SHUT_RDWR))
  }
}
