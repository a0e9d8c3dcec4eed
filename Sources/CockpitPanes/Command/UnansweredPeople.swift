import ClankyWire
import CockpitAnswers
import CockpitStores
import LenientJSON

/// The people whose last model call failed, so that they got no answer: one row each.
///
/// The backend's queue does not count them: a message whose call failed waits no longer.
struct UnansweredPeople: Hashable, Sendable {
  static let kinds: Set<String> = ["llm_error", "llm_call"]

  private struct Call: Hashable, Sendable {
    var timeMs: Int64
    var row: RowID
    var guild: String?
    var channel: String?
    var hasFailed: Bool
  }

  private var cursor = LogCursor()
  private var last: [String: Call] = [:]

  /// Reads the rows since the last call.
  @MainActor mutating func follow(_ log: ActionLog) {
    let changes = cursor.changes(in: log)
    if changes.isRestart { last = [:] }
    for id in changes.newer { read(id, log) }
    for id in changes.older { read(id, log) }
  }

  @MainActor private mutating func read(_ id: RowID, _ log: ActionLog) {
    guard let row = log.row(id), !row.isGap, !row.isOfFormerLog, Self.kinds.contains(row.kind),
      let user = row.userID, !user.isEmpty, row.timeMs >= last[user]?.timeMs ?? .min,
      !TriageRule.isOwn(row.metadata()["source"]?.string)
    else { return }
    last[user] = Call(
      timeMs: row.timeMs, row: id, guild: row.guildID, channel: row.channelID,
      hasFailed: row.kind == "llm_error")
  }

  /// The rows of the failed calls, newest first, and in how many channels they were.
  func unanswered(
    sinceMs: Int64, in scope: GuildScope = .all
  ) -> (rows: [RowID], channels: Int) {
    let failed = last.values.filter {
      $0.hasFailed && $0.timeMs >= sinceMs && scope.holds($0.guild)
    }
    return (
      failed.sorted { ($0.timeMs, $0.row) > ($1.timeMs, $1.row) }.map(\.row),
      Set(failed.compactMap(\.channel)).count
    )
  }
}
