import Foundation
import Testing

/// A way in which the server at the backend's address can be wrong, and the expected messages.
struct ServerFault: CustomTestStringConvertible, Sendable {
  var name: String
  /// The answer to every request.
  var reply: @Sendable (StubRequest) -> StubReply
  /// Exit code of the verbs.
  var code: Int32
  /// Parts of the sentence on stderr: the cause, then the next step.
  var says: [String]
  /// The same for `status`, which follows no stream.
  var statusSays: [String]
  /// The expected text on the cockpit's screen, where only the cause fits.
  var shows: String
  /// Requests that the three verbs and the cockpit make at most while the fault is looked at.
  var requestLimit = 40

  var testDescription: String { name }

  init(
    _ name: String, code: Int32 = 3, says: [String], statusSays: [String]? = nil,
    shows: String? = nil, requestLimit: Int = 40,
    _ reply: @escaping @Sendable (StubRequest) -> StubReply
  ) {
    self.name = name
    self.reply = reply
    self.code = code
    self.says = says
    self.statusSays = statusSays ?? says
    self.shows = shows ?? says[0]
    self.requestLimit = requestLimit
  }

  init(
    _ name: String, code: Int32 = 3, says: [String], statusSays: [String]? = nil,
    shows: String? = nil, _ reply: StubReply
  ) {
    self.init(name, code: code, says: says, statusSays: statusSays, shows: shows) { _ in reply }
  }

  /// The token as the server that is to be told it got it.
  static func token(of request: StubRequest) -> String {
    request.headers["x-dashboard-token"] ?? ""
  }

  static func page(_ status: String, _ text: String = "<html><b>Sign in</b></html>") -> StubReply {
    StubReply(
      status: status, headers: [("Content-Type", "text/html")], body: Array(text.utf8))
  }

  static func redirect(_ target: String, _ status: String = "302 Found") -> StubReply {
    StubReply(status: status, headers: [("Location", target)])
  }

  private static let notClanky = ["not a Clanky backend", "--url"]
  private static let notUnderstood = ["could not be understood", "scheme and port"]
  private static let lost = ["connection was lost", "bot still runs"]

  // MARK: Statuses

