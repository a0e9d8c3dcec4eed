/// What rules have found, in the order in which they did, for sinks. Sentences may quote people: `history forget` empties
/// them, and they go with the files of their days.
extension HistoryNotes {
  package struct Finding: Hashable, Sendable {
    /// Its number in the order of finding; 0 before it is kept.
    package var number: Int64 = 0
    /// What it is known by.
    package var id: String
    /// When it began, in ms since 1970.
    package var fromMs: Int64
    /// The caller's JSON object; a `forget` job empties it.
    package var body: String

    package init(id: String, fromMs: Int64, body: String) {
      (self.id, self.fromMs, self.body) = (id, fromMs, body)
    }
  }

  private static let findingTable = """
    CREATE TABLE IF NOT EXISTS finding (number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT UNIQUE, from_ms INTEGER, body TEXT);
    """

  /// Adds those that are not kept yet. Adds nothing while a `forget` job is open: they may come from records that the
  /// job has removed since.
  package static func note(_ findings: [Finding], in folder: String) throws(HistoryError) {
    guard !findings.isEmpty else { return }
    try change(folder) { file throws(DatabaseFailure) in
      try file.run(findingTable)
      let condition =
        try hasTable("forget", file)
        ? "WHERE NOT EXISTS (SELECT 1 FROM forget WHERE done_ms IS NULL)" : ""
      try file.transaction { () throws(DatabaseFailure) in
        let insert = try file.statement(
          "INSERT OR IGNORE INTO finding (id, from_ms, body) SELECT ?, ?, ? \(condition)")
        for finding in findings {
          insert.bind(finding.id, at: 1)
          insert.bind(finding.fromMs, at: 2)
          insert.bind(finding.body, at: 3)
          try insert.run()
        }
      }
    }
  }

  /// The findings after a number, in their order.
  package static func findings(
    after number: Int64, limit: Int, in folder: String
  ) throws(HistoryError) -> [Finding] {
    try read(folder) { file throws(DatabaseFailure) in
      guard try hasTable("finding", file) else { return [] }
      let rows = try file.statement(
        "SELECT number, id, from_ms, body FROM finding WHERE number > ? ORDER BY number LIMIT ?")
      rows.bind(number, at: 1)
      rows.bind(Int64(limit), at: 2)
      defer { rows.reset() }
      var found: [Finding] = []
      while try rows.step() {
        var finding = Finding(id: rows.text(1), fromMs: rows.int(2), body: rows.text(3))
        finding.number = rows.int(0)
        found.append(finding)
      }
      return found
    }
  }

  /// Removes those of days whose files were removed or cut.
  static func dropFindings(_ days: Set<Int64>, _ file: Database) throws(DatabaseFailure) {
    guard try hasTable("finding", file) else { return }
    for day in days {
      try file.run(
        "DELETE FROM finding WHERE from_ms >= ? AND from_ms < ?", day * DayName.msPerDay,
        (day + 1) * DayName.msPerDay)
    }
  }

  /// Empties all, for a `forget` job. Their ids stay, so that none is sent again.
  static func emptyFindings(_ file: Database) throws(DatabaseFailure) {
    guard try hasTable("finding", file) else { return }
    try file.run("UPDATE finding SET body = ''")
  }
}
