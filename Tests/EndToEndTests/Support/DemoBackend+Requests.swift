import Foundation
import Testing

/// One answer of a demo backend.
struct DemoReply {
  var status: Int
  var body: [UInt8]

  /// The body as one JSON object.
  var object: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }
}

extension DemoBackend {
  /// One request on a connection of its own, with the token.
  func request(_ method: String, _ path: String, _ json: Any? = nil) throws -> DemoReply {
    let body = try json.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    let head = [
      "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "X-Dashboard-Token: \(token)",
      "Content-Type: application/json", "Content-Length: \(body.count)", "Connection: close",
    ]
    let bytes = try exchange(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    let separator = Data("\r\n\r\n".utf8)
    guard let end = Data(bytes).range(of: separator),
      let status = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        .split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw NoAnswer(description: "\(method) \(path): \(bytes.count) bytes, no answer") }
    return DemoReply(status: status, body: Array(bytes[end.upperBound...]))
  }

  /// Sends, and reads until the backend closes the connection.
  private func exchange(_ request: [UInt8]) throws -> [UInt8] {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let connection = socket(AF_INET, kind, 0)
    defer { close(connection) }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected, write(connection, request, request.count) == request.count else {
      throw NoAnswer(description: "port \(port): \(String(cString: strerror(errno)))")
    }
    var reply: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(connection, &chunk, chunk.count)
      guard count > 0 else { return reply }
      reply += chunk[..<count]
    }
  }

  /// What an operator does who sends the bot into the first voice channel with people in it.
  func joinVoice() throws {
    let reply = try request("POST", "/api/voice/join", [String: String]())
    #expect(reply.object["ok"] as? Bool == true, "\(reply.object)")
  }

  /// Ends every session, with the reason `settings_disabled`: voice is switched off in the settings.
  func disableVoice() throws {
    let meta = try request("GET", "/api/settings").object["_meta"] as? [String: Any]
    let version = try #require(meta?["updatedAt"] as? String)
    let reply = try request(
      "PUT", "/api/settings",
      ["_meta": ["expectedUpdatedAt": version], "voice": ["enabled": false]])
    #expect(reply.status == 200)
    #expect(try sessions().isEmpty)
  }

  /// The sessions of `GET /api/voice/state`.
  func sessions() throws -> [[String: Any]] {
    try request("GET", "/api/voice/state").object["sessions"] as? [[String: Any]] ?? []
  }
}
