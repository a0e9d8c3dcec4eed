internal import Synchronization

/// Readers of the files of one history, kept open between calls.
final class ReaderPool: Sendable {
  /// A folder of day files, or one file.
  let path: String
  let damage = DamageLog()
  private let idle = Mutex<[String: [DayReader]]>([:])

  /// Open readers that are kept of one file.
  private static let keptReaders = 2

  init(_ path: String) { self.path = path }

  /// The paths of the files, oldest first.
  func files() throws(HistoryError) -> [String] {
    if let days = HistoryFiles.days(in: path) { return days.map { path + "/" + $0.fileName } }
    guard HistoryFiles.identity(path) != nil else {
      throw HistoryError(.missing, "there is no history at '\(path)'")
    }
    return [path]
  }

  /// Does work with the file as it is at one moment; nil if it went away, or cannot be read at all.
  func with<Value>(
    _ file: String, _ work: (DayReader) throws(DatabaseFailure) -> Value
  ) throws(HistoryError) -> Value? {
    guard let identity = HistoryFiles.identity(file) else { return nil }
    do throws(DatabaseFailure) {
      let reader = try take(file, identity)
      try reader.database.run("BEGIN")
      let result = Result { () throws(DatabaseFailure) in try work(reader) }
      try reader.database.run("COMMIT")
      give(back: reader)
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
