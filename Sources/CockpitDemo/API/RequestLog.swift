/// A client's request, for tests.
package struct RequestRecord: Sendable, Equatable {
  /// Counts from 1; no number is used twice.
  package var number: Int
  /// The method as sent.
  package var method: String
  /// Path and query as sent.
  package var path: String
  /// When the answer was ready, in ms since 1970 on the demo's clock.
  package var timeMs: Int64
  /// Size of the request body in bytes.
  package var bodyBytes: Int
  /// The body of a PUT, POST or DELETE, cut after `RequestLog.bodyLimit` bytes; nil for other methods.
  package var body: String?
  /// Status of the answer; 0 when the connection was closed instead.
  package var status: Int

  var json: DemoJSON {
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return [
      "number": .int(number), "time": .time(timeMs), "method": .string(method),
      "path": .string(String(parts[0])), "query": .text(parts.count > 1 ? String(parts[1]) : nil),
      "status": .int(status), "bodyBytes": .int(bodyBytes), "body": .text(body),
    ]
  }
}

/// The newest requests, bounded in number and in the bytes of their bodies.
struct RequestLog: Sendable {
  /// Requests kept.
  static let limit = 10_000
  /// Bytes of a body that are kept.
  static let bodyLimit = 16_384
  /// Bytes of all bodies together.
  static let bodiesLimit = 8_388_608

  private(set) var records: [RequestRecord] = []
  private var bytes = 0
  private var count = 0

  /// Requests that were answered and are not kept any more.
  var dropped: Int { count - records.count }

  mutating func add(_ request: HTTPRequest, status: Int, at ms: Int64) {
    if records.count == Self.limit { drop(Self.limit / 2) }
    let keepsBody = ["PUT", "POST", "DELETE", "PATCH"].contains(request.method)
    let body =
      keepsBody ? String(decoding: request.body.prefix(Self.bodyLimit), as: UTF8.self) : nil
    count += 1
    bytes += body?.utf8.count ?? 0
    records.append(
      RequestRecord(
        number: count, method: request.method, path: request.target, timeMs: ms,
        bodyBytes: request.body.count, body: body, status: status))
    while bytes > Self.bodiesLimit, records.count > 1 { drop(max(1, records.count / 2)) }
  }

  private mutating func drop(_ number: Int) {
    bytes -= records.prefix(number).reduce(0) { $0 + ($1.body?.utf8.count ?? 0) }
    records.removeFirst(number)
  }
}
