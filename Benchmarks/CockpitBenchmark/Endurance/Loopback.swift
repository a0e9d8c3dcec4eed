import Foundation

/// TCP on 127.0.0.1, as far as the measurements need it.
enum Loopback {
  static func listen(port: UInt16) throws -> Int32 {
    let descriptor = makeSocket()
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard withAddress(port, { bind(descriptor, $0, $1) }) == 0,
      Foundation.listen(descriptor, 64) == 0
    else { throw BenchmarkError("cannot listen on 127.0.0.1 port \(port)") }
    return descriptor
  }

  /// Negative if nothing listens there.
  static func connect(port: UInt16) -> Int32 {
    let descriptor = makeSocket()
    guard withAddress(port, { Foundation.connect(descriptor, $0, $1) }) == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The other side sees a reset instead of an end.
  static func resetOnClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  static func writeAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The body of a response with status 200, requested without any of the cockpit's code; nil if
  /// there is none.
  static func get(_ path: String, port: UInt16) -> Data? {
    let descriptor = connect(port: port)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n"
    guard writeAll(descriptor, Array(request.utf8)[...]) else { return nil }
    var answer = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      answer.append(contentsOf: chunk[..<count])
    }
    guard answer.starts(with: Data("HTTP/1.1 200".utf8)),
      let end = answer.range(of: Data("\r\n\r\n".utf8))
    else { return nil }
    return answer[end.upperBound...]
  }

  private static func makeSocket() -> Int32 {
    #if os(Linux)
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static func withAddress(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
