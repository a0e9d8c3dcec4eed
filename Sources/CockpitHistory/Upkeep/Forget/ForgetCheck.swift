internal import CockpitFiles
internal import Foundation

/// Looks for a person in files: in every record, in the index of words, and in the bytes as they are, free pages
/// included.
struct ForgetCheck {
  private let eraser: PersonEraser
  /// Records that arrived later are counted apart.
  private let sinceMs: Int64

  init(_ eraser: PersonEraser, sinceMs: Int64) {
    self.eraser = eraser
    self.sinceMs = sinceMs
  }

  func check(_ path: String) throws(HistoryError) -> HistoryForget.Day {
    var day = HistoryForget.Day(name: path.split(separator: "/").last.map(String.init) ?? path)
    let history = try HistoryFolder(path, checks: false)
    try history.eachRow { row in
      let isTheirs: Bool
      switch eraser.row(row.json) {
      case .unchanged: return
      case .tombstone: isTheirs = true
      case .changed: isTheirs = false
      }
      if row.receivedMs >= sinceMs {
        day.later += 1
      } else if isTheirs {
        day.ownRows += 1
      } else {
        day.rows += 1
      }
    }
    _ = try history.pool.with(path) { reader throws(DatabaseFailure) in
      for later in try reader.later(0...Int64.max).values {
        if let json = later.json, eraser.row(json) != .unchanged { day.rows += 1 }
      }
      try reader.documents(after: .min, through: .max) { document in
        guard eraser.text(document.name) != nil || eraser.document(document.body) != nil else {
          return
        }
        if document.receivedMs >= sinceMs { day.later += 1 } else { day.documents += 1 }
      }
      for link in try reader.links("ORDER BY id", []) where eraser.document(link.value) != nil {
        if link.receivedMs >= sinceMs { day.later += 1 } else { day.links += 1 }
      }
    }
    // A file that is still written has the words of what came later.
    guard day.isClean, day.later == 0 else { return day }
    _ = try history.pool.with(path) { reader throws(DatabaseFailure) in
      day.traces = try traces(reader)
    }
    if isRaw(path) { day.traces += 1 }
    return day
  }

  /// Names in the table `name` and words in the index.
  private func traces(_ reader: DayReader) throws(DatabaseFailure) -> Int {
    var count = 0
    let names = try reader.database.statement("SELECT text FROM name")
    while try names.step() { if eraser.text(names.text(0)) != nil { count += 1 } }
    names.reset()
    for text in eraser.person.ids.union(eraser.person.names) {
      let words = HistoryWords.split(text)
      // The index knows no phrases: of several words, each may be somebody else's.
      guard words.count == 1, let word = words.first, eraser.person.isIn(word) else { continue }
      do throws(DatabaseFailure) {
        let found = try reader.database.statement(
          "SELECT count(*) FROM words WHERE words MATCH ?")
        found.bind("\"" + word + "\"", at: 1)
        defer { found.reset() }
        if try found.step() { count += Int(found.int(0)) }
      } catch {
        guard error.isDamage else { throw error }
      }
    }
    return count
  }

  private func isRaw(_ path: String) -> Bool {
    ["", "-wal", "-journal"].contains { suffix in
      guard HistoryFiles.identity(path + suffix) != nil,
        let data = try? Data(contentsOf: URL(filePath: path + suffix), options: .alwaysMapped)
      else { return false }
      return data.withUnsafeBytes { eraser.person.isRaw(in: $0) }
    }
  }

  /// The other files of the folder whose bytes name the person.
  func otherFiles(of folder: String) -> [String] {
    return (HistoryFiles.names(in: folder) ?? []).sorted().filter { name in
      // Day files and their logs were looked into.
      let isDay = DayName(name) != nil || name.hasSuffix("-wal") || name.hasSuffix("-shm")
      return !isDay && isRaw(folder + "/" + name)
    }
  }
}
