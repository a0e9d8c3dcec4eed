/// Actions per minute of one guild, from the rows of the log. It follows the log: each row is read once.
struct GuildRates {
  private let scope: GuildScope
  private var cursor = LogCursor(startsOver: true)
  private var rates = MinuteRates()

  init(_ scope: GuildScope) { self.scope = scope }

  /// - Parameter nowMs: on the backend's clock, in ms since 1970; rows of long before count nowhere.
  mutating func rates(of log: ActionLog, nowMs: Int64) -> MinuteRates {
    let changes = cursor.changes(in: log)
    if changes.isRestart { rates = MinuteRates() }
    guard !changes.newer.isEmpty, let places = log.places(of: scope) else { return rates }
    for row in changes.newer {
      let record = log.records[row]
      guard places[Int(record.place)], record.flags.isDisjoint(with: [.gap, .former]) else {
        continue
      }
      rates.add(timeMs: record.timeMs, failed: log.isFailure(row), nowMs: nowMs)
    }
    return rates
  }
}
