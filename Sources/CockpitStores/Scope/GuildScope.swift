internal import ClankyWire

/// The guild that a screen or a verb is about; all guilds where none is named.
///
/// A row belongs to a guild only if it says so: rows without a guild (logins, settings, the media process) are in
/// no scope but `all`, as in the backend's own answers for one guild (contract 3.2).
package struct GuildScope: Hashable, Sendable {
  package static let all = GuildScope()

  /// The id of the guild; nil for all guilds.
  package var guild: String?

  package init(_ guild: String? = nil) { self.guild = guild }

  package var isAll: Bool { guild == nil }

  /// Whether something of this guild is in the scope.
  package func holds(_ guildID: String?) -> Bool { guild == nil || guild == guildID }
}

extension GuildScope {
  /// What a text names: a guild by its id or by its name, in any case of letters.
  package enum Named: Hashable, Sendable {
    case guild(String)
    /// No known guild has this name.
    case unknown
    /// More than one has it: only an id tells them apart.
    case several
  }

  /// The one rule by which a guild is named, on the screen and in verbs.
  ///
  /// - Parameter guilds: the names of the known guilds by id. A number is taken for an id although it is not
  ///   among them: the bot may have left that guild, whose rows are still there.
  package static func named(_ text: String, in guilds: [String: String]) -> Named {
    if guilds[text] != nil || isID(text) { return .guild(text) }
    let wanted = text.lowercased()
    let found = guilds.filter { $0.value.lowercased() == wanted }.keys
    guard found.count < 2 else { return .several }
    return found.first.map(Named.guild) ?? .unknown
  }

  /// Why a text names no guild, with those that there are.
  package static func problem(_ text: String, in guilds: [String: String]) -> String {
    func list(_ guilds: [String: String]) -> String {
      guilds.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(20)
        .map { "\($0.value) (\($0.key))" }.joined(separator: ", ")
    }
    if case .several = named(text, in: guilds) {
      let same = guilds.filter { $0.value.lowercased() == text.lowercased() }
      return "Several guilds are called '\(text)': \(list(same)); give the id."
    }
    return guilds.isEmpty
      ? "The backend names no guilds; check that the bot is logged in, or give the guild's id."
      : "The bot is in no guild called '\(text)'; it is in \(list(guilds))."
  }

  /// Whether a text is taken for the id of a guild: ids are numbers.
  package static func isID(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension ActionLog {
  /// By the number of a place, whether its rows belong to a guild; nil for all guilds. Good until rows come or
  /// go.
  func places(of scope: GuildScope) -> [Bool]? {
    guard let guild = scope.guild else { return nil }
    return (0..<max(1, placeTable.upperBound)).map { placeTable.payloads[$0].guild == guild }
  }

  /// Number of retained rows of a scope, gap rows only where it is `all`.
  package func count(in scope: GuildScope) -> Int {
    guard let guild = scope.guild else { return count }
    return (1..<max(1, placeTable.upperBound)).reduce(0) {
      $0 + (placeTable.payloads[$1].guild == guild ? placeTable.uses(of: UInt32($1)) : 0)
    }
  }
}

extension ActionRowView {
  /// Whether the row is in a scope. Gap rows are in every one: a hole may hide rows of any guild.
  package func isIn(_ scope: GuildScope) -> Bool { scope.isAll || isGap || scope.holds(guildID) }
}
