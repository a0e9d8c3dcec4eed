import CockpitFiles
import CockpitSinks
import CurlTransport
import Dispatch
import Networking
import Synchronization

/// Requests of sinks: sent by the program's one transport on the main loop, awaited on the thread of the sink.
@MainActor
package final class SinkDoor {
  private let transport: CurlTransport
  private let clock: any LinkClock

  package init(_ transport: CurlTransport, clock: any LinkClock) {
    self.transport = transport
    self.clock = clock
  }

  /// Time limit of a request, in ms.
  package nonisolated static let standardTimeoutMs = 30_000

  /// How requests of one sink are sent.
  ///
  /// - Parameters:
  ///   - headers: of each request.
  ///   - command: prints more of them; it runs before the first request, and again after one that was not permitted.
  package func http(
    headers: [HTTPHeader], command: String?, timeoutMs: Int = standardTimeoutMs
  ) -> SinkHTTP {
    let secrets = SinkSecrets(headers, command)
    return { [self] request in
      let own: [HTTPHeader]
      do throws(FileError) {
        own = try secrets.headers()
      } catch {
        return .failed(error.description)
      }
      let reply = waited(request, own, timeoutMs: timeoutMs)
      // Before they are asked for again: the answer may repeat these.
      let clean = secrets.cleaned(reply)
      if case .answer(let status, _, _, _) = reply, status == 401 || status == 403 {
        secrets.renew()
      }
      return clean
    }
  }

  private nonisolated func waited(
    _ request: SinkRequest, _ headers: [HTTPHeader], timeoutMs: Int
  ) -> SinkReply {
    let done = DispatchSemaphore(value: 0)
    let box = ReplyBox()
    Task { @MainActor in
      let timeouts = HTTPTimeouts(headersMs: timeoutMs, totalMs: timeoutMs)
      var call = HTTPRequest(
        method: .post, base: request.url.base,
        target: RequestTarget([], query: request.url.query), purpose: .rest, token: nil,
        headers: request.headers + headers, body: request.body, timeouts: timeouts)
      call.maxBodyBytes = 1 << 20
      let wallMs = clock.wallMs
      _ = transport.open(
        call,
        delegate: SinkCall(wallMs: wallMs) { reply in
          box.reply.withLock { $0 = reply }
          done.signal()
        })
    }
    // The transport enforces its own limits; this one applies when the program ends.
    guard done.wait(timeout: .now() + .milliseconds(timeoutMs + 10_000)) == .success else {
      return .failed("no answer in time")
    }
    return box.reply.withLock { $0 } ?? .failed("no answer")
  }
}

private final class ReplyBox: Sendable {
  let reply = Mutex<SinkReply?>(nil)
}

/// One request from start to answer.
@MainActor
private final class SinkCall: TransportDelegate {
  private let wallMs: Int64
  private let done: (SinkReply) -> Void
  private var head: HTTPHead?
  private var body: [UInt8] = []

  init(wallMs: Int64, done: @escaping (SinkReply) -> Void) {
    self.wallMs = wallMs
    self.done = done
  }

  func transfer(_ task: any TransportTask, received head: HTTPHead) { self.head = head }

  func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
    body.append(contentsOf: bytes)
  }

  func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    if let error = end.error { return done(.failed(Self.words(error))) }
    guard let head else { return done(.failed("the answer has no header")) }
    done(
      .answer(
        status: head.status, headers: head.headers, body: body,
        retryAfterMs: head.retryAfterMs(wallMs: wallMs)))
  }

  private static func words(_ error: TransportError) -> String {
    switch error {
    case .refused: "the connection is refused"
    case .unknownHost: "the host is not known"
    case .unreachable(let words): "not reachable: \(words)"
    case .timedOut(let phase): "timed out (\(phase.rawValue))"
    case .tls(_, let words), .notTLS(let words): "TLS: \(words)"
    case .proxy(let words): "proxy: \(words)"
    case .connectionLost(let words): "the connection was lost: \(words)"
    case .tooLarge: "the answer is too long"
    case .malformed(let words), .other(let words), .tunnel(let words): words
    case .redirectRefused, .tooManyRedirects: "redirects are not followed"
    }
  }
}

/// The headers of a sink. What is secret in them is taken out of answers, which may repeat a request.
final class SinkSecrets: Sendable {
  private let fixed: [HTTPHeader]
  private let command: String?
  private let found = Mutex<[HTTPHeader]?>(nil)

  init(_ fixed: [HTTPHeader], _ command: String?) {
    self.fixed = fixed
    self.command = command
  }

  func headers() throws(FileError) -> [HTTPHeader] {
    guard let command else { return fixed }
    if let known = found.withLock({ $0 }) { return fixed + known }
    let headers = try HeadersCommand.run(command).map { HTTPHeader($0.name, $0.value) }
    found.withLock { $0 = headers }
    return fixed + headers
  }

  func renew() { found.withLock { $0 = nil } }

  func cleaned(_ reply: SinkReply) -> SinkReply {
    switch reply {
    case .failed(let words): return .failed(cleaned(words))
    case .answer(let status, let headers, let body, let retryAfterMs):
      guard status >= 300 else { return reply }
      let text = cleaned(String(decoding: body.prefix(4000), as: UTF8.self))
      return .answer(
        status: status, headers: headers, body: Array(text.utf8), retryAfterMs: retryAfterMs)
    }
  }

  private func cleaned(_ text: String) -> String {
    let known = fixed + (found.withLock { $0 } ?? [])
    var text = text
    for header in known {
      // `Bearer SECRET`: the secret may come back alone.
      for part in [header.value] + header.value.split(separator: " ").map(String.init)
      where part.utf8.count >= 6 {
        text = text.replacing(part, with: "<secret>")
      }
    }
    return text
  }
}
