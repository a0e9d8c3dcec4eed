/// The demo's state for tests in other processes, so that they can compare the display with it. No
/// credentials; off by default, like the fault control.
enum TestRoutes {
  /// The action log, oldest first and without a maximum.
  static let rows = "/__demo/rows"
  /// The requests that were answered, oldest first.
  static let log = "/__demo/log"

  /// - Parameter request: `kinds`, `guildId` and `sinceMs` (ms since 1970) narrow the list.
  static func rows(_ request: HTTPRequest, _ store: DemoStore) -> HTTPReply {
    var query = ActionQuery(limit: .max, oldestFirst: true)
    query.kinds = (request.query("kinds") ?? "").split(separator: ",").map(String.init)
    query.guild = request.text("guildId")
    query.since = request.query("sinceMs").flatMap(Int64.init)
    return .json(.array(store.actions(query).map(\.json)))
  }

  /// - Parameter request: `since` is the number of the first request that is wanted; numbers count
  ///   from 1.
  static func log(_ request: HTTPRequest, _ requestLog: RequestLog) -> HTTPReply {
    let since = request.query("since").flatMap(Int.init) ?? 1
    return .json([
      "requests": .array(requestLog.records.filter { $0.number >= since }.map(\.json)),
      "dropped": .int(requestLog.dropped),
    ])
  }
}
