internal import ClankyWire
package import CockpitDomain

/// The sequence of requests for rows that do not fit in one answer: one part at a time, divided
/// further if it is still too large.
///
/// The backend cannot exclude kinds, so of the unknown kinds only those already seen are requested.
/// An answer for one guild reaches further back than one for all guilds and may reveal more kinds.
package struct FillPlan: Sendable, Equatable {
  private let root: FillPart
  private var queue: [FillPart] = []
  private var isDivided = false
  /// Requested kinds that belong to no known group.
  private var named: Set<String> = []

  /// More kinds than this do not go into one request: its line has an end too.
  private static let maximumNamed = 40
  private static let known = Set(ActionsRoute.kindGroups.joined())

  /// A plan for dividing `root`, which itself has already been requested.
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

  /// The next request; nil if there is none.
  ///
  /// - Parameter seen: kinds and guilds of the rows received so far.
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

  /// Whether a name can appear in a comma-separated list. Names are remote text: overlong ones are
  /// rejected.
  static func isAskable(_ kind: String) -> Bool {
    (1...80).contains(kind.utf8.count) && !kind.contains(",")
  }
}
