import FlyingSocks
import Foundation

@testable import CockpitDemo

/// A raw HTTP client: it sees header order, chunk boundaries and abrupt ends.
struct TestClient {
  struct Response {
    var status: Int
    var head: [String]
    var body: [UInt8]

    var json: DemoJSON {
      get throws { try DemoJSON.parse(body) }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
      head.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
        String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces)
      }
    }
  }

  let port: UInt16
  var token: String? = "secret"

  init(port: UInt16, token: String?) {
    self.port = port
    self.token = token
  }

  init(_ server: DemoServer, token: String? = "secret") {
    port = server.port
    self.token = token
  }

  func open(_ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil)
    async throws -> AsyncSocket
  {
    let socket = try await AsyncSocket.connected(
      to: sockaddr_in.inet(ip4: "127.0.0.1", port: port), timeout: 120)
    var headers = headers
    if let token { headers["x-dashboard-token"] = token }
    var head = "\(method) \(path) HTTP/1.1\r\nHost: \(headers["Host"] ?? "127.0.0.1:\(port)")\r\n"
    for (name, value) in headers where name != "Host" { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    try await socket.write(Data((head + "\r\n").utf8) + Data(body ?? []))
    return socket
  }

  func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> Response {
    let socket = try await open(method, path, headers: headers, body: body)
    defer { try? socket.close() }
    var bytes: [UInt8] = []
    var reader = HeadReader()
    while true {
      if let (head, end) = reader.head(in: bytes) {
        let length =
          head.first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        if bytes.count >= end + length {
          let status = Int(head[0].split(separator: " ")[1]) ?? 0
          return Response(
            status: status, head: head, body: Array(bytes[end..<end + length]))
        }
      }
      bytes += try await socket.read(atMost: 4096)
    }
  }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> Response {
    try await send("GET", path, headers: headers)
  }

  func json(_ method: String, _ path: String, _ body: DemoJSON) async throws -> Response {
    try await send(
      method, path, headers: ["Content-Type": "application/json"], body: body.serialized())
  }

  func stream(_ path: String) async throws -> TestStream {
    TestStream(socket: try await open("GET", path))
  }
}

/// Remembers where the header block ends, so that large bodies are not scanned again and again.
struct HeadReader {
  private var found: ([String], Int)?

  mutating func head(in bytes: [UInt8]) -> ([String], Int)? {
    if let found { return found }
    guard bytes.count >= 4,
      let end = (0...bytes.count - 4).first(where: {
        bytes[$0] == 13 && Array(bytes[$0..<$0 + 4]) == [13, 10, 13, 10]
      })
    else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    found = (lines, end + 4)
    return found
  }
}

/// Reads an event stream chunk by chunk.
final class TestStream {
  struct Event {
    var name: String
    var data: [UInt8]

    var json: DemoJSON {
      get throws { try DemoJSON.parse(data) }
    }
  }

  enum End: Error { case closed }

  let socket: AsyncSocket
  private(set) var head: [String] = []
  private var buffer: [UInt8] = []

  init(socket: AsyncSocket) {
    self.socket = socket
  }

  private func fill() async throws {
    do {
      buffer += try await socket.read(atMost: 4096)
    } catch {
      throw End.closed
    }
  }

  /// Bytes that arrived and were not part of a whole chunk.
  var rest: [UInt8] { buffer }

  func readHead() async throws {
    guard head.isEmpty else { return }
    var reader = HeadReader()
    while true {
      if let (lines, end) = reader.head(in: buffer) {
        head = lines
        buffer.removeFirst(end)
        return
      }
      try await fill()
    }
  }

  /// The content of the next chunk.
  func chunk() async throws -> [UInt8] {
    try await readHead()
    while true {
      if let lineEnd = buffer.prefix(20).firstIndex(of: 10) {
        let line = String(decoding: buffer[..<lineEnd], as: UTF8.self)
        let size = Int(line.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16) ?? 0
        let start = lineEnd + 1
        while buffer.count < start + size + 2 { try await fill() }
        let content = Array(buffer[start..<start + size])
        buffer.removeFirst(start + size + 2)
        return content
      }
      try await fill()
    }
  }

  /// The next event; a heartbeat has the name `:`.
  func next() async throws -> Event {
    let bytes = try await chunk()
    if bytes.first == UInt8(ascii: ":") { return Event(name: ":", data: bytes) }
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    let name = String(decoding: lines[0], as: UTF8.self).dropFirst("event: ".count)
    return Event(name: String(name), data: Array(lines[1].dropFirst("data: ".utf8.count)))
  }

  func close() { try? socket.close() }
}

/// Runs `body` with a server on a manual clock and stops it afterwards.
func withServer(
  _ options: DemoOptions = DemoOptions(scenario: .quiet, token: "secret"), manual: Bool = true,
  _ body: (DemoServer, TestClient, ManualDemoClock) async throws -> Void
) async throws {
  var options = options
  let clock = ManualDemoClock()
  if manual { options.clock = clock }
  if options.token == nil { options.token = "secret" }
  let server = try await DemoServer.start(options)
  do {
    try await body(server, TestClient(server), clock)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

extension DemoServer {
  /// Moves time in steps and runs what became due.
  func advance(_ clock: ManualDemoClock, seconds: Int) async {
    for _ in 0..<seconds {
      clock.advance(byMs: 1000)
      await catchUp()
    }
  }
}
