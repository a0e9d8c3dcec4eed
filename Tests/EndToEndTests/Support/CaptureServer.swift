import Foundation

/// The recorded backend on a port of its own: both streams with their real chunks, REST bodies by
/// `rest/index.json`, the token by header.
final class CaptureServer {
  /// What a stream does; the argument counts its connections from 0.
  typealias Script = @Sendable (_ connection: Int) -> [StreamStep]

  let server: StubServer
  var url: String { server.url }

  /// - Parameters:
  ///   - activity: instead of the whole recorded stream, which then stays open.
  ///   - actions: answers `GET /api/actions`, instead of the recorded rows.
  init(
    activity: Script? = nil, voice: Script? = nil,
    actions: (@Sendable (StubRequest) -> StubReply)? = nil
  ) throws {
    let rest = try RestRecordings()
    let activityHeaders = try Captures.headers("activity.headers.txt")
    let voiceHeaders = try Captures.headers("voice.headers.txt")
    let activity = try activity ?? Self.whole("activity")
    let voice = try voice ?? Self.whole("voice")
    let counter = ConnectionCounter()
    server = try StubServer { request in
      guard request.headers["x-dashboard-token"] == Captures.token else { return rest.unauthorized }
      switch request.path {
      case "/api/activity/events":
        return StubReply(
          headers: activityHeaders, steps: activity(counter.next(request.path)))
      case "/api/voice/events":
        return StubReply(headers: voiceHeaders, steps: voice(counter.next(request.path)))
      case "/api/actions":
        return actions?(request) ?? rest.answer(request)
      default: return rest.answer(request)
      }
    }
  }

  deinit { server.stop() }

  /// A recorded stream as it came, then heartbeats.
  static func whole(_ stream: String) throws -> Script {
    let chunks = try Captures.chunks(stream)
    return { _ in chunks.map { .chunk($0) } + [.stayAlive] }
  }

  /// A recorded stream up to the end of the first event of this name, then heartbeats: whoever comes
  /// when sees the same.
  static func upTo(_ event: String, of stream: String) throws -> Script {
    let bytes = Data(try Captures.chunks(stream).joined())
    guard let start = bytes.firstRange(of: Data("event: \(event)\n".utf8)),
      let end = bytes[start.upperBound...].firstRange(of: Data("\n\n".utf8))
    else { return try whole(stream) }
    let head = Array(bytes[..<end.upperBound])
    return { _ in [.chunk(head), .stayAlive] }
  }

  /// A recorded stream that ends in an orderly way.
  static func ending(_ stream: String) throws -> Script {
    let chunks = try Captures.chunks(stream)
    return { _ in chunks.map { .chunk($0) } }
  }
}

/// Counts the connections of each path; `@unchecked Sendable` because `lock` guards `counts`.
private final class ConnectionCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var counts: [String: Int] = [:]

  func next(_ path: String) -> Int {
    lock.withLock {
      defer { counts[path, default: 0] += 1 }
      return counts[path] ?? 0
    }
  }
}

/// The recorded answers, by method and target; a target with other query items gets the answer of
/// its path.
private struct RestRecordings: Sendable {
  private var byTarget: [String: StubReply] = [:]
  private var byPath: [String: StubReply] = [:]
  private(set) var unauthorized = StubReply()
  private var unknown = StubReply()

  init() throws {
    let index = try PlainAction.objects(
      String(decoding: try Captures.bytes("rest/index.json"), as: UTF8.self))
    for row in index {
      guard let method = row["method"] as? String, let target = row["path"] as? String,
        let status = row["status"] as? Int, let file = row["file"] as? String
      else { continue }
      let headers = (row["headers"] as? String).flatMap { try? Captures.headers("rest/\($0)") }
      let reply = StubReply(
        status: "\(status) Recorded", headers: headers ?? [],
        body: (try? Captures.bytes("rest/\(file)")) ?? [])
      if row["auth"] as? String != nil, status == 401 { unauthorized = reply }
      if target == "/api/no-such-endpoint" { unknown = reply }
      guard status == 200, !file.hasPrefix("AUTH_") else { continue }
      let key = "\(method) \(target)"
      if byTarget[key] == nil { byTarget[key] = reply }
      let path = "\(method) \(target.split(separator: "?").first ?? "")"
      if byPath[path] == nil { byPath[path] = reply }
    }
  }

  func answer(_ request: StubRequest) -> StubReply {
    byTarget["\(request.method) \(request.target)"] ?? byPath["\(request.method) \(request.path)"]
      ?? unknown
  }
}
