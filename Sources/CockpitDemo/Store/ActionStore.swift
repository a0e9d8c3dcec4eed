import Foundation
import GRDB

/// One row of the action log as stored.
struct ActionRow: Sendable {
  var id: Int64 = 0
  var createdMs: Int64
  var guild: String?
  var channel: String?
  var message: String?
  var user: String?
  var kind: String
  /// JSON text of the content: a string literal, or `null`.
  var content: String
  /// JSON text of the metadata, or nil.
  var metadata: String?
  var cost: Double

  /// The stored shape (contract 4.1).
  var json: DemoJSON {
    [
      "id": .int(Int(id)), "created_at": .time(createdMs), "guild_id": .text(guild),
      "channel_id": .text(channel), "message_id": .text(message), "user_id": .text(user),
      "kind": .string(kind), "content": .raw(Array(content.utf8)),
      "metadata": metadata.map { .raw(Array($0.utf8)) } ?? .null, "usd_cost": .double(cost),
    ]
  }
}

extension ActionRow: FetchableRecord {
  init(row: Row) {
    self.init(
      id: row["id"], createdMs: row["created_ms"], guild: row["guild_id"],
      channel: row["channel_id"], message: row["message_id"], user: row["user_id"],
      kind: row["kind"], content: row["content"], metadata: row["metadata"],
      cost: row["usd_cost"])
  }
}

/// A filter over the action log; every part is optional.
struct ActionQuery: Sendable {
  var limit = 200
  var kinds: [String] = []
  var kindPrefix: String?
  var since: Int64?
  var guild: String?
  var sessionID: String?
  var oldestFirst = false
}

/// The SQLite database of the demo backend. Used by one actor only; every call is synchronous.
final class DemoStore {
  /// Retention of the backend (contract 4.1): 14 days and a number of rows, checked every 250
  /// writes.
  static let retentionMs = 14 * DemoTime.day
  static let pruneEvery = 250

  let database: DatabaseQueue
  private let maxRows: Int
  private var writes = 0
  /// Rows in the action log.
  var rowCount = 0

