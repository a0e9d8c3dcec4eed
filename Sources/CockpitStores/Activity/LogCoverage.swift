internal import CockpitDomain

/// The server time from which the stored rows are complete.
///
/// A count of rows, or the word "none", is true only for a covered range; for earlier times the
/// screen says where the rows begin. Read it as `activity.coverage.beginMs(kinds: ["llm_call"])`.
///
/// - A requested list is a *claim* (`RowClaim`): the first 220 rows, the answers of a fill, a
///   comparison or a history request. The streams then keep it true.
/// - A *hole* is a range with missing rows: everything before it is partial, unless a later list of
///   the same kinds covers it. An open hole counts until its rows are stored; one that cannot be
///   filled counts for good.
/// - Evicted rows are not stored: everything up to their time is partial, for all kinds.
///
/// It does not cover the time after the last received byte (see `ConnectionStore`), nor rows that
/// could not be read (see `ActionTotals.rejected`).
package struct LogCoverage: Sendable, Equatable {
  /// The start of coverage if all rows of the backend are stored.
  package static let everything = Int64.min

  private struct Claim: Sendable, Equatable {
    let claim: RowClaim
    /// Later ones are higher, those of holes included.
    let serial: Int

    func covers(_ kind: String?, _ guild: String?) -> Bool {
      if let own = claim.guild, own != guild { return false }
      guard let kinds = claim.kinds else { return true }
      return kind.map(kinds.contains) ?? false
    }
  }

  private struct Hole: Sendable, Equatable {
    /// The ids that are missing; nil while they are being fetched.
    var ids: ClosedRange<Int>?
    /// Server time in ms since 1970: from the row before the hole to the one after it.
    var fromMs: Int64
    var toMs: Int64
    var serial: Int
  }

  private var claims: [Claim] = []
  private var holes: [Hole] = []
  private var serial = 0
  /// The time of the newest evicted row.
  var evictedMs: Int64?

  /// Holes that are kept apart; of more the oldest become one.
  private static let maximumHoles = 32

  package init() {}

  // MARK: Reading

  /// The server time in ms since 1970 from which every row of these kinds is stored.
  ///
  /// - Parameters:
  ///   - kinds: exact names; nil means all kinds, unknown ones included.
  ///   - guild: only rows of this guild; nil means all guilds, and rows without one.
  /// - Returns: `LogCoverage.everything` if all rows of the backend are stored; nil if unknown.
  package func beginMs(kinds: Set<String>? = nil, guild: String? = nil) -> Int64? {
    guard !claims.isEmpty else { return nil }
    var begin = Self.everything
    if let kinds {
      // One claim for all kinds is the usual answer; it is worked out once.
      let general = beginMs(of: nil, guild)
      for kind in kinds {
        let isNamed = claims.contains { $0.claim.kinds?.contains(kind) ?? false }
        guard let ms = isNamed ? beginMs(of: kind, guild) : general else { return nil }
        begin = max(begin, ms)
      }
    } else {
      guard let ms = beginMs(of: nil, guild) else { return nil }
      begin = ms
    }
    guard let evictedMs else { return begin }
    return max(begin, Self.after(evictedMs))
  }

  /// Whether every row of these kinds since a server time (ms since 1970) is stored.
  package func isComplete(
    sinceMs: Int64, kinds: Set<String>? = nil, guild: String? = nil
  ) -> Bool {
    beginMs(kinds: kinds, guild: guild).map { $0 <= sinceMs } ?? false
  }

  private func beginMs(of kind: String?, _ guild: String?) -> Int64? {
    let covering = claims.filter { $0.covers(kind, guild) }
    let open = holes.filter { hole in
      !covering.contains { $0.serial > hole.serial && $0.claim.fromMs <= hole.fromMs }
    }
    return covering.map { claim in
      open.reduce(claim.claim.fromMs) { begin, hole in
        hole.serial > claim.serial && hole.toMs >= begin ? Self.after(hole.toMs) : begin
      }
    }.min()
  }

  private static func after(_ ms: Int64) -> Int64 { ms < .max ? ms + 1 : ms }

  // MARK: Claims and holes

  /// Adds a list that was requested after the last hole was found.
  mutating func add(_ claim: RowClaim) {
    let isKnown = claims.contains { known in
      Self.contains(known.claim, claim) && !holes.contains { $0.serial > known.serial }
    }
    guard !isKnown else { return }
    serial += 1
    claims.removeAll { Self.contains(claim, $0.claim) }
    claims.append(Claim(claim: claim, serial: serial))
    if claim.kinds == nil, claim.guild == nil {
      holes.removeAll { $0.ids != nil && claim.fromMs <= $0.fromMs }
    }
  }

  /// Whether one claim says all that another one says.
  private static func contains(_ claim: RowClaim, _ other: RowClaim) -> Bool {
    guard claim.fromMs <= other.fromMs, claim.guild == nil || claim.guild == other.guild else {
      return false
    }
    guard let kinds = claim.kinds else { return true }
    return other.kinds?.isSubset(of: kinds) ?? false
  }

  /// Rows of a stretch of server time may be missing and are being fetched. One that is open already
  /// grows.
  mutating func openHole(fromMs: Int64, toMs: Int64) {
    serial += 1
    var hole = Hole(ids: nil, fromMs: fromMs, toMs: max(fromMs, toMs), serial: serial)
    if let known = holes.firstIndex(where: { $0.ids == nil }) {
      hole.fromMs = min(hole.fromMs, holes[known].fromMs)
      hole.toMs = max(hole.toMs, holes[known].toMs)
      holes.remove(at: known)
    }
    keep(hole)
  }

  /// The rows of the open hole were fetched, or their ids are known.
  mutating func closeOpenHole() { holes.removeAll { $0.ids == nil } }

  /// Rows in a range of server time are missing, and their ids are known.
  mutating func addHole(ids: ClosedRange<Int>, fromMs: Int64, toMs: Int64) {
    serial += 1
    keep(Hole(ids: ids, fromMs: fromMs, toMs: max(fromMs, toMs), serial: serial))
  }

  /// Rows that were missing have been fetched.
  mutating func removeHole(ids: ClosedRange<Int>) { holes.removeAll { $0.ids == ids } }

  private mutating func keep(_ hole: Hole) {
    holes.append(hole)
    guard holes.count > Self.maximumHoles,
      let first = holes.firstIndex(where: { $0.ids != nil }),
      let second = holes[(first + 1)...].firstIndex(where: { $0.ids != nil })
    else { return }
    let (older, newer) = (holes[first], holes[second])
    // Without real ids, so that no fill can close it.
    holes[second] = Hole(
      ids: .min ... .max, fromMs: min(older.fromMs, newer.fromMs),
      toMs: max(older.toMs, newer.toMs), serial: max(older.serial, newer.serial))
    holes.remove(at: first)
  }
}
