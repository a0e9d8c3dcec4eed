extension HistoryNotes {
  /// Where records of a folder went: the bundles that were exported, by their paths, as far as they were logged, and the
  /// sinks that had rows with text.
  static func exports(in folder: String) throws(HistoryError) -> [String] {
    let sinks = try sinks(in: folder).filter { $0.delivered > 0 && $0.kind != "prometheus" }
    return try bundles(in: folder) + sinks.map { "the sink \($0.name) (\($0.kind))" }
  }

  private static func bundles(in folder: String) throws(HistoryError) -> [String] {
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
