/// Parked rows that are sent again.
extension HistoryNotes {
  static func parkedCounts(_ file: Database) throws(DatabaseFailure) -> [String: Int] {
    guard try hasTable("parked", file) else { return [:] }
    return try counts("SELECT sink, count(*) FROM parked GROUP BY sink", file)
  }

  static func retriedCounts(_ file: Database) throws(DatabaseFailure) -> [String: Int] {
    // An earlier release knew no such table.
    guard try hasTable("sink_retried", file) else { return [:] }
    return try counts("SELECT name, rows FROM sink_retried", file)
  }

  private static func counts(
    _ sql: String, _ file: Database
  ) throws(DatabaseFailure) -> [String: Int] {
    let rows = try file.statement(sql)
    defer { rows.reset() }
    var counts: [String: Int] = [:]
    while try rows.step() { counts[rows.text(0)] = Int(clamping: rows.int(1)) }
    return counts
  }

  static func dropRetried(of sink: String, _ file: Database) throws(DatabaseFailure) {
    guard try hasTable("sink_retried", file) else { return }
    let drop = try file.statement("DELETE FROM sink_retried WHERE name = ?")
    drop.bind(sink, at: 1)
    try drop.run()
  }

  /// The far end has accepted a row that was parked.
  package static func unpark(_ row: ParkedRow, in folder: String) throws(HistoryError) {
    try change(folder) { file throws(DatabaseFailure) in
      try file.run(
        "CREATE TABLE IF NOT EXISTS sink_retried (name TEXT PRIMARY KEY, rows INTEGER)")
      try file.transaction { () throws(DatabaseFailure) in
        try file.run("DELETE FROM parked WHERE id = ?", row.id)
        guard file.changes > 0 else { return }
        let count = try file.statement(
          """
          INSERT INTO sink_retried VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET rows = rows + 1
          """)
        count.bind(row.sink, at: 1)
        try count.run()
      }
    }
  }

  /// The far end has refused a parked row again.
  package static func park(
    again row: ParkedRow, answer: String, nowMs: Int64, in folder: String
  ) throws(HistoryError) {
    try change(folder) { file throws(DatabaseFailure) in
      let update = try file.statement("UPDATE parked SET answer = ?, parked_ms = ? WHERE id = ?")
      update.bind(answer, at: 1)
      update.bind(nowMs, at: 2)
      update.bind(row.id, at: 3)
      try update.run()
    }
  }
}
