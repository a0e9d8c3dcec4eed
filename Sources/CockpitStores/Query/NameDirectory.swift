/// Names for ids. Actions carry only ids (contract 9.1), so names come from elsewhere.
package protocol NameDirectory: Sendable {
  func userName(_ id: String) -> String?
  /// All names by which a query finds somebody.
  func userNames(_ id: String) -> Set<String>
  func channelName(_ id: String) -> String?
  func guildName(_ id: String) -> String?
  /// The source that the rows are of, where several are shown; nil for one source.
  var sourceName: String? { get }
  /// Changes when a name does.
  var revision: Int { get }
}

extension NameDirectory {
  package var sourceName: String? { nil }
  package func userNames(_ id: String) -> Set<String> { Set([userName(id)].compactMap(\.self)) }
}

/// No names: ids are shown instead.
package struct NoNames: NameDirectory {
  package init() {}

  package func userName(_ id: String) -> String? { nil }
  package func channelName(_ id: String) -> String? { nil }
  package func guildName(_ id: String) -> String? { nil }
  package var revision: Int { 0 }
}

/// Names in dictionaries.
package struct NameTable: NameDirectory {
  package var users: [String: String] { didSet { revision += 1 } }
  package var channels: [String: String] { didSet { revision += 1 } }
  package var guilds: [String: String] { didSet { revision += 1 } }
  package var sourceName: String? { didSet { revision += 1 } }
  package private(set) var revision = 0

  package init(
    users: [String: String] = [:], channels: [String: String] = [:], guilds: [String: String] = [:]
  ) {
    self.users = users
    self.channels = channels
    self.guilds = guilds
  }

  package func userName(_ id: String) -> String? { users[id] }
  package func channelName(_ id: String) -> String? { channels[id] }
  package func guildName(_ id: String) -> String? { guilds[id] }
}
