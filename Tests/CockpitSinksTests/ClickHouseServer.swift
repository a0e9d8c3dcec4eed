import CockpitSinks
import Foundation
import Networking
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// ClickHouse's engine in a process of Python, behind HTTP.
final class ClickHouseServer {
  static let isInstalled = ServerProcess.works("python3 -c 'import chdb'")

  let port: Int
  private let process = Process()

  init() throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Vectors/clickhouse-server.py")
    process.arguments = ["python3", script.path()]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(Int(line.trimmed))
  }

  /// A request of a sink.
  static func http(_ request: SinkRequest, _ port: Int) -> SinkReply {
    let query = request.url.query.map {
      "\($0.name)=\($0.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }.joined(separator: "&")
    guard let answer = ServerProcess.post(port, "/?\(query)", request.body) else {
      return .failed("the connection was lost")
    }
    return .answer(
      status: answer.status, headers: [], body: Array(answer.body.utf8), retryAfterMs: nil)
  }

  func run(_ sql: String) -> String? {
    guard let answer = ServerProcess.post(port, "/", Array(sql.utf8)), answer.status == 200 else {
      return nil
    }
    return answer.body
  }

  func stop() {
    // The engine takes SIGTERM for itself.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Requests of a sink or of a reader.
  var http: SinkHTTP {
    let port = port
    return { Self.http($0, port) }
  }
}
