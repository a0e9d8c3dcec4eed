import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A program that serves a test, and one request to a server on loopback.
enum ServerProcess {
  /// Whether a shell line succeeds.
  static func works(_ line: String) -> Bool { output(line) != nil }

  /// What a shell line prints; nil if it fails.
  static func output(_ line: String) -> String? {
    // Neither a pipe nor `Process`, whose end would be that of a server that the line starts.
    let file = FileManager.default.temporaryDirectory.path + "/output-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    guard system("{ \(line)\n} >'\(file)' 2>/dev/null </dev/null") == 0 else { return nil }
    return try? String(contentsOfFile: file, encoding: .utf8)
  }

  /// The status and the body of a request with `Connection: close`; nil without an answer.
  static func post(_ port: Int, _ target: String, _ body: [UInt8]) -> (status: Int, body: String)? {
    let head =
      "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
    // A child of the server may keep the connection open.
    guard let text = exchange(port, Array(head.utf8) + body, until: isWhole),
      let end = text.firstRange(of: "\r\n\r\n"),
      let status = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    return (status, String(text[end.upperBound...]))
  }

  /// Sends bytes to a port of this machine, and reads what comes back.
  ///
  /// - Parameter isWhole: whether the answer is complete; else it is read to the end of the connection.
  /// - Returns: nil without a connection, and if not all could be sent.
  static func exchange(
    _ port: Int, _ bytes: [UInt8], until isWhole: ([UInt8]) -> Bool = { _ in false }
  ) -> String? {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = UInt16(port).bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return nil }
    var at = 0
    while at < bytes.count {
      let count = bytes[at...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return nil }
      at += count
    }
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while !isWhole(answer) {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      answer += chunk[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  private static func isWhole(_ answer: [UInt8]) -> Bool {
    let text = String(decoding: answer, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n"),
      let length = text.firstMatch(of: /Content-Length: (\d+)/).flatMap({ Int($0.1) })
    else { return false }
    return text[end.upperBound...].utf8.count >= length
  }
}
