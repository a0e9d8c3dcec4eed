internal import CockpitDomain
internal import LenientJSON
internal import ClankyWire

/// Finds alerts among the rows that arrived since the last call.
///
/// Rows from before the start are history, and so are older rows from a snapshot or repair: only
/// rows that came live, or that happened while the program ran, count.
package struct AlertWatch: Hashable, Sendable {
  /// Rows checked per frame: more than any screen shows, far fewer than a flood.
  private static let budget = 2000

  private var cursor = LogCursor(.end)
  private var isWatching = false
  /// When the program first saw rows, on the backend's clock.
  private var sinceMs: Int64 = 0
  /// Voice turns and messages already reported: several rows may belong to one.
  private var told: [String] = []
  private let takesStored: Bool

  /// - Parameter takesStored: whether rows that were filled in count when they happened while the program ran.
  package init(takesStored: Bool = true) { self.takesStored = takesStored }

  /// - Parameter isHeard: whether the first snapshot has arrived.
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
    takesStored && row.timeMs >= sinceMs || !row.sources.isDisjoint(with: [.activity, .voice])
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