  /// Opens a new database in memory, or in a file that is replaced; throws the SQLite error.
  init(file: String?, maxRows: Int) throws {
    self.maxRows = maxRows
    if let file {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        let path = file + suffix
        if FileManager.default.fileExists(atPath: path) {
          try FileManager.default.removeItem(atPath: path)
        }
      }
      database = try DatabaseQueue(path: file)
    } else {
      database = try DatabaseQueue()
    }
    try database.write { db in
      try db.execute(sql: DemoSchema.sql)
    }
  }

  /// Stores rows in one transaction and gives them their ids.
  func insert(_ rows: [ActionRow]) throws -> [ActionRow] {
    try database.write { db in
      let statement = try db.cachedStatement(
        sql: """
          INSERT INTO actions (created_ms, guild_id, channel_id, message_id, user_id, kind,
            content, metadata, usd_cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
      return try rows.map { row in
        try statement.execute(arguments: [
          row.createdMs, row.guild, row.channel, row.message, row.user, row.kind, row.content,
          row.metadata, row.cost,
        ])
        var stored = row
        stored.id = db.lastInsertedRowID
        return stored
      }
    }
  }

  /// Rows matching `query`; newest first unless asked otherwise.
  func actions(_ query: ActionQuery) throws -> [ActionRow] {
    var conditions: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    if !query.kinds.isEmpty {
      let marks = query.kinds.map { _ in "?" }.joined(separator: ",")
      conditions.append("kind IN (\(marks))")
      arguments.append(contentsOf: query.kinds)
    }
    if let prefix = query.kindPrefix {
      conditions.append("substr(kind, 1, \(prefix.count)) = ?")
      arguments.append(prefix)
    }
    if let since = query.since {
      conditions.append("created_ms >= ?")
      arguments.append(since)
    }
    if let guild = query.guild {
      conditions.append("guild_id = ?")
      arguments.append(guild)
    }
    if let session = query.sessionID {
      conditions.append("instr(metadata, ?) > 0")
      arguments.append(session)
    }
    let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    // Rows of one millisecond come in ascending order of ids, and kind by kind where kinds are asked for.
    let order =
      (query.oldestFirst ? "ASC" : "DESC") + (query.kinds.isEmpty ? "" : ", kind") + ", id"
    arguments.append(query.limit)
    let sql = "SELECT * FROM actions \(filter) ORDER BY created_ms \(order) LIMIT ?"
    return try database.read { db in
      try ActionRow.fetchAll(db, sql: sql, arguments: StatementArguments(arguments))
    }
  }

  /// Applies the retention rules now and then; returns true when rows were removed.
  func pruneIfDue(adding count: Int, now: Int64) throws -> Bool {
    writes += count
    rowCount += count
    guard writes >= Self.pruneEvery else { return false }
    writes = 0
    return try database.write { db in
      try db.execute(
        sql: "DELETE FROM actions WHERE created_ms < ?", arguments: [now - Self.retentionMs])
      var removed = db.changesCount
      let excess = rowCount - removed - maxRows
      if excess > 0 {
        try db.execute(
          sql: """
            DELETE FROM actions WHERE id IN
              (SELECT id FROM actions ORDER BY created_ms ASC LIMIT ?)
            """, arguments: [excess])
        removed += db.changesCount
      }
      rowCount -= removed
      return removed > 0
    }
  }
}

/// Tables of the demo database.
enum DemoSchema {
  static let sql = """
    CREATE TABLE actions (
      id INTEGER PRIMARY KEY AUTOINCREMENT, created_ms INTEGER NOT NULL, guild_id TEXT,
      channel_id TEXT, message_id TEXT, user_id TEXT, kind TEXT NOT NULL, content TEXT NOT NULL,
      metadata TEXT, usd_cost REAL NOT NULL DEFAULT 0);
    CREATE INDEX actions_created ON actions(created_ms);
    CREATE INDEX actions_kind ON actions(kind, created_ms);
    CREATE TABLE memory_facts (
      id INTEGER PRIMARY KEY AUTOINCREMENT, created_ms INTEGER NOT NULL,
      updated_ms INTEGER NOT NULL, scope TEXT NOT NULL, guild_id TEXT, channel_id TEXT,
      user_id TEXT, subject TEXT NOT NULL, fact TEXT NOT NULL, fact_type TEXT NOT NULL,
      evidence_text TEXT, source_message_id TEXT, confidence REAL NOT NULL,
      is_active INTEGER NOT NULL DEFAULT 1);
    CREATE UNIQUE INDEX memory_facts_unique ON memory_facts(
      scope, IFNULL(guild_id, ''), IFNULL(user_id, ''), subject, fact);
    CREATE INDEX memory_facts_subjects ON memory_facts(
      scope, guild_id, user_id, subject, updated_ms) WHERE is_active = 1;
    CREATE TABLE automations (
      id INTEGER PRIMARY KEY AUTOINCREMENT, created_ms INTEGER NOT NULL,
      updated_ms INTEGER NOT NULL, guild_id TEXT NOT NULL, channel_id TEXT NOT NULL,
      created_by_user_id TEXT NOT NULL, created_by_name TEXT, title TEXT NOT NULL,
      instruction TEXT NOT NULL, schedule TEXT NOT NULL, next_run_ms INTEGER,
      status TEXT NOT NULL, last_run_ms INTEGER, last_error TEXT, last_result TEXT);
    CREATE TABLE automation_runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT, automation_id INTEGER NOT NULL,
      started_ms INTEGER NOT NULL, finished_ms INTEGER, status TEXT NOT NULL, summary TEXT,
      error TEXT, message_id TEXT, metadata TEXT);
    """
}

extension DemoStore {
  /// Money over the retained rows.
  func costs() throws -> (total: Double, byDay: [String: Double]) {
    try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT created_ms / 86400000 AS day, SUM(usd_cost) AS usd FROM actions GROUP BY day
          """)
      var total = 0.0
      var byDay: [String: Double] = [:]
      for row in rows {
        let day: Int64 = row["day"]
        let usd: Double = row["usd"]
        total += usd
        byDay[DemoTime.utcDay(day * DemoTime.day)] = usd
      }
      return (total, byDay)
    }
  }
}
