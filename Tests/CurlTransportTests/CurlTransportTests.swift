import CurlTransport
import Networking
import Foundation
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1))) struct CurlTransportTests {
  let transport: CurlTransport

  init() throws {
    transport = try CurlTransport(clock: DispatchClock())
  }

  private func run(_ request: HTTPRequest) async -> Probe {
    let probe = Probe()
    let task = transport.open(request, delegate: probe)
    _ = await probe.ended()
    withExtendedLifetime(task) {}
    return probe
  }

  @Test func refused() async throws {
    let server = try LoopbackServer { _ in }
    let base = try server.base()
    server.stop()
    let probe = await run(try .rest(base))
    #expect(probe.end == TransportEnd(error: .refused, requestWasSent: false))
  }

  @Test("no way there is not an answer that makes no sense")
  func unreachable() async throws {
    // The address of everybody: no connection can be made to it.
    let base = try BackendURL("http://255.255.255.255:9", allowPlainHTTP: true)
    let probe = await run(try .rest(base))
    guard case .unreachable(let why) = probe.end?.error else {
      Issue.record("\(String(describing: probe.end))")
      return
    }
    #expect(!why.isEmpty)
    #expect(probe.end?.requestWasSent == false)
  }

  @Test func aPlainAnswerWithTheTokenInItsHeader() async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.answer("200 Fine", "{\"ok\":true}", headers: ["Date: Sun, 06 Nov 1994 08:49:37 GMT"])
    }
    defer { server.stop() }
    let probe = await run(try .rest(server.base()))
    #expect(probe.end?.error == nil)
    #expect(probe.head?.status == 200)
    #expect(probe.head?.reason == "Fine")
    #expect(probe.head?.value("DATE") == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(probe.text == "{\"ok\":true}")
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("GET /api/health HTTP/1.1\r\n"))
    #expect(request.contains("\r\nx-dashboard-token: lantern-sesame\r\n"))
    #expect(!request.contains("Expect:"))
  }

  @Test func silenceBeforeTheHeaderTimesOut() async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.waitForClose()
    }
    defer { server.stop() }
    let probe = await run(try .rest(server.base(), headersMs: 1_500))
    #expect(probe.end?.error == .timedOut(.headers))
    #expect(probe.end?.requestWasSent == true)
  }

  @Test func cancelAfterTheHeaderReachesTheServer() async throws {
    let (closed, signal) = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.startStream()
      $0.waitForClose()
      signal.yield()
    }
    defer { server.stop() }
    let probe = Probe()
    var task: (any TransportTask)?
    probe.onHead = { task?.cancel() }
    task = transport.open(try .stream(server.base()), delegate: probe)
    for await _ in closed { break }
    #expect(probe.head?.mediaType == "text/event-stream")
    #expect(probe.end == nil)
  }

  @Test func everyByteAChunk() async throws {
    let text = "event: action_event\r\ndata: \u{1F600}\r\n\r\n: hb\n\ndata: 2\n\n"
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.startStream()
      for byte in Array(text.utf8) { connection.chunk([byte]) }
      connection.endChunks()
    }
    defer { server.stop() }
    let probe = await run(try .stream(server.base()))
    #expect(probe.end?.error == nil)
    #expect(probe.text == text)
  }

  @Test func aSlowDripIsDeliveredAsItComes() async throws {
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      for byte in Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8) {
        connection.send([byte])
      }
      for byte in Array("data: 1\n\n".utf8) { connection.send([byte]) }
      // No end: the test sees the event while the connection is open.
      connection.waitForClose()
    }
    defer { server.stop() }
    let probe = Probe()
    let task = transport.open(try .stream(server.base()), delegate: probe)
    await probe.bytes(9)
    #expect(probe.text == "data: 1\n\n")
    #expect(probe.end == nil)
    task.cancel()
  }

  @Test func aCutInsideAChunkIsALoss() async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.startStream()
      $0.send("40\r\ndata: half")
    }
    defer { server.stop() }
    let probe = await run(try .stream(server.base()))
    guard case .connectionLost = probe.end?.error else {
      Issue.record("\(String(describing: probe.end))")
      return
    }
    #expect(probe.text == "data: half")
  }

  @Test func anEmptyAnswerIsALoss() async throws {
    let server = try LoopbackServer { _ = $0.readRequest() }
    defer { server.stop() }
    guard case .connectionLost = await run(try .rest(server.base())).end?.error else {
      Issue.record("not a loss")
      return
    }
  }

  @Test func somethingElseThanHTTP() async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.send("SSH-2.0-OpenSSH_9.2\r\n")
    }
    defer { server.stop() }
    guard case .malformed = await run(try .rest(server.base())).end?.error else {
      Issue.record("not malformed")
      return
    }
  }

  @Test func plainTextWhereTLSIsExpected() async throws {
    let server = try LoopbackServer {
      $0.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      $0.waitForClose()
    }
    defer { server.stop() }
    let base = try BackendURL("https://127.0.0.1:\(server.port)")
    guard case .notTLS = await run(try .rest(base)).end?.error else {
      Issue.record("not told from a bad certificate")
      return
    }
  }

  // MARK: Redirects

  @Test func aRedirectWithinTheOriginIsFollowed() async throws {
    let server = try LoopbackServer { connection in
      while let request = connection.readRequest() {
        if request.hasPrefix("GET /api/health") {
          connection.answer("302 Found", headers: ["Location: /there?x=1"])
        } else {
          connection.answer("200 OK", "{}")
        }
      }
    }
    defer { server.stop() }
    let probe = await run(try .rest(server.base()))
    #expect(probe.head?.status == 200)
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.hasPrefix("GET /there?x=1 ") == true)
  }

  @Test func anotherOriginHearsNothing() async throws {
    let other = try LoopbackServer { _ = $0.readRequest() }
    defer { other.stop() }
    let location = "http://127.0.0.1:\(other.port)/api/health"
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.answer("307 Moved", headers: ["Location: \(location)"])
    }
    defer { server.stop() }
    let probe = await run(try .rest(server.base()))
    #expect(probe.end?.error == .redirectRefused("http://127.0.0.1:\(other.port)"))
    #expect(other.connections == 0)
  }

  @Test(arguments: [
    "http://127.0.0.1:PORT\\@example.invalid/", "http://user@127.0.0.1:PORT/", "//example.invalid/",
    "https://127.0.0.1:PORT/", "file:///etc/passwd", "http://localhost:PORT/",
  ])
  func craftyRedirectsAreRefused(_ template: String) async throws {
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      let location = template.replacingOccurrences(of: "PORT", with: String(connection.server.port))
      connection.answer("302 Found", headers: ["Location: \(location)"])
      connection.waitForClose()
    }
    defer { server.stop() }
    let probe = await run(try .rest(server.base()))
    #expect(probe.end?.error != nil)
    #expect(server.requests.count == 1)
  }

  @Test func redirectsInCirclesEnd() async throws {
    let server = try LoopbackServer { connection in
      while connection.readRequest() != nil {
        connection.answer("302 Found", headers: ["Location: /again"])
      }
    }
    defer { server.stop() }
    let probe = await run(try .rest(server.base()))
    #expect(probe.end?.error == .tooManyRedirects)
    #expect(server.requests.count == 6)
  }

  @Test func aChangeIsNeverRedirected() async throws {
    let server = try LoopbackServer { connection in
      while connection.readRequest() != nil {
        connection.answer("307 Moved", headers: ["Location: /elsewhere"])
      }
    }
    defer { server.stop() }
    let probe = await run(try .rest(server.base(), method: .put, body: Array("{}".utf8)))
    // It is the answer: what it means, who has sent the change decides.
    #expect(probe.head?.status == 307 && probe.end?.error == nil)
    #expect(server.requests.count == 1)
  }

  // MARK: Bounds

  @Test func aCompressionBombIsCutOff() async throws {
    // One million zeros in about a thousand bytes.
    let bomb = GzipBomb.million
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      $0.send(bomb)
      $0.waitForClose()
    }
    defer { server.stop() }
    let small = await run(try .rest(server.base(), maxBodyBytes: 50_000))
    #expect(small.end?.error == .tooLarge)
    #expect(small.body.count <= 50_000)
    let large = await run(try .rest(server.base(), maxBodyBytes: 2_000_000))
    #expect(large.end?.error == nil)
    #expect(large.body.count == 1_000_000)
  }

  @Test func aDeclaredLengthAboveTheLimitIsNotRead() async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
      $0.waitForClose()
    }
    defer { server.stop() }
    #expect(await run(try .rest(server.base())).end?.error == .tooLarge)
  }

  @Test func endlessHeadersAreCutOff() async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.send("HTTP/1.1 200 OK\r\n")
      while $0.send("X-Filler: \(String(repeating: "x", count: 500))\r\n") {}
    }
    defer { server.stop() }
    #expect(
      await run(try .rest(server.base())).end?.error
        == .malformed("its header is longer than 64 KiB"))
  }

  @Test func anEndlessHeaderLineIsCutOff() async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.send("HTTP/1.1 200 OK\r\nX: ")
      while $0.send([UInt8](repeating: 0x78, count: 4_096)) {}
    }
    defer { server.stop() }
    #expect(
      await run(try .rest(server.base())).end?.error
        == .malformed("its header is longer than 64 KiB"))
  }

  @Test func aCompressedStreamIsNotTaken() async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n")
      $0.waitForClose()
    }
    defer { server.stop() }
    guard case .malformed = await run(try .stream(server.base())).end?.error else {
      Issue.record("taken")
      return
    }
    #expect(server.requests.first?.contains("Accept-Encoding: identity\r\n") == true)
  }

  // MARK: Connections

  @Test func connectionsAreKeptAlive() async throws {
    let server = try LoopbackServer { connection in
      while connection.readRequest() != nil { connection.answer("200 OK", "{}") }
    }
    defer { server.stop() }
    for _ in 0..<5 { #expect(await run(try .rest(server.base())).end?.error == nil) }
    #expect(server.connections == 1)
    #expect(server.requests.count == 5)
  }

  @Test(arguments: [HTTPMethod.put, .post, .delete])
  func bodiesAreSentOnceAsJSON(_ method: HTTPMethod) async throws {
    let server = try LoopbackServer { connection in
      // The first request is answered, the second one finds a connection that dies unanswered.
      _ = connection.readRequest()
      if connection.server.connections == 1 {
        connection.answer("200 OK", "{}")
        _ = connection.readRequest()
      }
    }
    defer { server.stop() }
    _ = await run(try .rest(server.base()))
    let probe = await run(
      try .rest(server.base(), ["api", "memory"], method: method, body: Array("{\"a\":1}".utf8)))
    #expect(probe.end?.error != nil)
    #expect(probe.end?.requestWasSent == true)
    let sent = server.requests.filter { $0.hasPrefix(method.rawValue + " /api/memory ") }
    #expect(sent.count == 1)
    #expect(sent.first?.hasSuffix("\r\n\r\n{\"a\":1}") == true)
    #expect(sent.first?.contains("\r\nContent-Type: application/json\r\n") == true)
  }

  @Test func aPausedTransferLeavesTheSocketUnreadAndGoesOn() async throws {
    let total = 4 << 20
    let server = try LoopbackServer { connection in
      _ = connection.readRequest()
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: \(total)\r\n\r\n")
      connection.send([UInt8](repeating: 0x61, count: total))
      connection.waitForClose()
    }
    defer { server.stop() }
    let clock = DispatchClock()
    let probe = Probe()
    var task: (any TransportTask)?
    var pauses = 0
    var timers: [any LinkTimer] = []
    probe.onBytes = {
      guard pauses < 20, probe.chunks.isMultiple(of: 3) else { return }
      pauses += 1
      task?.pause()
      timers.append(clock.schedule(afterNs: Nanoseconds.milliseconds(2)) { task?.resume() })
    }
    task = transport.open(try .stream(server.base()), delegate: probe)
    let end = await probe.ended()
    #expect(end.error == nil)
    #expect(probe.body.count == total)
    #expect(pauses == 20)
  }

  @Test func cancelledFromItsOwnCallbackAndReopened() async throws {
    let server = try LoopbackServer { connection in
      while connection.readRequest() != nil { connection.answer("200 OK", "{\"n\":1}") }
    }
    defer { server.stop() }
    let second = Probe()
    let first = Probe()
    var tasks: [any TransportTask] = []
    let request = try HTTPRequest.rest(server.base())
    let transport = transport
    first.onBytes = {
      tasks[0].cancel()
      tasks.append(transport.open(request, delegate: second))
    }
    tasks.append(transport.open(request, delegate: first))
    #expect(await second.ended().error == nil)
    #expect(first.end == nil)
    #expect(second.text == "{\"n\":1}")
  }

  @Test func shutdownEndsEverything() async throws {
    let (closed, signal) = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.startStream()
      $0.waitForClose()
      signal.yield()
    }
    defer { server.stop() }
    let probe = Probe()
    let transport = transport
    probe.onHead = {
      DispatchQueue.main.async { MainActor.assumeIsolated { transport.shutdown() } }
    }
    let task = transport.open(try .stream(server.base()), delegate: probe)
    for await _ in closed { break }
    #expect(probe.end == nil)
    let late = Probe()
    let lateTask = transport.open(try .rest(server.base()), delegate: late)
    #expect(await late.ended().error != nil)
    withExtendedLifetime((task, lateTask)) {}
  }

  @Test func headersWithControlCharactersAreNotSent() async throws {
    let server = try LoopbackServer {
      _ = $0.readRequest()
      $0.answer("200 OK", "{}")
    }
    defer { server.stop() }
    var request = try HTTPRequest.rest(server.base())
    request.headers = [HTTPHeader("X-Good", "1"), HTTPHeader("X-Bad", "1\r\nX-Evil: 2")]
    _ = await run(request)
    #expect(server.requests.first?.contains("X-Good: 1\r\n") == true)
    #expect(server.requests.first?.contains("X-Evil") == false)
  }

  @Test func aUselessTrustAnchorIsRefused() {
    #expect(throws: CurlTransport.Problem.self) {
      try CurlTransport(clock: DispatchClock(), caFile: "/nonexistent/ca.pem")
    }
    #expect(throws: CurlTransport.Problem.caFileNotPEM(path: "/dev/null")) {
      try CurlTransport(clock: DispatchClock(), caFile: "/dev/null")
    }
  }
}

/// gzip of a million zero bytes: zeros again between a fixed head and tail.
enum GzipBomb {
  static let million: [UInt8] =
    [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x01, 0x01, 0x00,
      0x00, 0x00, 0x82, 0x20, 0xFF, 0xAF, 0x6E, 0x48, 0x40, 0x01,
    ]
    + [UInt8](repeating: 0, count: 968)
    + [0xAF, 0x06, 0x9E, 0xCB, 0x79, 0x12, 0x40, 0x42, 0x0F, 0x00]
}
