import CurlTransport
import Foundation
import Networking
import Testing

/// Against Python's `websockets`.
@MainActor
@Suite(
  .enabled(
    if: WebSocketPeer.isInstalled, "python3 with the module websockets is not installed"),
  .timeLimit(.minutes(1)))
struct WebSocketPeerTests {
  private func open(
    _ request: WebSocketRequest, caFile: String? = nil
  ) throws -> (CurlTransport, SocketProbe, any WebSocketConnection) {
    let transport = try CurlTransport(clock: DispatchClock(), caFile: caFile)
    let probe = SocketProbe()
    return (transport, probe, transport.connect(request, delegate: probe))
  }

  @Test func echo() async throws {
    let peer = try await WebSocketPeer.start()
    let (transport, probe, socket) = try open(WebSocketRequest(url: peer.url("/echo")))
    await probe.until { probe.isOpen }
    let texts = [
      "", "a\u{2603}\u{1F600}", String(repeating: "y", count: 130),
      String(repeating: "z", count: 300_000),
    ]
    for text in texts { socket.send(Array(text.utf8)) }
    await probe.until { probe.texts.count == texts.count }
    #expect(probe.texts == texts)
    socket.close(code: 4_000, reason: "tick timeout")
    #expect(await probe.ended() == .closed(code: 4_000, reason: "tick timeout"))
    withExtendedLifetime(transport) {}
  }

  @Test func fragmentsAndAPingBetweenThem() async throws {
    let peer = try await WebSocketPeer.start()
    let (transport, probe, socket) = try open(WebSocketRequest(url: peer.url("/fragments")))
    await probe.until { !probe.texts.isEmpty }
    #expect(probe.texts == ["a\u{2603}b"])
    socket.cancel()
    withExtendedLifetime(transport) {}
  }

  @Test("close codes and their reasons", arguments: [1_000, 1_008, 1_011, 1_012, 4_001])
  func closes(code: Int) async throws {
    let peer = try await WebSocketPeer.start()
    let (transport, probe, _) = try open(WebSocketRequest(url: peer.url("/close/\(code)")))
    #expect(await probe.ended() == .closed(code: code, reason: "service restart"))
    withExtendedLifetime(transport) {}
  }

  @Test func overTLSALargeMessageIsReadToItsEnd() async throws {
    let peer = try await WebSocketPeer.start(tls: "server")
    let (transport, probe, socket) = try open(
      WebSocketRequest(url: peer.url("/large", scheme: "wss")), caFile: peer.file("server.pem"))
    await probe.until { probe.texts.count == 3 }
    #expect(probe.texts.map(\.utf8.count) == [70_000, 5_000_000, 3])
    socket.cancel()
    withExtendedLifetime(transport) {}
  }

  @Test func overTLSMuchIsWritten() async throws {
    let peer = try await WebSocketPeer.start(tls: "server")
    let (transport, probe, socket) = try open(
      WebSocketRequest(url: peer.url("/echo", scheme: "wss")), caFile: peer.file("server.pem"))
    await probe.until { probe.isOpen }
    // More than the queue may hold waits for its turn with the caller.
    let text = String(repeating: "w", count: 900_000)
    for round in 1...5 {
      socket.send(Array(text.utf8))
      await probe.until { probe.texts.count == round }
    }
    #expect(probe.texts == [String](repeating: text, count: 5))
    socket.cancel()
    withExtendedLifetime(transport) {}
  }

  @Test func anAuthorityAPinAndAClientCertificate() async throws {
    let peer = try await WebSocketPeer.start(tls: "mutual")
    let url = try peer.url("/greet", scheme: "wss")
    let own = ClientCertificate(certificate: peer.file("client.pem"), key: peer.file("client.key"))
    let wrong = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    func outcome(_ request: WebSocketRequest, caFile: String?) async throws -> SocketProbe {
      let (transport, probe, socket) = try open(request, caFile: caFile)
      await probe.until { probe.texts.count == 2 }
      socket.cancel()
      withExtendedLifetime(transport) {}
      return probe
    }
    func isTLS(_ end: WebSocketEnd?) -> Bool {
      if case .failed(.tls) = end { true } else { false }
    }

    let authority = peer.file("server.pem")
    let good = try await outcome(
      WebSocketRequest(url: url, clientCertificate: own, pin: peer.pin()), caFile: authority)
    #expect(good.texts == ["first", "second"])
    let unknown = try await outcome(
      WebSocketRequest(url: url, clientCertificate: own), caFile: nil)
    #expect(isTLS(unknown.end), "\(String(describing: unknown.end))")
    let otherKey = try await outcome(
      WebSocketRequest(url: url, clientCertificate: own, pin: wrong), caFile: authority)
    #expect(isTLS(otherKey.end), "\(String(describing: otherKey.end))")
    // TLS 1.3 reports the missing certificate only after the handshake.
    let stranger = try await outcome(WebSocketRequest(url: url), caFile: authority)
    #expect(!stranger.isOpen)
    guard case .failed = stranger.end else {
      Issue.record("\(String(describing: stranger.end))")
      return
    }
  }
}
