internal import Synchronization

/// The readers of the files of one history, kept open between calls.
final class ReaderPool: Sendable {
  /// A folder of day files, or one file.
  let path: String
  let damage = DamageLog()
  private let idle = Mutex<[String: [DayReader]]>([:])

  /// How many idle readers of one file are kept open.
  private static let keptReaders = 2

  init(_ path: String) { self.path = path }

  /// The paths of the files, oldest first.
  func files() throws(HistoryError) -> [String] {
    if let days = HistoryFiles.days(in: path) {
      let files = days.map { path + "/" + $0.fileName }
      // An open reader would keep the disk space of a removed file.
      idle.withLock { idle in
        for file in idle.keys where !files.contains(file) { idle[file] = nil }
      }
      return files
    }
    guard HistoryFiles.identity(path) != nil else {
      throw HistoryError(.missing, "there is no history at '\(path)'")
    }
    return [path]
  }

  /// Calls `work` with a reader of the file, in one read transaction; nil if the file is gone or cannot be read.
  func with<Value>(
    _ file: String, _ work: (DayReader) throws(DatabaseFailure) -> Value
  ) throws(HistoryError) -> Value? {
    guard let identity = HistoryFiles.identity(file) else { return nil }
    do throws(DatabaseFailure) {
      let reader = try take(file, identity)
      try reader.database.run("BEGIN")
      let result = Result { () throws(DatabaseFailure) in try work(reader) }
      do throws(DatabaseFailure) {
        try reader.database.run("COMMIT")
        give(back: reader)
      } catch {
        // After a damaged page the end of the transaction may fail as well. What was read is good; this reader is
        // not used again.
        guard error.isDamage else { throw error }
        damage.note(file: file, error.message)
      }
      return try result.get()
    } catch {
      if error.isBusy { throw HistoryError(.busy, error.words(file)) }
      damage.note(file: file, error.isDamage ? error.message : error.words(file))
      return nil
    }
  }

  private func take(
    _ file: String, _ identity: HistoryFiles.Identity
  ) throws(DatabaseFailure) -> DayReader {
    let known = idle.withLock { idle -> DayReader? in
      while let reader = idle[file]?.popLast() {
        // The file may have been replaced.
        if reader.identity == identity { return reader }
      }
      return nil
    }
    if let known { return known }
    return try DayReader(file, identity, damage)
  }

  private func give(back reader: DayReader) {
    idle.withLock { idle in
      guard idle[reader.path, default: []].count < Self.keptReaders else { return }
      idle[reader.path, default: []].append(reader)
    }
  }
}
