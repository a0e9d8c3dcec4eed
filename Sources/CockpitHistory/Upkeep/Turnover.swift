internal import CockpitFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Has the newest file of a folder finished, so that it can be rewritten: what is recorded from then on goes into the
/// next part of the day. A recorder that runs does it when it finds the request; without one it is done here.
enum Turnover {
  /// The file that asks the recorder.
  static let fileName = "writer.next"

  /// Whether a recorder is asked.
  static func isWanted(_ folder: String) -> Bool {
    HistoryFiles.identity(folder + "/" + fileName) != nil
  }

  static func finish(_ folder: String) { unlink(folder + "/" + fileName) }

  /// Asks for it, and waits until it is done.
  ///
  /// - Parameter waitMs: how long to wait for the recorder.
  static func request(_ folder: String, waitMs: Int = 90_000) throws(HistoryError) {
    let path = folder + "/" + fileName
    var waited = 0
    while true {
      if let lock = try HistoryLock.take(folder, forUpkeep: true) {
        defer { withExtendedLifetime(lock) {} }
        finish(folder)
        return try finishFiles(folder)
      }
      if waited == 0 {
        try HistoryFiles.secure(path)
      } else if HistoryFiles.identity(path) == nil {
        return
      }
      guard waited < waitMs else {
        finish(folder)
        throw HistoryError(
          .busy,
          "the recorder (pid \(HistoryLock.owner(of: folder) ?? 0)) did not begin another file; end it and try again"
        )
      }
      usleep(100_000)
      waited += 100
    }
  }

  /// Finishes the files that no recorder finished. Needs the lock.
  static func finishFiles(_ folder: String) throws(HistoryError) {
    var last: Int64 = 0
    for day in HistoryFiles.days(in: folder) ?? [] {
      let path = folder + "/" + day.fileName
      if let record = LastRecord.read(path) { last = record.seq }
      do throws(DatabaseFailure) {
        let file = try Database(path, for: .writing)
        guard try file.number("SELECT value FROM meta WHERE key = 'finished'") == nil else {
          continue
        }
        guard try file.text("PRAGMA quick_check(1)") == "ok" else {
          // Compacting would lose what only an index leads to: it is closed as it is.
          try file.run("INSERT OR REPLACE INTO meta VALUES ('finished', 1)")
          continue
        }
      } catch {
        continue  // The copy says what is wrong with it.
      }
      // A damaged file that cannot be finished is copied as it is.
      _ = Result { () throws(DatabaseFailure) in
        try DayWriter(day, in: folder, after: last).finish()
      }
    }
  }
}
