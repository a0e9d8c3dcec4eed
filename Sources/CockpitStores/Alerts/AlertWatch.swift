internal import LenientJSON
internal import ClankyWire

/// Finds the events among the rows that came since the last look.
///
/// Rows that were there when the program began are history, and so is what a snapshot or a repair
/// brings from before: only what a stream told as it happened, or what happened while the program
/// ran, counts.
package struct AlertWatch: Hashable, Sendable {
  /// Rows that are looked at for one frame: more than any screen, far fewer than a flood.
  private static let budget = 2000

  private var cursor = LogCursor(.end)
  private var isWatching = false
  /// When the program first saw rows, on the backend's clock.
  private var sinceMs: Int64 = 0
  /// Voice turns and messages that were told already: several rows tell of one.
  private var told: [String] = []

  package init() {}

  /// - Parameter isHeard: whether the first snapshot is here.
  @MainActor
  package mutating func news(
    in log: ActionLog, names: any NameDirectory, isHeard: Bool, nowMs: Int64
  ) -> [Alert] {
    guard isWatching || isHeard else { return [] }
    let newer = cursor.changes(in: log).newer
    if !isWatching {
      isWatching = true
      sinceMs = nowMs
    }
    var alerts: [Alert] = []
    for id in newer.suffix(Self.budget) {
      guard let row = log.row(id), !row.isOfFormerLog, isNew(row),
        let alert = Alert(row: row, names: names),
        isFirst(alert, row)
      else { continue }
      alerts.append(alert)
    }
    return alerts
  }

  private func isNew(_ row: ActionRowView) -> Bool {
    row.timeMs >= sinceMs || !row.sources.isDisjoint(with: [.activity, .voice])
  }

  private mutating func isFirst(_ alert: Alert, _ row: ActionRowView) -> Bool {
    guard alert.kind == .directAddress else { return true }
    let metadata = row.metadata()
    let key = metadata["triggerMessageId"]?.string ?? row.messageID ?? "\(row.timeMs)"
    guard !told.contains(key) else { return false }
    told.append(key)
    if told.count > 100 { told.removeFirst() }
    return true
  }
}
