/// The incidents of recorded days, cached in `notes.db` as JSON of the caller. Sentences may quote people, so
/// `history forget` and the removal of a day delete them.
extension HistoryNotes {
  /// What was found in one UTC day.
  package struct JudgedDay: Hashable, Sendable {
    /// Days since 1970.
    package var day: Int64
    /// The rules and settings that made it.
    package var basis: String
    /// The stamp of the day's records (`HistoryFolder.stamps`); with another stamp the result is stale.
    package var stamp: String
    /// The end of what was read, in ms since 1970.
    package var judgedToMs: Int64
    /// A JSON object.
    package var body: String

    package init(day: Int64, basis: String, stamp: String, judgedToMs: Int64, body: String) {
      self.day = day
      self.basis = basis
      self.stamp = stamp
      self.judgedToMs = judgedToMs
      self.body = body
    }
  }

  /// The hours of a UTC day that were recorded, and those in which the bot spoke: one bit per hour. No personal data, so
  /// it outlives the day file.
  package struct HoursOfDay: Hashable, Sendable {
    package var day: Int64
    package var stamp: String
    package var recorded: UInt32
    package var spoken: UInt32

    package init(day: Int64, stamp: String, recorded: UInt32, spoken: UInt32) {
      self.day = day
      self.stamp = stamp
      self.recorded = recorded
      self.spoken = spoken
    }
  }

  private static let judgedTables = """
    CREATE TABLE IF NOT EXISTS judged (day INTEGER PRIMARY KEY, basis TEXT, stamp TEXT,
      to_ms INTEGER, body TEXT);
    CREATE TABLE IF NOT EXISTS hours (day INTEGER PRIMARY KEY, stamp TEXT, recorded INTEGER,
      spoken INTEGER);
    """

  static func hasTable(_ name: String, _ file: Database) throws(DatabaseFailure) -> Bool {
    try file.number(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'") == 1
  }

  /// The results of days that were judged so, by their days.
  package static func judgedDays(
    _ days: ClosedRange<Int64>, basis: String, in folder: String
  ) throws(HistoryError) -> [JudgedDay] {
    try read(folder) { file throws(DatabaseFailure) in
      guard try hasTable("judged", file) else { return [] }
      let rows = try file.statement(
        "SELECT day, stamp, to_ms, body FROM judged WHERE day BETWEEN ? AND ? AND basis = ?")
      rows.bind(days.lowerBound, at: 1)
      rows.bind(days.upperBound, at: 2)
      rows.bind(basis, at: 3)
      defer { rows.reset() }
      var found: [JudgedDay] = []
      while try rows.step() {
        found.append(
          JudgedDay(
            day: rows.int(0), basis: basis, stamp: rows.text(1), judgedToMs: rows.int(2),
            body: rows.text(3)))
      }
      return found
    }
  }

  /// Replaces the stored result of a day. Stores nothing while a `forget` job is open: the result may come from records
  /// that the job has removed since.
  package static func keep(_ day: JudgedDay, in folder: String) throws(HistoryError) {
    try change(folder) { file throws(DatabaseFailure) in
      try file.run("PRAGMA secure_delete = ON; \(judgedTables)")
      let isForgetting = try hasTable("forget", file)
      // One statement: a job that begins meanwhile is seen, or sees what was kept.
      let condition =
        isForgetting
        ? "WHERE NOT EXISTS (SELECT 1 FROM forget WHERE done_ms IS NULL)" : ""
      let insert = try file.statement(
        "INSERT OR REPLACE INTO judged SELECT ?, ?, ?, ?, ? \(condition)")
      insert.bind(day.day, at: 1)
      insert.bind(day.basis, at: 2)
      insert.bind(day.stamp, at: 3)
      insert.bind(day.judgedToMs, at: 4)
      insert.bind(day.body, at: 5)
      try insert.run()
    }
  }

  /// The hours that were kept, by their days.
  package static func hours(
    _ days: ClosedRange<Int64>, in folder: String
  ) throws(HistoryError) -> [HoursOfDay] {
    try read(folder) { file throws(DatabaseFailure) in
      guard try hasTable("hours", file) else { return [] }
      let rows = try file.statement(
        "SELECT day, stamp, recorded, spoken FROM hours WHERE day BETWEEN ? AND ?")
      rows.bind(days.lowerBound, at: 1)
      rows.bind(days.upperBound, at: 2)
      defer { rows.reset() }
      var found: [HoursOfDay] = []
      while try rows.step() {
        found.append(
          HoursOfDay(
            day: rows.int(0), stamp: rows.text(1),
            recorded: UInt32(truncatingIfNeeded: rows.int(2)),
            spoken: UInt32(truncatingIfNeeded: rows.int(3))))
      }
      return found
    }
  }

  /// Keeps the hours of days.
  package static func keep(_ hours: [HoursOfDay], in folder: String) throws(HistoryError) {
    guard !hours.isEmpty else { return }
    try change(folder) { file throws(DatabaseFailure) in
      try file.run(judgedTables)
      try file.transaction { () throws(DatabaseFailure) in
        let insert = try file.statement("INSERT OR REPLACE INTO hours VALUES (?, ?, ?, ?)")
        for day in hours {
          insert.bind(day.day, at: 1)
          insert.bind(day.stamp, at: 2)
          insert.bind(Int64(day.recorded), at: 3)
          insert.bind(Int64(day.spoken), at: 4)
          try insert.run()
        }
      }
    }
  }

  /// Removes the results of days whose files were removed or cut.
  static func dropJudged(_ days: some Collection<DayName>, in folder: String) throws(HistoryError) {
    guard !days.isEmpty, HistoryFiles.identity(folder + "/" + fileName) != nil else { return }
    try change(folder) { file throws(DatabaseFailure) in
      try file.run("PRAGMA secure_delete = ON")
      try dropFindings(Set(days.map(\.day)), file)
      guard try hasTable("judged", file) else { return }
      for day in Set(days.map(\.day)) { try file.run("DELETE FROM judged WHERE day = ?", day) }
    }
  }

  /// Deletes all results, for a `forget` job: their sentences can name the person.
  static func dropJudged(_ file: Database) throws(DatabaseFailure) {
    try emptyFindings(file)
    guard try hasTable("judged", file) else { return }
    try file.run("DELETE FROM judged")
  }
}
