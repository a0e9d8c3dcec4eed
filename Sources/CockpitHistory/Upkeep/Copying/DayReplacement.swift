internal import CockpitFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Puts a new day file in the place of an old one. A crash at any moment leaves the old one or the new one, whole.
struct DayReplacement {
  let folder: String
  /// The name of the day file.
  let name: String

  var path: String { folder + "/" + name }
  /// The new file, until it is complete. No reader takes it for a day file.
  var newPath: String { folder + "/.new-" + name }

  /// Removes what an interrupted attempt left.
  func clear() { HistoryFiles.remove(newPath) }

  var hasNew: Bool { HistoryFiles.identity(newPath) != nil }

  /// Forces the new file to the disk.
  func synchronize() throws(HistoryError) {
    let descriptor = open(newPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0, fsync(descriptor) == 0 else {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw HistoryError(.disk, "'\(newPath)' cannot be written: \(reason)")
    }
    close(descriptor)
  }

  /// Puts the new file in place. The write-ahead log of the old one must go first: SQLite would apply it to the new one.
  ///
  /// - Parameter keepingOldAs: the name that the old file gets; nil removes it.
  /// - Returns: false if the old file is gone, as after its retention: then the new one goes too.
  func commit(keepingOldAs oldName: String? = nil) throws(HistoryError) -> Bool {
    guard HistoryFiles.identity(path) != nil else {
      clear()
      return false
    }
    if HistoryFiles.identity(path + "-wal") != nil { try emptyLog(isDamaged: oldName != nil) }
    if let oldName {
      guard rename(path, folder + "/" + oldName) == 0 else { throw failure() }
    }
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    guard rename(newPath, path) == 0 else { throw failure() }
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 {
      fsync(descriptor)
      close(descriptor)
    }
    return true
  }

  private func failure() -> HistoryError {
    HistoryError(.disk, "'\(path)' cannot be replaced: \(String(cString: strerror(errno)))")
  }

  /// Moves the log into the file, so that a crash after its removal loses nothing. Readers hold it up for moments only.
  private func emptyLog(isDamaged: Bool) throws(HistoryError) {
    for attempt in 0... {
      do throws(DatabaseFailure) {
        let file = try Database(path, for: .writing)
        if try file.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 { return }
      } catch {
        if isDamaged { return }
        guard error.isBusy else { throw HistoryError(.disk, error.words(path)) }
      }
      guard attempt < 100 else {
        throw HistoryError(.busy, "'\(path)' is being read by another program; try again")
      }
      usleep(100_000)
    }
  }
}
