/// What one request of a gap fill is for. An answer has the newest 1,000 rows and nothing tells it to go
/// further back, so what does not fit is asked for by kinds, and those by guilds (wire contract 3.2).
struct FillPart: Sendable, Equatable {
  /// Empty: all of them.
  var kinds: [String] = []
  /// Nil: all of them, and rows without a guild, which no request for a guild gives.
  var guild: String?

  /// More guilds than this are not asked for one by one.
  static let maximumGuilds = 16

  /// Everything at once.
  var isAll: Bool { kinds.isEmpty && guild == nil }

  /// What to ask for instead when one answer cannot hold it: the known groups of kinds and the others
  /// that were seen, then halves, then guilds. One kind of one guild cannot be divided.
  func divided(by seen: SeenParts) -> [FillPart] {
    if kinds.isEmpty {
      let others = seen.kinds.subtracting(GapRepair.kindGroups.joined()).filter(Self.isAskable)
      return GapRepair.kindGroups.map { FillPart(kinds: $0) }
        + (others.isEmpty ? [] : [FillPart(kinds: others.sorted())])
    }
    if kinds.count > 1 {
      return [kinds[..<(kinds.count / 2)], kinds[(kinds.count / 2)...]].map {
        FillPart(kinds: Array($0), guild: guild)
      }
    }
    guard guild == nil, (2...Self.maximumGuilds).contains(seen.guilds.count) else { return [] }
    return seen.guilds.sorted().map { FillPart(kinds: kinds, guild: $0) }
  }

  /// Whether a name can stand in a list with commas. Names are remote text: a long one is none.
  private static func isAskable(_ kind: String) -> Bool {
    (1...80).contains(kind.utf8.count) && !kind.contains(",")
  }
}
