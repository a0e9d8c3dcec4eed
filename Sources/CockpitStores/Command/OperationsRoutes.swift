internal import LenientJSON
internal import Networking
internal import ClankyWire

/// The requests of CMD (contract 3.2, 3.4, 3.5).
extension RestRequest {
  /// Time limit for joining voice and other work that the bot does before it answers, in ms: it
  /// connects to Discord and to the provider first, which takes tens of seconds (contract 3.4.1).
  static let patientMs = 60_000
  /// The largest number of automations and of their runs that one request returns (contract 3.2).
  static let automationLimit = 120
  static let runLimit = 30
  /// The backend looks at twenty rows for each of these at most (contract 7.3).
  static let browserSessionLimit = 100

  static func channels(guild: String) -> RestRequest {
    RestRequest(.get, RequestTarget(["api", "guilds", guild, "channels"]))
  }

  static func automations(guild: String) -> RestRequest {
    RestRequest(
      .get,
      RequestTarget(
        ["api", "automations"],
        query: [.init("guildId", guild), .init("limit", "\(automationLimit)")]))
  }

  static func automationRuns(guild: String, automation: Int) -> RestRequest {
    RestRequest(
      .get,
      RequestTarget(
        ["api", "automations", "runs"],
        query: [
          .init("guildId", guild), .init("automationId", "\(automation)"),
          .init("limit", "\(runLimit)"),
        ]))
  }

  static let browserSessions = RestRequest(
    .get,
    RequestTarget(
      ["api", "agents", "browser-sessions"],
      query: [.init("sinceHours", "24"), .init("limit", "\(browserSessionLimit)")]))

  static let settings = RestRequest(.get, RequestTarget(["api", "settings"]))
  static let oauthStatus = RestRequest(.get, RequestTarget(["api", "oauth", "status"]))

  static func join(_ request: JoinRequest) -> RestRequest {
    post(["api", "voice", "join"], request.body)
  }

  static func leave(guild: String?) -> RestRequest {
    post(["api", "voice", "leave"], .body([("guildId", guild.map(JSONValue.string))]))
  }

  static func refreshMemory(guild: String?) -> RestRequest {
    post(["api", "memory", "refresh"], .body([("guildId", guild.map(JSONValue.string))]))
  }

  private static func post(_ path: [String], _ body: JSONValue) -> RestRequest {
    RestRequest(
      .post, RequestTarget(path), body: Array(body.serialized().utf8), totalMs: patientMs)
  }
}
