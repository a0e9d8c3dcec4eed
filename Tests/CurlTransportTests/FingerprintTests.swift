import CurlTransport
import Foundation
import Networking
import Testing

/// A server's certificate by its SHA-256, against Python's `ssl`; the digests are `openssl`'s.
@MainActor
@Suite(
  .enabled(
    if: WebSocketPeer.isInstalled, "python3 with the module websockets is not installed"),
  .timeLimit(.minutes(1)))
struct FingerprintTests {
  private func greet(
    _ request: WebSocketRequest, origin: OriginTLS? = nil
  ) async throws -> SocketProbe {
    let transport = try CurlTransport(clock: DispatchClock(), origin: origin)
    let probe = SocketProbe()
    let socket = transport.connect(request, delegate: probe)
    await probe.until { probe.texts.count == 2 }
    socket.cancel()
    withExtendedLifetime(transport) {}
    return probe
  }

  private static let strange = CertificateFingerprint(String(repeating: "0a", count: 32))

  @Test("the right certificate is accepted without an authority, any other is refused")
  func socket() async throws {
    let peer = try await WebSocketPeer.start(tls: "server")
    let url = try peer.url("/greet", scheme: "wss")
    let right = try peer.fingerprint()
    #expect(try await greet(WebSocketRequest(url: url, fingerprint: right)).texts.count == 2)
    let wrong = try await greet(WebSocketRequest(url: url, fingerprint: Self.strange))
    guard case .failed(.tls(.otherCertificate, _)) = wrong.end else {
      Issue.record("\(String(describing: wrong.end))")
      return
    }
    #expect(!wrong.isOpen)
  }

  @Test("dates and host name do not count beside a fingerprint, and count without one")
  func expired() async throws {
    let peer = try await WebSocketPeer.start(tls: "expired")
    let url = try peer.url("/greet", scheme: "wss")
    let right = try peer.fingerprint()
    #expect(try await greet(WebSocketRequest(url: url, fingerprint: right)).texts.count == 2)
    let plain = try await greet(WebSocketRequest(url: url))
    guard case .failed(.tls(_, _)) = plain.end else {
      Issue.record("\(String(describing: plain.end))")
      return
    }
  }

  @Test("a fingerprint that is right does not make up for a key that is not the pinned one")
  func both() async throws {
    let peer = try await WebSocketPeer.start(tls: "server")
    let url = try peer.url("/greet", scheme: "wss")
    let right = try peer.fingerprint()
    let pin = try peer.pin()
    let good = try await greet(WebSocketRequest(url: url, pin: pin, fingerprint: right))
    #expect(good.texts.count == 2)
    let wrong = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    let bad = try await greet(WebSocketRequest(url: url, pin: wrong, fingerprint: right))
    guard case .failed(.tls(.otherKey, _)) = bad.end else {
      Issue.record("\(String(describing: bad.end))")
      return
    }
  }

  @Test("a client certificate of the transport goes to its origin alone")
  func clientCertificate() async throws {
    let peer = try await WebSocketPeer.start(tls: "mutual")
    let url = try peer.url("/greet", scheme: "wss")
    let right = try peer.fingerprint()
    let own = ClientCertificate(certificate: peer.file("client.pem"), key: peer.file("client.key"))
    let request = WebSocketRequest(url: url, fingerprint: right)
    let known = OriginTLS(base: url.base, clientCertificate: own)
    #expect(try await greet(request, origin: known).texts.count == 2)
    for base in ["https://127.0.0.1:1", "https://localhost:\(peer.port)"] {
      let other = OriginTLS(base: try BackendURL(base), clientCertificate: own)
      let probe = try await greet(request, origin: other)
      guard case .failed = probe.end, !probe.isOpen else {
        Issue.record("\(base): \(String(describing: probe.end))")
        continue
      }
    }
    let mixed = ClientCertificate(
      certificate: peer.file("client.pem"), key: peer.file("server.key"))
    let pair = try await greet(
      request, origin: OriginTLS(base: url.base, clientCertificate: mixed))
    guard case .failed(.tls(.ownUnusable, _)) = pair.end else {
      Issue.record("\(String(describing: pair.end))")
      return
    }
  }

  @Test("a request over HTTP: each is checked, whatever connection there was before")
  func http() async throws {
    let peer = try await WebSocketPeer.start(tls: "mutual")
    let base = try BackendURL("https://127.0.0.1:\(peer.port)")
    let right = try peer.fingerprint()
    let own = ClientCertificate(certificate: peer.file("client.pem"), key: peer.file("client.key"))
    let transport = try CurlTransport(
      clock: DispatchClock(), origin: OriginTLS(base: base, clientCertificate: own))
    func ask(_ fingerprint: CertificateFingerprint?) async throws -> TransportEnd? {
      var request = try HTTPRequest.rest(base)
      request.fingerprint = fingerprint
      let probe = Probe()
      let task = transport.open(request, delegate: probe)
      _ = await probe.ended()
      withExtendedLifetime(task) {}
      // It is a WebSocket server, which refuses what is no upgrade.
      if probe.end?.error == nil { #expect(probe.head?.status == 426) }
      return probe.end
    }
    for _ in 0..<2 {
      #expect(try await ask(right)?.error == nil)
      guard case .tls(.otherCertificate, _) = try await ask(Self.strange)?.error else {
        Issue.record("another certificate was accepted")
        return
      }
      guard case .tls(_, _) = try await ask(nil)?.error else {
        Issue.record("a certificate of nobody was accepted")
        return
      }
    }
  }
}
