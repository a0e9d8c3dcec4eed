import FlyingSocks
import Foundation

/// One parsed request.
struct HTTPRequest: Sendable {
  var method: String
  /// The target exactly as sent.
  var target: String
  /// Header names are lower-cased; later duplicates win, as nothing here repeats legitimately.
  var headers: [String: String]
  var body: [UInt8]
  /// The body was longer than the limit and has been discarded (contract 1.6).
  var bodyTooLarge = false

  /// The percent-encoded path without the query.
  var rawPath: String {
    String(target.prefix { $0 != "?" && $0 != "#" })
  }

  /// Decoded path segments.
  var segments: [String] {
    rawPath.split(separator: "/").map { String($0).removingPercentEncoding ?? String($0) }
  }

  /// The first value of query parameter `name`; nil if absent, empty when it has no value.
  func query(_ name: String) -> String? {
    guard let mark = target.firstIndex(of: "?") else { return nil }
    for pair in target[target.index(after: mark)...].split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard Self.formDecoded(halves[0]) == name else { continue }
      return halves.count > 1 ? Self.formDecoded(halves[1]) : ""
    }
    return nil
  }

  private static func formDecoded(_ text: Substring) -> String {
    let spaced = text.replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? String(spaced)
  }
}

/// One response with a known body.
struct HTTPReply: Sendable {
  var status: Int
  /// Sent in this order, before `Date` and `Content-Length`.
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A JSON response as the backend's framework sends it.
  static func json(
    _ value: DemoJSON, status: Int = 200, headers: [(name: String, value: String)] = []
  ) -> HTTPReply {
    HTTPReply(
      status: status, headers: headers + [("Content-Type", "application/json")],
      body: value.serialized())
  }

  /// Plain text, as the framework's default not-found handler sends it.
  static func text(_ text: String, status: Int) -> HTTPReply {
    HTTPReply(
      status: status, headers: [("Content-Type", "text/plain; charset=UTF-8")],
      body: Array(text.utf8))
  }

  /// Header block and body.
  func bytes(date: String, includeBody: Bool) -> Data {
    var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    head += "Date: \(date)\r\nContent-Length: \(includeBody ? body.count : 0)\r\n\r\n"
    var data = Data(head.utf8)
    if includeBody { data.append(contentsOf: body) }
    return data
  }

  static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 302: "Found"
    case 307: "Temporary Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 404: "Not Found"
    case 409: "Conflict"
    case 413: "Payload Too Large"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}

/// How to handle a request.
enum HTTPOutcome: Sendable {
  /// Answer and keep the connection.
  case reply(HTTPReply)
  /// Answer with an endless event stream fed by the sink.
  case stream(StreamSink)
  /// Hand over the socket, with what the client sent behind its request.
  case upgrade(@Sendable (AsyncSocket, [UInt8]) async -> Void)
  /// Close the connection without a word.
  case close
}
