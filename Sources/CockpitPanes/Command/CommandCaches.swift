import CockpitStores

/// What is looked for in the log once for each new row, and not with every frame. A cache and
/// nothing else: whatever it has forgotten it looks for again.
@MainActor
final class CommandCaches {
  private var cursor = LogCursor()
  private var loginMs: Int64?

  nonisolated init() {}

  /// When the bot last logged in, in ms since 1970, as far as the kept rows say (contract 3.6); nil
  /// when none of them does.
  func loggedInAt(_ log: ActionLog) -> Int64? {
    let changes = cursor.changes(in: log)
    if changes.isRestart { loginMs = nil }
    for id in changes.newer {
      guard let row = log.row(id), row.kind == "bot_lifecycle",
        row.content(limit: 40) == "bot_logged_in"
      else { continue }
      loginMs = max(loginMs ?? .min, row.timeMs)
    }
    return loginMs
  }
}
