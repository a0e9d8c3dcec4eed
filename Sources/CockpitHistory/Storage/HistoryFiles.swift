internal import CockpitFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files in the folder of a bot.
enum HistoryFiles {
  /// Tells a file from another one that replaced it at the same path.
  struct Identity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
  }

  /// The day files, oldest first; nil if there is no such folder.
  static func days(in folder: String) -> [DayName]? {
    names(in: folder)?.compactMap { DayName($0) }.sorted()
  }

  /// The names in a folder; nil if there is no such folder.
  static func names(in folder: String) -> [String]? {
    let disk = SystemDisk()
    guard
      case .success(let descriptor) = Result(catching: { () throws(DiskFailure) in
        try disk.open(folder, in: nil, for: .folder)
      })
    else { return nil }
    defer { close(descriptor) }
    let names = Result { () throws(DiskFailure) in try disk.names(in: descriptor, limit: 10_000) }
    return try? names.get()
  }

  /// nil if there is no regular file.
  static func identity(_ path: String) -> Identity? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Bytes of a day file and its write-ahead log.
  static func bytes(_ path: String) -> Int {
    ["", "-wal"].reduce(0) { sum, suffix in
      var status = stat()
      return lstat(path + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  /// Creates a file with mode 0600, or checks that the existing one is a regular file of this user.
  static func secure(_ path: String) throws(HistoryError) {
    let disk = SystemDisk()
    do throws(DiskFailure) {
      let descriptor = try disk.open(path, in: nil, for: .creating)
      close(descriptor)
    } catch {
      guard error.code == EEXIST else {
        let reason: HistoryError.Reason =
          error.code == EACCES || error.code == EROFS ? .refused : .disk
        throw HistoryError(
          reason, "'\(path)' cannot be written: \(String(cString: strerror(error.code)))")
      }
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == geteuid()
      else { throw HistoryError(.refused, "'\(path)' is not a file of yours; move it away") }
    }
  }

  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Forces the write-ahead log to the disk. SQLite locks other files, so that closing this one releases no lock.
  static func synchronizeLog(of path: String) {
    let descriptor = open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) != 0 { fsync(descriptor) }
    #else
      fdatasync(descriptor)
    #endif
    close(descriptor)
  }

  /// The free bytes and the size of the volume; nil if unknown.
  static func space(_ folder: String) -> (free: Int, total: Int)? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    let unit = Int(status.f_frsize)
    return (Int(status.f_bavail) * unit, Int(status.f_blocks) * unit)
  }
}
