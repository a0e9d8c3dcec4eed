extension HistoryNotes {
  private static let exportTable = """
    CREATE TABLE IF NOT EXISTS export (id INTEGER PRIMARY KEY, path TEXT, created_ms INTEGER,
      from_ms INTEGER, to_ms INTEGER, redaction TEXT, prompts INTEGER);
    """

  /// Notes that a part of the history has left it: what is forgotten here later is still there.
  package static func noteExport(
    _ path: String, _ manifest: BundleManifest, in folder: String
  ) throws(HistoryError) {
    let notes = folder + "/" + fileName
    try HistoryFiles.secure(notes)
    do throws(DatabaseFailure) {
      let file = try Database(notes, for: .writing)
      if try file.number("PRAGMA user_version") == 0 { try file.run(tables) }
      try file.run(exportTable)
      let insert = try file.statement("INSERT INTO export VALUES (NULL, ?, ?, ?, ?, ?, ?)")
      insert.bind(path, at: 1)
      insert.bind(manifest.createdMs, at: 2)
      insert.bind(manifest.fromMs, at: 3)
      insert.bind(manifest.toMs, at: 4)
      insert.bind(manifest.redaction.rawValue, at: 5)
      insert.bind(manifest.hasPrompts ? 1 : 0 as Int64, at: 6)
      try insert.run()
    } catch {
      throw HistoryError(error.isDamage ? .damaged : .disk, error.words(notes))
    }
  }
}
