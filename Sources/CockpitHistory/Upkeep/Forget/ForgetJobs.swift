/// The jobs of `history forget`, in `notes.db`: an interrupted one goes on where it stopped.
struct ForgetJobs {
  struct Job: Hashable, Sendable {
    var id: Int64
    var pseudonym: String
    var ids: [String]
    var names: [String]
    /// When it began, in ms since 1970.
    var begunMs: Int64
    var isDone: Bool
  }

  /// What was done with one file.
  struct Day: Hashable, Sendable {
    enum State: Int64, Sendable {
      case waiting
      /// The new file is complete and on the disk, under its own name.
      case copied
      /// It has taken the place of the old one.
      case done
    }

    var name: String
    var state = State.waiting
    var tombstones = 0
    var changedRows = 0
    var changedDocuments = 0
    var removedDocuments = 0
    var lostRows = 0
  }

  let folder: String
  private let database: Database

  private static let tables = """
    CREATE TABLE IF NOT EXISTS forget (id INTEGER PRIMARY KEY, pseudonym TEXT, begun_ms INTEGER,
      done_ms INTEGER);
    CREATE TABLE IF NOT EXISTS forget_name (job INTEGER, is_id INTEGER, text TEXT);
    CREATE TABLE IF NOT EXISTS forget_day (job INTEGER, name TEXT, state INTEGER,
      tombstones INTEGER, rows INTEGER, documents INTEGER, removed INTEGER, lost INTEGER,
      PRIMARY KEY (job, name));
    """

  init(_ folder: String) throws(HistoryError) {
    self.folder = folder
    database = try HistoryNotes.open(folder)
    try done { () throws(DatabaseFailure) in
      try database.run("PRAGMA secure_delete = ON; \(Self.tables)")
    }
  }

  private func done<Value>(
    _ work: () throws(DatabaseFailure) -> Value
  ) throws(HistoryError) -> Value {
    do throws(DatabaseFailure) {
      return try work()
    } catch {
      throw HistoryError(
        error.isDamage ? .damaged : .disk, error.words(folder + "/" + HistoryNotes.fileName))
    }
  }

  /// All jobs, oldest first.
  func all() throws(HistoryError) -> [Job] {
    try done { () throws(DatabaseFailure) in
      let rows = try database.statement(
        "SELECT id, pseudonym, begun_ms, done_ms FROM forget ORDER BY id")
      var jobs: [Job] = []
      while try rows.step() {
        jobs.append(
          Job(
            id: rows.int(0), pseudonym: rows.text(1), ids: [], names: [], begunMs: rows.int(2),
            isDone: !rows.isNull(3)))
      }
      rows.reset()
      for index in jobs.indices {
        let names = try database.statement(
          "SELECT is_id, text FROM forget_name WHERE job = ? ORDER BY text")
        names.bind(jobs[index].id, at: 1)
        while try names.step() {
          if names.int(0) == 1 {
            jobs[index].ids.append(names.text(1))
          } else {
            jobs[index].names.append(names.text(1))
          }
        }
        names.reset()
      }
      return jobs
    }
  }

  /// Adds a job.
  func add(
    pseudonym: String, ids: [String], names: [String], nowMs: Int64
  ) throws(HistoryError) -> Job {
    try done { () throws(DatabaseFailure) in
      var id: Int64 = 0
      try database.transaction { () throws(DatabaseFailure) in
        let job = try database.statement("INSERT INTO forget VALUES (NULL, ?, ?, NULL)")
        job.bind(pseudonym, at: 1)
        job.bind(nowMs, at: 2)
        try job.run()
        id = try database.number("SELECT last_insert_rowid()") ?? 0
        let name = try database.statement("INSERT INTO forget_name VALUES (?, ?, ?)")
        for (isID, texts) in [(Int64(1), ids), (0, names)] {
          for text in texts {
            name.bind(id, at: 1)
            name.bind(isID, at: 2)
            name.bind(text, at: 3)
            try name.run()
          }
        }
      }
      return Job(
        id: id, pseudonym: pseudonym, ids: ids, names: names, begunMs: nowMs, isDone: false)
    }
  }

