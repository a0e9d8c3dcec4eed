import CockpitStores

/// Names for ids, with a short form of the id if the name is unknown: the backend has no look-up
/// for users (contract 6.1), so a name is known only once a voice session has shown it.
package struct Names: Sendable {
  package let directory: any NameDirectory

  package init(_ directory: any NameDirectory) { self.directory = directory }

  package func user(_ id: String) -> String { directory.userName(id) ?? "user \(Self.short(id))" }
  package func channel(_ id: String) -> String { directory.channelName(id) ?? Self.short(id) }
  package func guild(_ id: String) -> String {
    directory.guildName(id) ?? "guild \(Self.short(id))"
  }

  /// A fact's subject: usually a user id, or one of three special values (contract 6.1).
  package func subject(_ id: String) -> String {
    switch id {
    case "__lore__": "Community"
    case "__self__": "Clanky"
    case "__owner__": "Owner private"
    default: id.allSatisfy { $0.isASCII && $0.isNumber } && !id.isEmpty ? user(id) : id
    }
  }

  /// The last five digits distinguish the ids of one server.
  private static func short(_ id: String) -> String { id.count > 8 ? "…\(id.suffix(5))" : id }
}
