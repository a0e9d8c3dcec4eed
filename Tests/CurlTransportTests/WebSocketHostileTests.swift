import CurlTransport
import Foundation
import Networking
import Testing

@testable import WebSocketCodec

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Against a server that does what no server should.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct WebSocketHostileTests {
  nonisolated private static func accept(_ request: String) -> String {
    let line = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
    let key = line.map { String($0.dropFirst(19)) } ?? ""
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(WebSocketUpgrade.accept(for: key))\r\n\r\n"
  }

  private func end(
    headersMs: Int = 5_000, maximumMessage: Int = 1 << 20,
    _ answer: @escaping @Sendable (LoopbackServer.Connection, String) -> Void
  ) async throws -> SocketProbe {
    let server = try LoopbackServer { connection in
      guard let request = connection.readRequest() else { return }
      answer(connection, request)
    }
    defer { server.stop() }
    let transport = try CurlTransport(clock: DispatchClock())
    let probe = SocketProbe()
    let request = WebSocketRequest(
      url: try WebSocketURL("ws://127.0.0.1:\(server.port)/gate"),
      headers: [HTTPHeader("X-Door", "open"), HTTPHeader("X-Bad", "a\r\nX-Evil: 1")],
      timeouts: HTTPTimeouts(headersMs: headersMs), maximumMessage: maximumMessage)
    let socket = transport.connect(request, delegate: probe)
    _ = await probe.ended()
    withExtendedLifetime((transport, socket)) {}
    let sent = try #require(server.requests.first)
    #expect(sent.hasPrefix("GET /gate HTTP/1.1\r\n"))
    #expect(sent.contains("\r\nX-Door: open\r\n"))
    #expect(!sent.contains("X-Evil") && !sent.lowercased().contains("origin"))
    return probe
  }

  @Test("frames behind the 101, in one piece and byte by byte", arguments: [false, true])
  func glued(bytewise: Bool) async throws {
    let probe = try await end { connection, request in
      let all = Array(Self.accept(request).utf8) + [0x81, 2, 0x68, 0x69, 0x88, 2, 0x03, 0xF4]
      if bytewise { for byte in all { connection.send([byte]) } } else { connection.send(all) }
      connection.waitForClose()
    }
    #expect(probe.texts == ["hi"])
    #expect(probe.end == .closed(code: 1_012, reason: ""))
  }

  @Test("a refusal keeps its status and 1 KiB of its body; no redirect is followed")
  func refused() async throws {
    let denied = try await end { connection, _ in
      connection.answer("401 Unauthorized", String(repeating: "n", count: 3_000))
    }
    #expect(
      denied.end
        == .refused(
          status: 401, reason: "Unauthorized", body: [UInt8](repeating: 0x6E, count: 1_024)))
    let elsewhere = try await end { connection, _ in
      connection.answer("302 Found", "gone", headers: ["Location: ws://127.0.0.1:1/"])
    }
    #expect(elsewhere.end == .refused(status: 302, reason: "Found", body: Array("gone".utf8)))
  }

  @Test func answersThatAreNone() async throws {
    let wrongKey = try await end { connection, _ in connection.send(Self.accept("no key")) }
    let silent = try await end(headersMs: 300) { connection, _ in connection.waitForClose() }
    let gone = try await end { _, _ in }
    let other = try await end { connection, _ in connection.send("SSH-2.0-OpenSSH_9.2\r\n\r\n") }
    guard case .failed(.malformed) = wrongKey.end, case .failed(.connectionLost) = gone.end,
      case .failed(.malformed) = other.end
    else {
      Issue.record("\(String(describing: (wrongKey.end, gone.end, other.end)))")
      return
    }
    #expect(silent.end == .failed(.timedOut(.headers)))
    #expect(!wrongKey.isOpen && !silent.isOpen)
  }

  @Test(
    "broken frames end with the code that is sent",
    arguments: [
      ([0xC1, 0] as [UInt8], 1_002), ([0x81, 0x80, 0, 0, 0, 0], 1_002),
      ([0x81, 2, 0xC3, 0x28], 1_007),
      ([0x82, 127, 0, 0, 0, 0, 0x01, 0xC9, 0xC3, 0x80], 1_009),
    ])
  func violations(frame: [UInt8], code: Int) async throws {
    let probe = try await end { connection, request in
      connection.send(Array(Self.accept(request).utf8) + [0x81, 1, 0x61] + frame)
      var close = [UInt8](repeating: 0, count: 8)
      let count = recv(connection.descriptor, &close, close.count, Int32(MSG_WAITALL))
      // A masked close frame with that code.
      let sent = Int(close[2] ^ close[6]) << 8 | Int(close[3] ^ close[7])
      guard count == 8, close[0] == 0x88, sent == code else { return }
      connection.waitForClose()
    }
    guard case .violated(code, _) = probe.end else {
      Issue.record("\(String(describing: probe.end))")
      return
    }
    #expect(probe.texts == ["a"])
  }

  @Test func halfAFrameAndGone() async throws {
    let probe = try await end { connection, request in
      connection.send(Array(Self.accept(request).utf8) + [0x81, 5, 0x61])
    }
    guard case .closed(1_006, _) = probe.end else {
      Issue.record("\(String(describing: probe.end))")
      return
    }
    #expect(probe.texts.isEmpty)
  }

  @Test func aPeerThatDoesNotReadIsLeft() async throws {
    let server = try LoopbackServer { connection in
      guard let request = connection.readRequest() else { return }
      connection.send(Self.accept(request))
      var byte: UInt8 = 0
      // Looks at the first byte again and again without taking it, until the client is gone.
      while recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK)) > 0, connection.send([0x8A, 0]) {
        usleep(5_000)
      }
    }
    defer { server.stop() }
    let transport = try CurlTransport(clock: DispatchClock())
    let probe = SocketProbe()
    probe.onOpen = { socket in
      for _ in 0..<400 { socket.send([UInt8](repeating: 0x61, count: 64 << 10)) }
    }
    let socket = transport.connect(
      WebSocketRequest(url: try WebSocketURL("ws://127.0.0.1:\(server.port)")), delegate: probe)
    #expect(await probe.ended() == .closed(code: 1_006, reason: "the far side is not reading"))
    withExtendedLifetime((transport, socket)) {}
  }

  @Test func nothingListens() async throws {
    let server = try LoopbackServer { _ in }
    let port = server.port
    server.stop()
    let transport = try CurlTransport(clock: DispatchClock())
    let probe = SocketProbe()
    let socket = transport.connect(
      WebSocketRequest(url: try WebSocketURL("ws://127.0.0.1:\(port)")), delegate: probe)
    let end = await probe.ended()
    #expect(end == .failed(.refused) || end == .failed(.connectionLost("Connection reset by peer")))
    withExtendedLifetime((transport, socket)) {}
  }

  @Test("a request on the same transport is not disturbed, nor is the socket")
  func sharedTransport() async throws {
    let server = try LoopbackServer { connection in
      guard let request = connection.readRequest() else { return }
      guard request.contains("Upgrade: websocket") else { return connection.answer("200 OK", "{}") }
      connection.send(Self.accept(request))
      connection.send([0x81, 1, 0x61])
      connection.waitForClose()
    }
    defer { server.stop() }
    let transport = try CurlTransport(clock: DispatchClock())
    let probe = SocketProbe()
    let socket = transport.connect(
      WebSocketRequest(url: try WebSocketURL("ws://127.0.0.1:\(server.port)")), delegate: probe)
    await probe.until { !probe.texts.isEmpty }
    for _ in 0..<3 {
      let answer = Probe()
      let task = transport.open(try .rest(server.base()), delegate: answer)
      #expect(await answer.ended().error == nil)
      withExtendedLifetime(task) {}
    }
    #expect(probe.end == nil)
    socket.close(code: 1_000, reason: "")
    // The server does not answer a close; it is left after two seconds.
    #expect(await probe.ended() == .closed(code: 1_000, reason: ""))
  }
}
