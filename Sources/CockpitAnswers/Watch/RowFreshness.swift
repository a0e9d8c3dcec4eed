package import CockpitStores
internal import CockpitDomain

/// Tells rows that happened while somebody watched from those of a snapshot, of a repair after a lost connection, and
/// of a replay: only the former raise an alarm.
package struct RowFreshness: Hashable, Sendable {
  /// When watching began, in ms since 1970 on the backend's clock.
  package var sinceMs: Int64
  /// Which of the rows that did not come live count.
  package var stored: Stored

  package enum Stored: Hashable, Sendable {
    case none
    /// While the bot is polled no row is live: those of a moment ago.
    case recent
    /// A single look, which knows no stream: all since the look before.
    case all
  }

  /// A polled row older than this was missed, not new, in ms.
  private static let recentMs: Int64 = 60_000

  package init(sinceMs: Int64, stored: Stored = .none) {
    self.sinceMs = sinceMs
    self.stored = stored
  }

  package func isLive(_ row: ActionRowView, nowMs: Int64) -> Bool {
    guard !row.isGap, !row.isOfFormerLog, row.timeMs >= sinceMs else { return false }
    if !row.sources.isDisjoint(with: [.activity, .voice]) { return true }
    switch stored {
    case .none: return false
    case .recent: return nowMs - row.timeMs <= Self.recentMs
    case .all: return true
    }
  }
}
