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

/// Automations and their runs.
struct AutomationTable: Sendable {
  private var rows: [AutomationRow] = []
  private var runs: [AutomationRunRow] = []

  /// Adds an automation and returns its id.
  mutating func add(_ row: AutomationRow) -> Int64 {
    var row = row
    row.id = Int64(rows.count + 1)
    rows.append(row)
    return row.id
  }

  /// Automations of a guild, most recently updated first.
  ///
  /// - Parameter text: must occur in title or instruction, ignoring ASCII case.
  func list(
    guild: String, channel: String? = nil, statuses: [String], text: String = "", limit: Int
  ) -> [AutomationRow] {
    let text = text.lowercased()
    let found = rows.filter { row in
      row.guild == guild && statuses.contains(row.status)
        && (channel == nil || row.channel == channel)
        && (text.isEmpty || (row.title + " " + row.instruction).asciiLowercased.holds(text))
    }
    return Array(
      found.sorted { ($0.updatedMs, $0.id) > ($1.updatedMs, $1.id) }.prefix(limit))
  }

  /// One automation.
  subscript(id: Int64) -> AutomationRow? { rows.first { $0.id == id } }

  /// Records a run and its effect on the automation.
  mutating func addRun(_ run: AutomationRunRow, status: String, nextRunMs: Int64?) {
    runs.append(run)
    update(run.automation) { row in
      row.status = status
      row.nextRunMs = nextRunMs
      row.lastRunMs = run.startedMs
      row.lastError = run.error
      row.lastResult = run.summary ?? row.lastResult
      row.updatedMs = run.finishedMs ?? run.startedMs
    }
  }

  /// Changes the state of an automation without a run.
  mutating func set(id: Int64, status: String, nextRunMs: Int64?, now: Int64) {
    update(id) { row in
      row.status = status
      row.nextRunMs = nextRunMs
      row.updatedMs = now
    }
  }

  private mutating func update(_ id: Int64, _ change: (inout AutomationRow) -> Void) {
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
    change(&rows[index])
  }

  /// Runs of an automation, newest first, as sent.
  func runs(automation: Int64, guild: String, limit: Int) -> [DemoJSON] {
    guard rows.contains(where: { $0.id == automation && $0.guild == guild }) else { return [] }
    let own = runs.enumerated().filter { $0.element.automation == automation }
      .sorted { ($0.element.startedMs, $0.offset) > ($1.element.startedMs, $1.offset) }
    return own.prefix(limit).map { index, run in
      [
        "id": .int(index + 1), "automation_id": .int(Int(run.automation)),
        "created_at": .time(run.startedMs), "started_at": .time(run.startedMs),
        "finished_at": .time(run.finishedMs), "status": .string(run.status),
        "summary": .text(run.summary), "error": .text(run.error),
        "message_id": .text(run.message),
        "metadata": run.metadata.map { .raw(Array($0.utf8)) } ?? .null,
      ]
    }
  }
}
