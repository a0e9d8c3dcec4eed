import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells systemd how a service is (sd_notify(3)): one datagram to the socket that it names.
struct ServiceNotice {
  private let path: String?
  /// How often systemd wants to hear from us, in microseconds; nil if it does not.
  let watchdogMicroseconds: Int?

  init(_ variables: [String: String]) {
    path = variables["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    watchdogMicroseconds = variables["WATCHDOG_USEC"].flatMap(Int.init).flatMap {
      $0 > 0 ? $0 : nil
    }
  }

  /// Sends lines such as `READY=1`. Does nothing unless systemd started the process.
  func send(_ lines: String...) {
    guard let path else { return }
    #if canImport(Glibc)
      let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    // An abstract socket has a zero for the @.
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(descriptor, bytes, bytes.count, 0, address, length)
      }
    }
  }
}
