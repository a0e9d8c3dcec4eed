extension BundleManifest {
  private static let exportTable = """
    CREATE TABLE IF NOT EXISTS export (id INTEGER PRIMARY KEY, path TEXT, created_ms INTEGER,
      from_ms INTEGER, to_ms INTEGER, redaction TEXT, prompts INTEGER);
    """

  /// Notes that a part of the history has left it: what is forgotten here later is still there.
  package func noteExport(to path: String, in folder: String) throws(HistoryError) {
    let notes = folder + "/" + HistoryNotes.fileName
    try HistoryFiles.secure(notes)
    do throws(DatabaseFailure) {
      let file = try Database(notes, for: .writing)
      if try file.number("PRAGMA user_version") == 0 { try file.run(HistoryNotes.tables) }
      try file.run(Self.exportTable)
      let insert = try file.statement("INSERT INTO export VALUES (NULL, ?, ?, ?, ?, ?, ?)")
      insert.bind(path, at: 1)
      insert.bind(createdMs, at: 2)
      insert.bind(fromMs, at: 3)
      insert.bind(toMs, at: 4)
      insert.bind(redaction.rawValue, at: 5)
      insert.bind(hasPrompts ? 1 : 0 as Int64, at: 6)
      try insert.run()
    } catch {
      throw HistoryError(error.isDamage ? .damaged : .disk, error.words(notes))
    }
  }
}
