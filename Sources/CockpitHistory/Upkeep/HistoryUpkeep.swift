/// Verifies, prunes and repairs the files of a history.
package enum HistoryUpkeep {
  /// What a check of one file found.
  package struct Finding: Hashable, Sendable {
    package var name: String
    package var rows = 0
    package var damagedRows = 0
    package var documents = 0
    package var damagedRecords = 0
    /// What is wrong with the file as a whole; nil if nothing is.
    package var problem: String?

    package var isSound: Bool { damagedRows == 0 && damagedRecords == 0 && problem == nil }
  }

  /// Reads every record of every file, or of one bundle.
  package static func verify(_ path: String) throws(HistoryError) -> [Finding] {
    let files = try ReaderPool(path).files()
    var findings: [Finding] = []
    for file in files {
      // A reader for each file, because damage is counted for each.
      let history = try HistoryFolder(file, checks: false)
      var finding = Finding(name: file.split(separator: "/").last.map(String.init) ?? file)
      let checked = try history.pool.with(file) { reader throws(DatabaseFailure) -> String? in
        let result = try reader.database.text("PRAGMA quick_check(1)")
        return result == "ok" ? nil : result ?? "it cannot be checked"
      }
      finding.problem = checked ?? nil
      var place = HistoryPlace(atMs: .max, seq: .max)
      while true {
        let page = try history.keys(before: place, limit: 5000)
        guard let last = page.last else { break }
        finding.rows += page.count
        finding.damagedRows += page.count - (try history.load(page)).count
        place = last.key.place
      }
      _ = try history.pool.with(file) { reader throws(DatabaseFailure) in
        try reader.documents(after: .min, through: .max) { _ in finding.documents += 1 }
      }
      _ = try history.links(after: .min, through: .max)
      finding.damagedRecords = history.damage.records
      finding.problem = finding.problem ?? history.damage.files[file]
      findings.append(finding)
    }
    return findings
  }

  /// Applies retention as a recorder does: removes day files, oldest first, but never the newest.
  ///
  /// - Parameter isTrial: true to remove nothing.
  /// - Returns: the files that were removed, or would be.
  package static func prune(
    _ folder: String, keepMs: Int64?, maxBytes: Int?, nowMs: Int64, isTrial: Bool
  ) throws(HistoryError) -> [(name: String, bytes: Int)] {
    let files = try Retention.files(in: folder)
    let gone = Retention.surplus(files, keepMs: keepMs, maxBytes: maxBytes, nowMs: nowMs)
    if !isTrial {
      try HistoryNotes.noteMissed(gone, in: folder)
      for day in gone { HistoryFiles.remove(folder + "/" + day.fileName) }
      try HistoryNotes.dropJudged(gone, in: folder)
    }
    return files.filter { gone.contains($0.name) }.map { ($0.name.fileName, $0.bytes) }
  }

  /// Rebuilds the full-text index of all files. Throws while a recorder runs.
  ///
  /// - Returns: the number of indexed rows.
  package static func rebuildWords(_ folder: String) throws(HistoryError) -> Int {
    guard let days = HistoryFiles.days(in: folder) else {
      throw HistoryError(.missing, "there is no history in '\(folder)'")
    }
    guard let lock = try HistoryLock.take(folder, forUpkeep: true) else {
      throw HistoryError(
        .busy, "a recorder writes there (pid \(HistoryLock.owner(of: folder) ?? 0)); end it first")
    }
    defer { withExtendedLifetime(lock) {} }
    var count = 0
    for day in days { count += try rebuild(folder + "/" + day.fileName) }
    return count
  }

  private static func rebuild(_ path: String) throws(HistoryError) -> Int {
    let history = try HistoryFolder(path)
    let through = try history.pool.with(path) { reader throws(DatabaseFailure) in
      try reader.database.number("SELECT max(last_seq) FROM block")
    }
    guard let through = through ?? nil else { return 0 }
    var count = 0
    do throws(DatabaseFailure) {
      let file = try Database(path, for: .writing)
      // A spill of a large transaction would lock out the connection that reads the rows.
      try file.run("PRAGMA cache_spill = OFF")
      try file.run("BEGIN IMMEDIATE; DROP TABLE IF EXISTS words; \(DayFormat.words)")
      let insert = try file.statement("INSERT INTO words (rowid, text) VALUES (?, ?)")
      var seq: Int64 = -1
      while true {
        let result = Result { () throws(HistoryError) in
          try history.rows(afterSeq: seq, through: through, limit: 2000)
        }
        guard case .success(let page) = result else {
          throw DatabaseFailure(code: 1, message: "its rows cannot be read")
        }
        if page.isEmpty { break }
        for row in page {
          insert.bind(row.seq, at: 1)
          insert.bind(
            row.json.withUnsafeBytes { RowText.words($0) }.joined(separator: " "), at: 2)
          try insert.run()
        }
        count += page.count
        seq = page.last?.seq ?? through
      }
      try file.run("INSERT OR REPLACE INTO meta VALUES ('words_through', ?)", through)
      try file.run("DELETE FROM meta WHERE key = 'words_broken'")
      try file.run("COMMIT")
    } catch {
      throw HistoryError(error.isBusy ? .busy : .damaged, error.words(path))
    }
    return count
  }
}
