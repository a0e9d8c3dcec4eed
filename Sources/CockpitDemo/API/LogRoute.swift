import Foundation

/// `GET /__demo/log`: the demo's own log, oldest first and without a maximum, so that tests can compare
/// what is shown with what is so. No credentials; off unless tests ask for it, like the fault control.
enum LogRoute {
  static let path = "/__demo/log"

  /// - Parameter request: `kinds`, `guildId` and `sinceMs` (ms since 1970) narrow the list.
  static func answer(_ request: HTTPRequest, _ world: World) -> HTTPReply {
    var query = ActionQuery(limit: .max, oldestFirst: true)
    query.kinds = (request.query("kinds") ?? "").split(separator: ",").map(String.init)
    query.guild = request.text("guildId")
    query.since = request.query("sinceMs").flatMap(Int64.init)
    do {
      return .json(.array(try world.store.actions(query).map(\.json)))
    } catch {
      return .json(["error": .string("\(error)")], status: 500)
    }
  }
}