  /// The files of a job, in the order of their names.
  func days(of job: Job) throws(HistoryError) -> [Day] {
    try done { () throws(DatabaseFailure) in
      let rows = try database.statement(
        """
        SELECT name, state, tombstones, rows, documents, removed, lost FROM forget_day
        WHERE job = ? ORDER BY name
        """)
      rows.bind(job.id, at: 1)
      defer { rows.reset() }
      var days: [Day] = []
      while try rows.step() {
        days.append(
          Day(
            name: rows.text(0), state: Day.State(rawValue: rows.int(1)) ?? .waiting,
            tombstones: Int(rows.int(2)), changedRows: Int(rows.int(3)),
            changedDocuments: Int(rows.int(4)), removedDocuments: Int(rows.int(5)),
            lostRows: Int(rows.int(6))))
      }
      return days
    }
  }

  /// Sets what was done with files; new ones are added.
  func set(_ days: [Day], of job: Job) throws(HistoryError) {
    try done { () throws(DatabaseFailure) in
      try database.transaction { () throws(DatabaseFailure) in
        let insert = try database.statement(
          "INSERT OR REPLACE INTO forget_day VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        for day in days {
          insert.bind(job.id, at: 1)
          insert.bind(day.name, at: 2)
          insert.bind(day.state.rawValue, at: 3)
          for (index, number) in [
            day.tombstones, day.changedRows, day.changedDocuments, day.removedDocuments,
            day.lostRows,
          ].enumerated() {
            insert.bind(Int64(number), at: 4 + index)
          }
          try insert.run()
        }
      }
    }
  }

  /// Takes the person out of what the user wrote: every text of every other table.
  ///
  /// - Returns: the number of changed texts.
  func eraseNotes(_ eraser: PersonEraser) throws(HistoryError) -> Int {
    try done { () throws(DatabaseFailure) in
      var count = 0
      // Sentences of incidents name people in many ways: the days are judged again.
      try HistoryNotes.dropJudged(database)
      for (table, column) in try noteColumns() {
        let rows = try database.statement(
          "SELECT rowid, \(column) FROM \(table) WHERE typeof(\(column)) = 'text'")
        var changed: [(id: Int64, text: String)] = []
        while try rows.step() {
          let text = rows.text(1)
          if let new = eraser.note(text) { changed.append((rows.int(0), new)) }
        }
        rows.reset()
        let update = try database.statement("UPDATE \(table) SET \(column) = ? WHERE rowid = ?")
        for change in changed {
          update.bind(change.text, at: 1)
          update.bind(change.id, at: 2)
          try update.run()
        }
        count += changed.count
      }
      return count
    }
  }

  private func noteColumns() throws(DatabaseFailure) -> [(table: String, column: String)] {
    let rows = try database.statement(
      """
      SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'forget%'
      AND t.sql NOT LIKE '%WITHOUT ROWID%'
      """)
    defer { rows.reset() }
    var found: [(String, String)] = []
    while try rows.step() {
      found.append((Database.quoted(rows.text(0)), Database.quoted(rows.text(1))))
    }
    return found
  }

  /// Ends a job: the ids and names go too, free pages included.
  func finish(_ job: Job, nowMs: Int64) throws(HistoryError) {
    try done { () throws(DatabaseFailure) in
      try database.transaction { () throws(DatabaseFailure) in
        try database.run("DELETE FROM forget_name WHERE job = ?", job.id)
        try database.run("UPDATE forget SET done_ms = ? WHERE id = ?", nowMs, job.id)
      }
      try database.run("VACUUM")
    }
  }
}

extension PersonEraser {
  /// A note of the user without the person; nil if they are not in it.
  func note(_ text: String) -> String? {
    guard text.hasPrefix("{") || text.hasPrefix("[") else { return self.text(text) }
    return document(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }
}
