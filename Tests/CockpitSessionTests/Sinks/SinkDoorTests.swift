import CockpitSession
import CockpitSinks
import CurlTransport
import Foundation
import Networking
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct SinkDoorTests {
  /// Answers each connection with what a function makes of the request.
  private final class Server: Sendable {
    private let descriptor: Int32
    let port: Int
    let requests = Mutex<[String]>([])

    init(_ answer: @escaping @Sendable (Int, String) -> String) throws {
      #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
      #else
        let stream = SOCK_STREAM
      #endif
      descriptor = socket(AF_INET, stream, 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      let isReady = withUnsafeMutablePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
            && getsockname(descriptor, $0, &length) == 0
        }
      }
      try #require(isReady)
      port = Int(UInt16(bigEndian: name.sin_port))
      let thread = Thread { [self] in
        var number = 0
        while true {
          let client = accept(descriptor, nil, nil)
          guard client >= 0 else { return }
          var text = ""
          var chunk = [UInt8](repeating: 0, count: 65_536)
          while !text.hasSuffix("BODY") {
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            text += String(decoding: chunk[..<count], as: UTF8.self)
          }
          requests.withLock { $0.append(text) }
          let bytes = Array(answer(number, text).utf8)
          number += 1
          _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
          close(client)
        }
      }
      thread.start()
    }

    func stop() {
      shutdown(descriptor, Int32(SHUT_RDWR))
      close(descriptor)
    }
  }

  private static func answer(_ status: String, _ body: String, _ more: String = "") -> String {
    "HTTP/1.1 \(status)\r\n\(more)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }

  @MainActor
  private static func ask(
    _ server: Server, command: String?, times: Int = 1
  ) async throws -> [SinkReply] {
    let clock = DispatchClock()
    let transport = try CurlTransport(clock: clock)
    defer { transport.shutdown() }
    let http = SinkDoor(transport, clock: clock).http(headers: [], command: command)
    let url = try SinkURL(
      "http://127.0.0.1:\(server.port)/v1/push", query: [.init("a", "b c")], allowsPlainHTTP: false)
    return await OwnThread.run {
      (0..<times).map { _ in
        http(SinkRequest(url: url, headers: [], body: Array("BODY".utf8)))
      }
    }
  }

  @Test(
    "secrets of the command are sent, are in no words of an answer, and are asked for again after a 401"
  )
  func secrets() async throws {
    let server = try Server { number, _ in
      Self.answer(
        number == 0 ? "401 Unauthorized" : "503 Busy",
        "no: Bearer s3cr3t-value and s3cr3t-value alone", "Retry-After: 7\r\n")
    }
    defer { server.stop() }
    let count = FileManager.default.temporaryDirectory.path + "/door-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: count) }
    let replies = try await Self.ask(
      server,
      command:
        "echo x >> \(count); echo 'Authorization: Bearer s3cr3t-value'; echo 'X-Scope: team'",
      times: 3)
    #expect(replies.count == 3)
    #expect(replies[0].answer == .closed("401: no: <secret> and <secret> alone"))
    #expect(
      replies[1].answer == .busy("503: no: <secret> and <secret> alone", retryAfterMs: 7000))
    let requests = server.requests.withLock { $0 }
    #expect(requests.allSatisfy { $0.contains("Authorization: Bearer s3cr3t-value") })
    #expect(requests.allSatisfy { $0.contains("X-Scope: team") })
    #expect(requests.allSatisfy { $0.hasPrefix("POST /v1/push?a=b%20c HTTP/1.1") })
    // Once, and once more after the 401.
    #expect(try String(contentsOfFile: count, encoding: .utf8) == "x\nx\n")
  }

  @Test("a redirect is not followed")
  func redirect() async throws {
    let server = try Server { _, _ in
      Self.answer("307 Temporary Redirect", "", "Location: /elsewhere\r\n")
    }
    defer { server.stop() }
    let replies = try await Self.ask(server, command: nil)
    guard case .closed(let words) = replies[0].answer else {
      Issue.record("\(replies)")
      return
    }
    #expect(words.contains("redirects are not followed"))
    #expect(server.requests.withLock { $0.count } == 1)
  }

  @Test("without a connection, or with a command that fails, the sink waits")
  func noConnection() async throws {
    let server = try Server { _, _ in "" }
    server.stop()
    for command in [nil, "exit 3", "echo nothing"] {
      let replies = try await Self.ask(server, command: command)
      guard case .busy = replies[0].answer else {
        Issue.record("\(replies)")
        continue
      }
    }
  }
}
