/// What the user adds to a history: marks, and pins that protect files from retention.
package enum HistoryNotes {
  /// A note at a time.
  package struct Mark: Hashable, Sendable {
    package var id: Int64
    /// Ms since 1970 on the backend's clock.
    package var atMs: Int64
    package var note: String

    package init(id: Int64, atMs: Int64, note: String) {
      (self.id, self.atMs, self.note) = (id, atMs, note)
    }
  }

  /// A stretch of time whose files are not removed.
  package struct Pin: Hashable, Sendable {
    package var id: Int64
    package var fromMs: Int64
    package var toMs: Int64
    package var note: String
  }

  static let fileName = "notes.db"

  static let tables = """
    CREATE TABLE IF NOT EXISTS mark (id INTEGER PRIMARY KEY, at_ms INTEGER, note TEXT);
    CREATE TABLE IF NOT EXISTS pin (id INTEGER PRIMARY KEY, from_ms INTEGER, to_ms INTEGER,
      note TEXT);
    PRAGMA application_id = \(DayFormat.application);
    PRAGMA user_version = 1;
    """

  static func change<Value>(
    _ folder: String, _ work: (Database) throws(DatabaseFailure) -> Value
  ) throws(HistoryError) -> Value {
    let file = try open(folder)
    do throws(DatabaseFailure) {
      return try work(file)
    } catch {
      let path = folder + "/" + fileName
      throw HistoryError(error.isDamage ? .damaged : .disk, error.words(path))
    }
  }

  /// The file of the notes, to write.
  static func open(_ folder: String) throws(HistoryError) -> Database {
    let path = folder + "/" + fileName
    try HistoryFiles.secure(path)
    do throws(DatabaseFailure) {
      let file = try Database(path, for: .writing)
      if try file.number("PRAGMA user_version") == 0 { try file.run(tables) }
      return file
    } catch {
      throw HistoryError(error.isDamage ? .damaged : .disk, error.words(path))
    }
  }

  static func read<Value>(
    _ folder: String, _ work: (Database) throws(DatabaseFailure) -> [Value]
  ) throws(HistoryError) -> [Value] {
    let path = folder + "/" + fileName
    guard HistoryFiles.identity(path) != nil else { return [] }
    do throws(DatabaseFailure) {
      return try work(try Database(path, for: .reading))
    } catch {
      throw HistoryError(error.isDamage ? .damaged : .busy, error.words(path))
    }
  }

  /// Adds a mark to the history in a folder.
  ///
  /// - Returns: its id.
  @discardableResult
  package static func mark(
    atMs: Int64, note: String, in folder: String
  ) throws(HistoryError) -> Int64 {
    try change(folder) { file throws(DatabaseFailure) in
      let insert = try file.statement("INSERT INTO mark VALUES (NULL, ?, ?)")
      insert.bind(atMs, at: 1)
      insert.bind(note, at: 2)
      try insert.run()
      return try file.number("SELECT last_insert_rowid()") ?? 0
    }
  }

  /// The marks, oldest first.
  package static func marks(in folder: String) throws(HistoryError) -> [Mark] {
    try read(folder) { file throws(DatabaseFailure) in
      let rows = try file.statement("SELECT id, at_ms, note FROM mark ORDER BY at_ms, id")
      var marks: [Mark] = []
      while try rows.step() {
        marks.append(Mark(id: rows.int(0), atMs: rows.int(1), note: rows.text(2)))
      }
      return marks
    }
  }

  /// - Returns: whether there was such a mark.
  package static func unmark(_ id: Int64, in folder: String) throws(HistoryError) -> Bool {
    try change(folder) { file throws(DatabaseFailure) in
      try file.run("DELETE FROM mark WHERE id = ?", id)
      return file.changes > 0
    }
  }

  /// Protects the files of a stretch of time from retention.
  ///
  /// - Returns: the id of the pin.
  @discardableResult
  package static func pin(
    _ stretch: ClosedRange<Int64>, note: String, in folder: String
  ) throws(HistoryError) -> Int64 {
    try change(folder) { file throws(DatabaseFailure) in
      let insert = try file.statement("INSERT INTO pin VALUES (NULL, ?, ?, ?)")
      insert.bind(stretch.lowerBound, at: 1)
      insert.bind(stretch.upperBound, at: 2)
      insert.bind(note, at: 3)
      try insert.run()
      return try file.number("SELECT last_insert_rowid()") ?? 0
    }
  }

  /// - Returns: whether there was such a pin.
  package static func unpin(_ id: Int64, in folder: String) throws(HistoryError) -> Bool {
    try change(folder) { file throws(DatabaseFailure) in
      try file.run("DELETE FROM pin WHERE id = ?", id)
      return file.changes > 0
    }
  }

  /// The pins, by their beginning.
  package static func pins(in folder: String) throws(HistoryError) -> [Pin] {
    try read(folder) { file throws(DatabaseFailure) in
      let rows = try file.statement("SELECT id, from_ms, to_ms, note FROM pin ORDER BY from_ms, id")
      var pins: [Pin] = []
      while try rows.step() {
        pins.append(
          Pin(id: rows.int(0), fromMs: rows.int(1), toMs: rows.int(2), note: rows.text(3)))
      }
      return pins
    }
  }
}
