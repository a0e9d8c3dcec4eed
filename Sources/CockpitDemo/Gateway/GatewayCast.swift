extension Cast {
  /// The invented household behind the demo gateway.
  enum Gateway {
    struct Agent: Sendable {
      var id: String
      var name: String
    }

    static let host = "lantern"
    static let home = "/home/ines"
    static let agents = [
      Agent(id: "heron", name: "Heron"), Agent(id: "moss", name: "Moss"),
      Agent(id: "tally", name: "Tally"),
    ]
    /// The operator who answers from elsewhere.
    static let other = "Oskar's phone"
    static let model = "birch-1"
    static let provider = "birch"

    static func agent(_ id: String) -> Agent? { agents.first { $0.id == id } }
    static func mainKey(_ agent: String) -> String { "agent:\(agent):main" }
    /// Where a channel's conversation with Heron lives.
    static let channelKey = "agent:heron:discord:channel:44107"

    /// The agent that a session key names.
    static func owner(_ key: String) -> String? {
      let parts = key.split(separator: ":")
      guard parts.count > 1, parts[0] == "agent" else { return nil }
      return agent(String(parts[1]))?.id
    }
  }
}
