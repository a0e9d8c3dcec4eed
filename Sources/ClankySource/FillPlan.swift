internal import ClankyWire
package import CockpitDomain

/// Which requests get rows that one answer cannot hold: a part at a time, and what was too much is
/// divided further.
///
/// Kinds cannot be excluded, so of those that nobody knows only the ones that were seen are asked for. An
/// answer for one guild goes further back than that for all, and may show more of them.
package struct FillPlan: Sendable, Equatable {
  private let root: FillPart
  private var queue: [FillPart] = []
  private var isDivided = false
  /// Kinds in none of the known groups that have been asked for.
  private var named: Set<String> = []

  /// More kinds than this do not go into one request: its line has an end too.
  private static let maximumNamed = 40
  private static let known = Set(ActionsRoute.kindGroups.joined())

  /// A plan for what `root` says; the request for that itself has been made.
  package init(_ root: FillPart = FillPart()) { self.root = root }

  /// Takes note that one answer cannot hold a part.
  ///
  /// - Parameter isTooLarge: it had too many bytes rather than too many rows.
  /// - Returns: whether the part can be divided; if so its pieces are next.
  @discardableResult
  package mutating func divide(
    _ part: FillPart, by seen: SeenParts, isTooLarge: Bool = false
  ) -> Bool {
    var pieces: [FillPart] = []
    if part == root, root.kinds.isEmpty {
      isDivided = true
      pieces = ActionsRoute.kindGroups.map { FillPart(kinds: $0, guild: root.guild) }
      if !isTooLarge { pieces += root.divided(by: seen) }
    } else if !part.kinds.isEmpty {
      pieces = part.divided(by: seen)
    }
    queue = pieces + queue
    return !pieces.isEmpty
  }

  /// What to ask for now; nil when there is nothing more.
  ///
  /// - Parameter seen: kinds and guilds that rows were seen with by now.
  package mutating func next(_ seen: SeenParts) -> FillPart? {
    // Guilds come last: only they can show kinds that are not named yet.
    if isDivided, queue.first?.kinds.isEmpty ?? true {
      let others = seen.kinds.subtracting(Self.known).subtracting(named).filter(Self.isAskable)
      if !others.isEmpty {
        let some = others.sorted().prefix(Self.maximumNamed)
        named.formUnion(some)
        return FillPart(kinds: Array(some), guild: root.guild)
      }
    }
    return queue.isEmpty ? nil : queue.removeFirst()
  }

  /// Whether a name can stand in a list with commas. Names are remote text: a long one is none.
  static func isAskable(_ kind: String) -> Bool {
    (1...80).contains(kind.utf8.count) && !kind.contains(",")
  }
}
