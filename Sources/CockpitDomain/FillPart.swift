/// One slice of a row request. The backend returns the newest 1,000 rows and has no way to page
/// back, so a larger range is split by kind and then by guild (wire contract 3.2).
package struct FillPart: Sendable, Equatable {
  /// Exact names. Empty: all of them.
  package var kinds: [String]
  /// nil means every guild, and rows without a guild, which no guild filter returns.
  package var guild: String?

  /// Upper bound on the guilds requested one by one.
  package static let maximumGuilds = 16

  /// Defaults to everything.
  package init(kinds: [String] = [], guild: String? = nil) {
    self.kinds = kinds
    self.guild = guild
  }

  /// Everything at once.
  package var isAll: Bool { kinds.isEmpty && guild == nil }

  /// The parts to request when one answer is too small: halves of the kinds, then single guilds.
  /// One kind of one guild cannot be divided.
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
