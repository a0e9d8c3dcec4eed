import GRDB

/// A scheduled task of the bot (contract 7.4).
struct AutomationRow: Sendable {
  var id: Int64
  var createdMs: Int64
  var updatedMs: Int64
  var guild: String
  var channel: String
  var creator: String
  var creatorName: String?
  var title: String
  var instruction: String
  /// JSON text.
  var schedule: String
  var nextRunMs: Int64?
  var status: String
  var lastRunMs: Int64?
  var lastError: String?
  var lastResult: String?

  var json: DemoJSON {
    [
      "id": .int(Int(id)), "created_at": .time(createdMs), "updated_at": .time(updatedMs),
      "guild_id": .string(guild), "channel_id": .string(channel),
      "created_by_user_id": .string(creator), "created_by_name": .text(creatorName),
      "title": .string(title), "instruction": .string(instruction),
      "schedule": .raw(Array(schedule.utf8)), "next_run_at": .time(nextRunMs),
      "status": .string(status), "is_running": false, "running_started_at": nil,
      "last_run_at": .time(lastRunMs), "last_error": .text(lastError),
      "last_result": .text(lastResult),
      "match_text": .string((title + " " + instruction).lowercased()),
    ]
  }
}

extension AutomationRow: FetchableRecord {
  init(row: Row) {
    self.init(
      id: row["id"], createdMs: row["created_ms"], updatedMs: row["updated_ms"],
      guild: row["guild_id"], channel: row["channel_id"], creator: row["created_by_user_id"],
      creatorName: row["created_by_name"], title: row["title"],
      instruction: row["instruction"], schedule: row["schedule"], nextRunMs: row["next_run_ms"],
      status: row["status"], lastRunMs: row["last_run_ms"], lastError: row["last_error"],
      lastResult: row["last_result"])
  }
}

/// One execution of an automation.
struct AutomationRunRow: Sendable {
  var automation: Int64
  var startedMs: Int64
  var finishedMs: Int64?
  var status: String
  var summary: String?
  var error: String?
  var message: String?
  /// JSON text.
  var metadata: String?
}

extension DemoStore {
  /// Adds an automation and returns its id.
  func addAutomation(_ row: AutomationRow) throws -> Int64 {
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO automations (created_ms, updated_ms, guild_id, channel_id,
            created_by_user_id, created_by_name, title, instruction, schedule, next_run_ms,
            status, last_run_ms, last_error, last_result)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          row.createdMs, row.updatedMs, row.guild, row.channel, row.creator, row.creatorName,
          row.title, row.instruction, row.schedule, row.nextRunMs, row.status, row.lastRunMs,
          row.lastError, row.lastResult,
        ])
      return db.lastInsertedRowID
    }
  }

  /// Automations of a guild, most recently updated first.
  func automations(
    guild: String, channel: String? = nil, statuses: [String], text: String = "", limit: Int
  ) throws -> [AutomationRow] {
    let marks = statuses.map { _ in "?" }.joined(separator: ",")
    var arguments: [(any DatabaseValueConvertible)?] = [guild]
    arguments.append(contentsOf: statuses)
    var filter = ""
    if let channel {
      filter += " AND channel_id = ?"
      arguments.append(channel)
    }
    if !text.isEmpty {
      filter += " AND instr(lower(title || ' ' || instruction), ?) > 0"
      arguments.append(text.lowercased())
    }
    arguments.append(limit)
    return try database.read { db in
      try AutomationRow.fetchAll(
        db,
        sql: """
          SELECT * FROM automations WHERE guild_id = ? AND status IN (\(marks))\(filter)
          ORDER BY updated_ms DESC, id DESC LIMIT ?
          """, arguments: StatementArguments(arguments))
    }
  }

  /// One automation by id.
  func automation(id: Int64) throws -> AutomationRow? {
    try database.read { db in
      try AutomationRow.fetchOne(
        db, sql: "SELECT * FROM automations WHERE id = ?", arguments: [id])
    }
  }

  /// Records a run and its effect on the automation.
  func addRun(_ run: AutomationRunRow, status: String, nextRunMs: Int64?) throws {
    try database.write { db in
      try db.execute(
        sql: """
          INSERT INTO automation_runs (automation_id, started_ms, finished_ms, status, summary,
            error, message_id, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          run.automation, run.startedMs, run.finishedMs, run.status, run.summary, run.error,
          run.message, run.metadata,
        ])
      try db.execute(
        sql: """
          UPDATE automations SET status = ?, next_run_ms = ?, last_run_ms = ?, last_error = ?,
            last_result = IFNULL(?, last_result), updated_ms = ? WHERE id = ?
          """,
        arguments: [
          status, nextRunMs, run.startedMs, run.error, run.summary,
          run.finishedMs ?? run.startedMs, run.automation,
        ])
    }
  }

  /// Changes the state of an automation without a run.
  func setAutomation(id: Int64, status: String, nextRunMs: Int64?, now: Int64) throws {
    try database.write { db in
      try db.execute(
        sql: "UPDATE automations SET status = ?, next_run_ms = ?, updated_ms = ? WHERE id = ?",
        arguments: [status, nextRunMs, now, id])
    }
  }

  /// Runs of an automation, newest first, as sent.
  func runs(automation: Int64, guild: String, limit: Int) throws -> [DemoJSON] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT r.* FROM automation_runs r JOIN automations a ON a.id = r.automation_id
          WHERE r.automation_id = ? AND a.guild_id = ?
          ORDER BY r.started_ms DESC, r.id DESC LIMIT ?
          """, arguments: [automation, guild, limit])
      return rows.map { row in
        let metadata: String? = row["metadata"]
        return [
          "id": .int(row["id"]), "automation_id": .int(row["automation_id"]),
          "created_at": .time(row["started_ms"]), "started_at": .time(row["started_ms"]),
          "finished_at": .time(row["finished_ms"]), "status": .string(row["status"]),
          "summary": .text(row["summary"]), "error": .text(row["error"]),
          "message_id": .text(row["message_id"]),
          "metadata": metadata.map { .raw(Array($0.utf8)) } ?? .null,
        ]
      }
    }
  }
}
