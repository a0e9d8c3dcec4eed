import GRDB

extension DemoStore {
  /// Deletes the rows of a reflection run; returns how many there were.
  func deleteReflection(_ runID: String) throws -> Int {
    let removed = try database.write { db in
      try db.execute(
        sql: """
          DELETE FROM actions WHERE kind LIKE 'memory_reflection_%' AND instr(metadata, ?) > 0
          """, arguments: ["\"runId\":" + DemoJSON.string(runID).text])
      return db.changesCount
    }
    rowCount -= removed
    return removed
  }

  /// Deletes the reflection rows of a guild; returns how many there were.
  func deleteReflections(guild: String) throws -> Int {
    let removed = try database.write { db in
      try db.execute(
        sql: """
          DELETE FROM actions WHERE kind LIKE 'memory_reflection_%' AND guild_id = ?
          """, arguments: [guild])
      return db.changesCount
    }
    rowCount -= removed
    return removed
  }

  /// Messages of a guild that left a row, which is what the bot remembers of conversations.
  func conversationRows(guild: String, since ms: Int64) throws -> Int {
    try database.read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT COUNT(DISTINCT message_id) FROM actions
            WHERE guild_id = ? AND created_ms >= ? AND message_id IS NOT NULL
          """, arguments: [guild, ms]) ?? 0
    }
  }
}