  static let statuses: [ServerFault] = [
    ServerFault(
      "204", says: ["asked not to be contacted again (204)"], statusSays: notClanky,
      StubReply(status: "204 No Content")),
    ServerFault("200 without anything", says: notClanky, StubReply()),
    ServerFault("200 with other JSON", says: notClanky, .json(#"{"ok":true}"#)),
    ServerFault("200 with a list", says: notClanky, .json("[1,2,3]")),
    ServerFault("304", says: notClanky, StubReply(status: "304 Not Modified")),
    ServerFault(
      "401", code: 4, says: ["did not accept the token (401)", "DASHBOARD_TOKEN"],
      shows: "did not accept the token", .json(#"{"error":"no"}"#, status: "401 Unauthorized")),
    ServerFault(
      "W03: 401 with a page",
      says: ["asks for a login of its own (401)", "leads to the bot itself"],
      shows: "asks for a login of its own", page("401 Unauthorized")),
    ServerFault(
      "W03: 401 with another challenge",
      says: ["asks for a login of its own (401, Basic)", "leads to the bot itself"],
      shows: "asks for a login of its own",
      StubReply(
        status: "401 Unauthorized", headers: [("WWW-Authenticate", #"Basic realm="lantern""#)])),
    ServerFault(
      "403", code: 4, says: ["Access was denied (403)", "access rule"], page("403 Forbidden")),
    ServerFault(
      "404 of a tunnel that hides", code: 4, says: ["hides behind 404", "token"],
      .json(#"{"error":"Not found."}"#, status: "404 Not Found")),
    ServerFault(
      "404 of a wrong path", says: ["does not know the path", "path in --url"],
      StubReply(
        status: "404 Not Found", headers: [("Content-Type", "text/plain")],
        body: Array("Not found.".utf8))),
    ServerFault("404 with a page", says: notClanky, page("404 Not Found")),
    ServerFault(
      "407", says: ["proxy did not let the request through", "HTTPS_PROXY"],
      StubReply(status: "407 Proxy Authentication Required")),
    ServerFault(
      "408", says: ["rejected the request (408)", "--url"], StubReply(status: "408 Timeout")),
    ServerFault(
      "418 with words", says: ["rejected the request (418): short and stout", "--url"],
      .json(#"{"error":"short and stout"}"#, status: "418 Teapot")),
    ServerFault(
      "429 with seconds", says: ["fewer requests (429)", "Wait"],
      StubReply(status: "429 Too Many Requests", headers: [("Retry-After", "100000")])),
    ServerFault(
      "429 with a date", says: ["fewer requests (429)", "Wait"],
      StubReply(
        status: "429 Too Many Requests",
        headers: [("Retry-After", "Fri, 31 Dec 2100 23:59:59 GMT")])),
    ServerFault(
      "500 with words", says: ["failed (500): database is locked", "bot's log"],
      .json(#"{"error":"database is locked"}"#, status: "500 Internal Server Error")),
    ServerFault(
      "500 with a page", says: ["failed (500)", "bot's log"], page("500 Internal Server Error")),
    ServerFault(
      "502", says: ["cannot reach the backend (502)", "tunnel"],
      StubReply(
        status: "502 Bad Gateway", headers: [("Content-Type", "text/plain")],
        body: Array("bad gateway".utf8))),
    ServerFault(
      "503 of a public backend without a token", code: 4,
      says: ["no dashboard token configured", "DASHBOARD_TOKEN"],
      .json(
        #"{"error":"dashboard_token_required_when_public_https_enabled"}"#,
        status: "503 Service Unavailable")),
    ServerFault(
      "503 with a page", says: ["cannot reach the backend (503)", "tunnel"],
      page("503 Service Unavailable")),
    ServerFault(
      "504", says: ["cannot reach the backend (504)", "tunnel"], StubReply(status: "504 Timeout")),
    ServerFault(
      "511", says: ["asks you to log in first (511)", "browser"],
      page("511 Network Authentication Required")),
    ServerFault(
      "530 of a tunnel that leads nowhere", says: ["Cloudflare error 1033", "tunnel"],
      page("530 Origin", "<html>error code: 1033</html>")),
    ServerFault("999", says: notClanky, StubReply(status: "999 Request denied")),
    ServerFault("a status of one digit", says: notUnderstood, .wire("HTTP/1.1 7 x\r\n\r\n")),
  ]

  // MARK: Redirects and pages

  static let detours: [ServerFault] = [
    ServerFault(
      "captive portal", says: ["another address, http://captive.example:80", "--url"],
      redirect("http://captive.example/login?back=http%3A%2F%2F127.0.0.1")),
    ServerFault(
      "redirect to another port", says: ["another address", "--url"]
    ) { _ in redirect("http://127.0.0.1:1/api/activity/events") },
    ServerFault(
      "redirect to another scheme", says: ["another address, https://127.0.0.1", "--url"],
      redirect("https://127.0.0.1/api/health")),
    ServerFault(
      "redirect with a password", says: ["another address", "--url"]
    ) { redirect("http://user:\(token(of: $0))@127.0.0.1/") },
    ServerFault(
      "redirect to a file", says: ["redirect without a usable address", "scheme and port"],
      redirect("file:///etc/passwd")),
    ServerFault("redirect to nowhere", says: notClanky, StubReply(status: "302 Found")),
    ServerFault(
      "redirects in circles", says: ["redirects in circles", "--url"], requestLimit: 120
    ) { redirect($0.target, "307 Temporary Redirect") },
    ServerFault("login page with 200", says: notClanky, page("200 OK")),
    ServerFault(
      "stream that is no event stream", says: notClanky,
      StubReply(headers: [("Content-Type", "text/plain")], body: Array(": heartbeat\n\n".utf8))),
  ]

  // MARK: Framing

  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

  static let framing: [ServerFault] = [
    ServerFault("closed at once", says: lost, StubReply(isClosed: true)),
    ServerFault("HTTP/0.9", says: notUnderstood, .wire("hello\n")),
    ServerFault("a TLS alert", says: notUnderstood, .wire("\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}F")),
    ServerFault("SSH", says: notUnderstood, .wire("SSH-2.0-OpenSSH_9.2\r\n")),
    ServerFault(
      "garbage before the status", says: notUnderstood,
      .wire("\u{0}\u{1}\u{2}HTTP/1.1 200 OK\r\n\r\n")),
    ServerFault("line ends of CR alone", says: lost, .wire("HTTP/1.1 200 OK\rX: y\r\r")),
    ServerFault(
      "HTTP/2 without having been asked", says: notUnderstood,
      .wire("\u{0}\u{0}\u{12}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{3}\u{0}\u{0}\u{0}d")),
    ServerFault(
      "a switch to HTTP/2", says: lost,
      .wire("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")),
    ServerFault("HTTP/3.7", says: notUnderstood, .wire("HTTP/3.7 200 OK\r\n\r\n")),
    ServerFault(
      "a negative length", says: notUnderstood, .wire(head + "Content-Length: -5\r\n\r\nabc")),
    ServerFault(
      "a chunk size that is none", says: lost,
      .wire(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n")),
    ServerFault(
      "a chunk size above all numbers", says: lost,
      .wire(head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffffff\r\nabc\r\n")),
    ServerFault(
      "a header of 1 MB", says: ["header is longer than 64 KiB", "scheme and port"],
      .wire(
        "HTTP/1.1 200 OK\r\n"
          + String(
            repeating: "X: \(String(repeating: "y", count: 995))\r\n",
            count: 1000) + "\r\n")),
    ServerFault(
      "an endless header", says: ["header is longer than 64 KiB", "scheme and port"],
      StubReply(wire: [
        .chunk(Array("HTTP/1.1 200 OK\r\n".utf8)),
        .endless(Array("X-Y: and so on\r\n".utf8), everyMs: 0),
      ])),
    ServerFault(
      "an endless header line", says: ["header is longer than 64 KiB", "scheme and port"],
      StubReply(wire: [
        .chunk(Array("HTTP/1.1 200 OK\r\nX: ".utf8)),
        .endless([UInt8](repeating: 0x79, count: 4096), everyMs: 0),
      ])),
    ServerFault(
      "a reason phrase of 150 kB", says: ["header is longer than 64 KiB", "scheme and port"],
      .wire("HTTP/1.1 500 \(String(repeating: "y", count: 150_000))\r\n\r\n")),
    ServerFault(
      "endless interim answers", says: ["header is longer than 64 KiB", "scheme and port"],
      StubReply(wire: [.endless(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), everyMs: 0)])),
    ServerFault(
      "a compression that nobody asked for", says: notUnderstood, statusSays: notClanky,
      StubReply(
        headers: [("Content-Type", "text/event-stream"), ("Content-Encoding", "br")],
        body: Array("hello".utf8))),
  ]

  // MARK: The token, echoed

  static let echoes: [ServerFault] = [
    ServerFault("token in a reason phrase", says: ["rejected the request (418): <token>"]) {
      StubReply(status: "418 \(token(of: $0))")
    },
    ServerFault(
      "token at the end of a long reason phrase", says: ["failed (500): xxx"], shows: "failed (500)"
    ) {
      StubReply(status: "500 \(String(repeating: "x", count: 193))\(token(of: $0))")
    },
    ServerFault("token in an error body", says: ["failed (500): no <token> here"]) {
      .json(#"{"error":"no \#(token(of: $0)) here"}"#, status: "500 Internal Server Error")
    },
    ServerFault("token in capitals in an error body", says: ["failed (500): no <token> here"]) {
      .json(
        #"{"error":"no \#(token(of: $0).uppercased()) here"}"#, status: "500 Internal Server Error")
    },
    ServerFault("token in a host name", says: ["another address, http://<token>.example"]) {
      redirect("http://\(token(of: $0).uppercased()).example/")
    },
    ServerFault(
      "token in a content type", says: ["the answer is text/<token>"], statusSays: notClanky
    ) { StubReply(headers: [("Content-Type", "text/\(token(of: $0))")]) },
    ServerFault("token in headers and a page", says: notClanky) { request in
      let token = token(of: request)
      return StubReply(
        headers: [
          ("Content-Type", "text/html"), ("Set-Cookie", "a=\(token)"),
          ("Location", "/?\(token)"), ("X-\(token)", token),
        ], body: Array("<html>\(token)</html>".utf8))
    },
    ServerFault("escapes and the token in a reason phrase", says: ["rejected the request (418)"]) {
      StubReply(status: "418 \u{1B}[31m\(token(of: $0))\u{1B}[0m")
    },
    ServerFault(
      "escapes in a content type", says: notClanky,
      StubReply(headers: [("Content-Type", "text/\u{1B}[2Jevil")])),
    ServerFault("escapes and the token in an error", says: ["failed (500)"]) {
      .json(
        #"{"error":"\u001b]0;owned\u0007\u202e \#(token(of: $0)) \u2028 here"}"#,
        status: "500 Internal Server Error")
    },
  ]

  static let all = statuses + detours + framing + echoes
}
