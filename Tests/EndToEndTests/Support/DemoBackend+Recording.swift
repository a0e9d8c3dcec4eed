import Foundation
import TerminalTestKit
import Testing

extension DemoBackend {
  /// Has `record` write down the rows of a day, and waits until all are on the disk. It needs `--fault-control`.
  ///
  /// - Returns: the rows that the backend itself has of that day, oldest first.
  func record(home: TemporaryFolder) throws -> [[String: Any]] {
    let environment = Tool.environment(home: home, token: token)
    let recorder = try PipedProcess(Tool.path, ["record", "--url", url], environment: environment)
    let reply = try request("GET", "/__demo/rows")
    let own = try #require(
      try JSONSerialization.jsonObject(with: Data(reply.body)) as? [[String: Any]])
    // It begins with the rows of a day.
    let dayAgo = Date().addingTimeInterval(-86_000)
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let wanted = own.filter {
      ($0["created_at"] as? String).flatMap(format.date(from:)).map { $0 > dayAgo } ?? false
    }
    let ids = Set(wanted.compactMap { $0["id"] as? Int })
    try #require(ids.count > 1500)
    let end = Date().addingTimeInterval(60)
    while true {
      let found = try PipedProcess(
        Tool.path, ["actions", "--from-history", "--since", "24h", "--json", "--url", url],
        environment: environment)
      found.wait()
      let rows = try found.lines.flatMap { try PlainAction.objects(String($0)) }
      if ids.isSubset(of: rows.compactMap { $0["id"] as? Int }) { break }
      try #require(Date() < end, "\(found.errorText)")
    }
    recorder.signal(SIGTERM)
    recorder.wait()
    return wanted
  }
}
