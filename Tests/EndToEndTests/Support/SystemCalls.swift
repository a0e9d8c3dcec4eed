import Foundation
import Testing

/// What `strace` wrote down.
struct SystemCalls {
  static let tool = "/usr/bin/strace"

  /// Whether it is there and the system lets it trace.
  static let canBeTraced: Bool = {
    guard FileManager.default.isExecutableFile(atPath: tool),
      let process = try? PipedProcess(
        tool, ["-qq", "-o", "/dev/null", "/bin/true"], environment: [:])
    else { return false }
    return process.wait() == .exited(0)
  }()

  static func arguments(to file: String) -> [String] {
    [
      "-f", "-qq", "-s", "64", "-o", file, "-e",
      "trace=connect,sendto,sendmsg,sendmmsg,socket,bind",
    ]
  }

  /// `address:port` of every connection that was tried over the network, and every other address
  /// that is no socket of this machine's own.
  private(set) var connected: Set<String> = []
  /// Datagrams with an address of their own.
  private(set) var sentElsewhere: [String] = []
  /// Addresses that something was to be heard on.
  private(set) var bound: [String] = []

  init(_ file: String) throws {
    let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let address = line.firstMatch(
        of: /sin6?_port=htons\((\d+)\).*?(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)"/
      ).map { "\($0.2):\($0.1)" }
      guard let address else {
        // Sockets of the machine's own, such as that of the name service, leave nothing.
        #expect(
          !line.contains("connect(") || line.contains("AF_UNIX") || line.contains("resumed"),
          "\(line)")
        continue
      }
      if line.contains("connect(") { connected.insert(address) }
      if line.contains("send") { sentElsewhere.append(String(line)) }
      if line.contains("bind(") { bound.append(address) }
    }
  }

  /// Ends the traced program by SIGTERM.
  static func endChild(of tracer: pid_t) {
    let path = "/proc/\(tracer)/task/\(tracer)/children"
    let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    for child in children.split(separator: " ").compactMap({ pid_t($0) }) { kill(child, SIGTERM) }
  }
}
