/// A range of row ids that are missing.
package struct IDGap: Sendable, Equatable {
  /// First missing id.
  package let from: Int
  /// Last missing id (inclusive).
  package let to: Int
  /// Where the gap belongs in time: the newest row known before it, milliseconds since 1970
  /// (server time).
  package let atMs: Int64
  /// True once the backend has confirmed that it does not have the rows. False if it did not
  /// answer; it is asked again.
  package let isAnswered: Bool
  /// Whether the rows may exist but lie beyond the newest 1,000 that the backend returns.
  package let isOutOfReach: Bool

  /// A gap from the first to the last missing id.
  package init(
    from: Int, to: Int, atMs: Int64, isAnswered: Bool = true, isOutOfReach: Bool = false
  ) {
    self.from = from
    self.to = to
    self.atMs = atMs
    self.isAnswered = isAnswered
    self.isOutOfReach = isOutOfReach
  }
}

extension IDGap {
  /// `id 998`, `ids 496 to 994`.
  package var ids: String { from == to ? "id \(from)" : "ids \(from) to \(to)" }
}

/// The times of the rows on either side of a hole, ms since 1970; nil if unknown.
package struct HoleBounds: Sendable, Equatable {
  package var beforeMs: Int64?
  package var afterMs: Int64?

  /// Defaults to unknown bounds.
  package init(beforeMs: Int64? = nil, afterMs: Int64? = nil) {
    self.beforeMs = beforeMs
    self.afterMs = afterMs
  }

  /// A moment moved between the two.
  package func nearest(to ms: Int64) -> Int64 { max(min(ms, afterMs ?? ms), beforeMs ?? .min) }
}

/// Kinds and guilds seen so far: the values by which a request can be divided (wire contract 3.2).
package struct SeenParts: Sendable, Equatable {
  package var kinds: Set<String>
  package var guilds: Set<String>

  /// Nothing was seen, by default.
  package init(kinds: Set<String> = [], guilds: Set<String> = []) {
    self.kinds = kinds
    self.guilds = guilds
  }
}
