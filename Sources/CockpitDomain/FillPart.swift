/// What one request for rows is for. An answer has the newest 1,000 rows and nothing tells it to go
/// further back, so what does not fit is asked for by kinds, and those by guilds (wire contract 3.2).
package struct FillPart: Sendable, Equatable {
  /// Exact names. Empty: all of them.
  package var kinds: [String]
  /// Nil: all of them, and rows without a guild, which no request for a guild gives.
  package var guild: String?

  /// More guilds than this are not asked for one by one.
  package static let maximumGuilds = 16

  /// Everything, but for what is named.
  package init(kinds: [String] = [], guild: String? = nil) {
    self.kinds = kinds
    self.guild = guild
  }

  /// Everything at once.
  package var isAll: Bool { kinds.isEmpty && guild == nil }

  /// What to ask for instead when one answer cannot hold it: halves of its kinds, then guilds. One kind of
  /// one guild cannot be divided.
  package func divided(by seen: SeenParts) -> [FillPart] {
    guard kinds.count < 2 else {
      return [kinds[..<(kinds.count / 2)], kinds[(kinds.count / 2)...]].map {
        FillPart(kinds: Array($0), guild: guild)
      }
    }
    guard guild == nil, (2...Self.maximumGuilds).contains(seen.guilds.count) else { return [] }
    return seen.guilds.sorted().map { FillPart(kinds: kinds, guild: $0) }
  }
}
