#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The disk of the machine.
package struct SystemDisk: Disk {
  /// `F_OFD_SETLK`, which Glibc hides from Swift: fcntl(2) of Linux, the same on every machine, and
  /// sys/fcntl.h of macOS.
  #if canImport(Darwin)
    private static let setDescriptionLock: Int32 = 90
  #else
    private static let setDescriptionLock: Int32 = 37
  #endif

  package init() {}

  package func makeFolder(_ name: String, in folder: Int32?) throws(DiskFailure) {
    let place = folder ?? AT_FDCWD
    try check(mkdirat(place, name, 0o700))
    // A umask may remove the owner's rights too; then the directory could not be opened to repair
    // them.
    guard try status(of: name, in: folder).mode & 0o777 != 0o700 else { return }
    try check(fchmodat(place, name, 0o700, AT_SYMLINK_NOFOLLOW))
  }

  package func open(
    _ name: String, in folder: Int32?, for purpose: OpenPurpose
  ) throws(DiskFailure) -> Int32 {
    let flags =
      switch purpose {
      case .folder: O_RDONLY | O_DIRECTORY
      case .reading: O_RDONLY
      case .creating: O_WRONLY | O_CREAT | O_EXCL
      case .appending: O_RDWR | O_APPEND | O_CREAT
      }
    let descriptor = openat(
      folder ?? AT_FDCWD, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    try check(descriptor)
    if purpose == .creating || purpose == .appending {
      do throws(DiskFailure) {
        try giveOwnerBack(descriptor)
      } catch {
        _ = closeDescriptor(descriptor)
        throw error
      }
    }
    return descriptor
  }

  /// A new file whose umask removed the owner's rights could not be reopened. A file that is open
  /// for writing without them was just created.
  private func giveOwnerBack(_ descriptor: Int32) throws(DiskFailure) {
    let status = try status(of: descriptor)
    guard status.kind == .file, status.mode & 0o600 != 0o600, status.owner == geteuid() else {
      return
    }
    try setMode(0o600, of: descriptor)
  }

  package func status(of descriptor: Int32) throws(DiskFailure) -> FileStatus {
    var status = stat()
    try check(fstat(descriptor, &status))
    return FileStatus(status)
  }

  package func status(of name: String, in folder: Int32?) throws(DiskFailure) -> FileStatus {
    var status = stat()
    try check(fstatat(folder ?? AT_FDCWD, name, &status, AT_SYMLINK_NOFOLLOW))
    return FileStatus(status)
  }

  package func setMode(_ mode: UInt32, of descriptor: Int32) throws(DiskFailure) {
    try check(fchmod(descriptor, mode_t(mode)))
  }

  package func lock(_ descriptor: Int32, isShared: Bool) throws(DiskFailure) {
    try check(flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB))
  }

  package func lock(_ descriptor: Int32, at offset: Int) throws(DiskFailure) {
    try set(F_WRLCK, of: descriptor, at: offset)
  }

  package func unlock(_ descriptor: Int32, at offset: Int) throws(DiskFailure) {
    try set(F_UNLCK, of: descriptor, at: offset)
  }

  /// Locks of an open file description: those of a process would be lost with any descriptor of the
  /// file that it closes.
  private func set(
    _ type: Int32, of descriptor: Int32, at offset: Int
  ) throws(DiskFailure) {
    var range = flock()
    range.l_type = Int16(type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(offset)
    range.l_len = 1
    try check(fcntl(descriptor, Self.setDescriptionLock, &range))
  }

  package func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) throws(DiskFailure) -> Int {
    #if canImport(Glibc)
      let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
    guard count >= 0 else { throw DiskFailure(errno) }
    return count
  }

  package func read(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
  ) throws(DiskFailure) -> Int {
    let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    guard count >= 0 else { throw DiskFailure(errno) }
    return count
  }

  package func truncate(_ descriptor: Int32, to size: Int) throws(DiskFailure) {
    try check(ftruncate(descriptor, off_t(size)))
  }

  package func synchronize(_ descriptor: Int32) throws(DiskFailure) {
    #if canImport(Darwin)
      // fsync(2) of macOS leaves the data in the cache of the drive; not every file system has the
      // stronger call.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    try check(fsync(descriptor))
  }

  package func rename(
    _ name: String, to newName: String, in folder: Int32
  ) throws(DiskFailure) {
    try check(renameat(folder, name, folder, newName))
  }

  package func remove(_ name: String, in folder: Int32) throws(DiskFailure) {
    try check(unlinkat(folder, name, 0))
  }

  package func names(in folder: Int32, limit: Int) throws(DiskFailure) -> [String] {
    // A separate descriptor: closing the stream closes it, and reading moves its position.
    let descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try check(descriptor)
    guard let stream = fdopendir(descriptor) else {
      let failure = DiskFailure(errno)
      _ = closeDescriptor(descriptor)
      throw failure
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while names.count < limit, let entry = readdir(stream) {
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
      let start = UnsafeRawPointer(entry) + offset
      let name = String(cString: start.assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw DiskFailure(errno) }
    return names
  }

  package func close(_ descriptor: Int32) throws(DiskFailure) {
    try check(closeDescriptor(descriptor))
  }

  package func pause() { usleep(5000) }

  private func check(_ result: Int32) throws(DiskFailure) {
    guard result >= 0 else { throw DiskFailure(errno) }
  }
}

// `close` is also the name of our own method.
private func closeDescriptor(_ descriptor: Int32) -> Int32 {
  #if canImport(Glibc)
    Glibc.close(descriptor)
  #else
    Darwin.close(descriptor)
  #endif
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    size = Int(status.st_size)
    owner = status.st_uid
    mode = UInt32(status.st_mode & 0o7777)
    #if canImport(Darwin)
      modified = Int(status.st_mtimespec.tv_sec)
    #else
      modified = Int(status.st_mtim.tv_sec)
    #endif
  }
}
