import CockpitStores

/// What is looked for in the log once for each new row, and not with every frame. A cache and
/// nothing else: whatever it has forgotten it looks for again.
@MainActor
final class CommandCaches {
  private var login: (end: RowID, atMs: Int64?) = (0, nil)

  nonisolated init() {}

  /// When the bot last logged in, in ms since 1970, as far as the kept rows say (contract 3.6); nil
  /// when none of them does.
  func loggedInAt(_ log: ActionLog) -> Int64? {
    if login.end > log.endRow { login = (0, nil) }
    let start = max(login.end, log.firstRow)
    if start < log.endRow {
      for id in start..<log.endRow {
        guard let row = log.row(id), row.kind == "bot_lifecycle",
          row.content(limit: 40) == "bot_logged_in"
        else { continue }
        login.atMs = max(login.atMs ?? .min, row.timeMs)
      }
      login.end = log.endRow
    }
    return login.atMs
  }
}
