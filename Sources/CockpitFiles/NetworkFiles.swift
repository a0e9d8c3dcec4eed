import Foundation

/// What the kernel says of the network, on Linux.
package enum NetworkFiles {
  /// - Parameter root: before every path; empty but in tests.
  /// - Returns: nil where there is no such file.
  package static func routes(root: String = "") -> String? { text(root + "/proc/net/route") }

  /// The same for IPv6.
  package static func routes6(root: String = "") -> String? {
    text(root + "/proc/net/ipv6_route")
  }

  package static func isWireless(_ interface: String, root: String = "") -> Bool {
    guard !interface.contains("/"), !interface.hasPrefix(".") else { return false }
    return FileManager.default.fileExists(
      atPath: root + "/sys/class/net/" + interface + "/wireless")
  }

  /// These files have no size: they are read to their end.
  private static func text(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: 1 << 18) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}
