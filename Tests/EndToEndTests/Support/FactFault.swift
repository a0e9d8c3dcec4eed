import Foundation

/// A fault instead of, or around, the answer to a request.
enum FactFault: Sendable {
  /// A status of the backend's own, with a body.
  case status(Int, String)
  /// Another address, which must not be followed.
  case redirect(String)
  /// The request is performed, and the answer is a redirect, as after a form (303).
  case redirectAfter(String)
  /// The request is performed, and a proxy times out (408).
  case timeoutAfter
  /// A page of something in between, such as a tunnel or a portal.
  case html(Int)
  /// The connection is closed without an answer, and nothing was stored.
  case close
  /// The request is performed, and the connection is closed without an answer.
  case closeAfter
  /// No answer ever, and nothing was stored.
  case never
  /// The request is performed, and no answer is ever sent.
  case neverAfter
  /// The answer waits for the gate; the request is performed when it opens.
  case held(Gate)
  /// Another client writes just before the request is handled.
  case changeBefore(@Sendable (inout FactBook) -> Void)
  /// Another client writes just after that, before the answer is sent.
  case changeAfter(@Sendable (inout FactBook) -> Void)
  /// The answer stops in the middle.
  case half

  struct Entry: Sendable {
    var route: FactRoute
    var fault: FactFault
    var left: Int
    var skip: Int
  }

  /// - Parameters:
  ///   - end: opens when the server stops.
  ///   - perform: performs the request and returns the proper answer.
  func reply(
    until end: Gate, perform: () -> StubReply,
    change: (@Sendable (inout FactBook) -> Void) -> Void
  ) -> StubReply {
    switch self {
    case .status(let status, let body):
      return .json(body, status: "\(status) Scripted")
    case .redirect(let address):
      return StubReply(status: "307 Temporary Redirect", headers: [("Location", address)])
    case .redirectAfter(let address):
      _ = perform()
      return StubReply(status: "303 See Other", headers: [("Location", address)])
    case .timeoutAfter:
      _ = perform()
      return StubReply(status: "408 Request Timeout", headers: [("Content-Type", "text/plain")])
    case .html(let status):
      return StubReply(
        status: "\(status) Scripted", headers: [("Content-Type", "text/html")],
        body: Array("<html><title>Sign in</title><body>PORTAL PAGE</body></html>".utf8))
    case .close: return StubReply(isClosed: true)
    case .closeAfter:
      _ = perform()
      return StubReply(isClosed: true)
    case .never:
      _ = end.wait(milliseconds: 60_000)
      return StubReply(isClosed: true)
    case .neverAfter:
      _ = perform()
      _ = end.wait(milliseconds: 60_000)
      return StubReply(isClosed: true)
    case .held(let gate):
      while !gate.wait(milliseconds: 50) {
        if end.wait(milliseconds: 0) { return StubReply(isClosed: true) }
      }
      return perform()
    case .changeBefore(let write):
      change(write)
      return perform()
    case .changeAfter(let write):
      let reply = perform()
      change(write)
      return reply
    case .half:
      let reply = perform()
      let half = Array(reply.body.prefix(reply.body.count / 2))
      return StubReply(status: reply.status, headers: reply.headers, steps: [.chunk(half), .cut])
    }
  }
}
