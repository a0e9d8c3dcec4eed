extension HistoryNotes {
  /// The bundles that were exported from a folder, by their paths, as far as they were logged.
  static func exports(in folder: String) throws(HistoryError) -> [String] {
    try read(folder) { file throws(DatabaseFailure) in
      let isLogged = try file.number(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'export'")
      guard isLogged == 1 else { return [] }
      let rows = try file.statement("SELECT path FROM export ORDER BY 1")
      defer { rows.reset() }
      var paths: [String] = []
      while try rows.step() { paths.append(rows.text(0)) }
      return paths
    }
  }
}
