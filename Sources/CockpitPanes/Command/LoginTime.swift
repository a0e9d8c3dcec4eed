import CockpitStores

/// When the bot last logged in, which is looked for once in each row of the log.
struct LoginTime: Hashable, Sendable {
  private var cursor = LogCursor()
  /// In ms since 1970, according to the stored rows (contract 3.6); nil if none says.
  private(set) var ms: Int64?
  /// The row of that login.
  private(set) var row: RowID?

  /// Reads the rows since the last call.
  @MainActor mutating func follow(_ log: ActionLog) {
    let changes = cursor.changes(in: log)
    if changes.isRestart { (ms, row) = (nil, nil) }
    for id in changes.newer {
      guard let view = log.row(id), view.kind == "bot_lifecycle",
        view.content(limit: 40) == "bot_logged_in", view.timeMs >= ms ?? .min
      else { continue }
      (ms, row) = (view.timeMs, id)
    }
  }
}
