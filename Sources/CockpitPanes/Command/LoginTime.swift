import CockpitStores

/// When the bot last logged in, which is looked for once in each row of the log.
struct LoginTime: Hashable, Sendable {
  private var cursor = LogCursor()
  /// In ms since 1970, according to the stored rows (contract 3.6); nil if none says.
  private(set) var ms: Int64?

  /// Reads the rows since the last call.
  @MainActor mutating func follow(_ log: ActionLog) {
    let changes = cursor.changes(in: log)
    if changes.isRestart { ms = nil }
    for id in changes.newer {
      guard let row = log.row(id), row.kind == "bot_lifecycle",
        row.content(limit: 40) == "bot_logged_in"
      else { continue }
      ms = max(ms ?? .min, row.timeMs)
    }
  }
}
