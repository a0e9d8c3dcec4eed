#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open directory of ours: no link, owned by us, and closed to other users. Operations happen in
/// this very directory, even if its path is redirected meanwhile.
struct OwnFolder {
  let path: String
  let descriptor: Int32
  let disk: any Disk

  /// Opens the folder, making it and its parents when they are missing; to be closed.
  static func making(_ path: String, disk: any Disk) throws(FileError) -> OwnFolder {
    if let folder = try existing(path, disk: disk) { return folder }
    try SafeFile.makeFolder(path, disk: disk)
    guard let folder = try existing(path, disk: disk) else {
      throw .cannotWrite(path, because: ENOENT)
    }
    return folder
  }

  /// Opens a subdirectory, creating it if it is missing; closed by the caller.
  func making(_ name: String) throws(FileError) -> OwnFolder {
    if let folder = try existing(name) { return folder }
    do throws(DiskFailure) {
      try disk.makeFolder(name, in: descriptor)
      try disk.synchronizeFolder(descriptor)
    } catch {
      // Another process was faster.
      guard error.code == EEXIST else {
        throw FileError("the folder '\(path)/\(name)' cannot be made", because: error.code)
      }
    }
    guard let folder = try existing(name) else {
      throw .cannotWrite("\(path)/\(name)", because: ENOENT)
    }
    return folder
  }

  /// Opens a subdirectory; nil if there is none.
  func existing(_ name: String) throws(FileError) -> OwnFolder? {
    try Self.open(name, in: descriptor, path: "\(path)/\(name)", disk: disk)
  }

  /// Opens the directory; nil if there is none.
  static func existing(_ path: String, disk: any Disk) throws(FileError) -> OwnFolder? {
    try open(path, in: nil, path: path, disk: disk)
  }

  /// Opens a directory without checking owner and mode; its contents must be checked separately.
  /// nil if there is none.
  static func unchecked(_ path: String, disk: any Disk) throws(FileError) -> OwnFolder? {
    try openAsItIs(path, in: nil, path: path, disk: disk)
  }

  private static func open(
    _ name: String, in parent: Int32?, path: String, disk: any Disk
  ) throws(FileError) -> OwnFolder? {
    guard let folder = try openAsItIs(name, in: parent, path: path, disk: disk) else { return nil }
    do throws(FileError) {
      try folder.secure(folder.descriptor, as: .folder, path: path)
    } catch {
      folder.close()
      throw error
    }
    return folder
  }

  private static func openAsItIs(
    _ name: String, in parent: Int32?, path: String, disk: any Disk
  ) throws(FileError) -> OwnFolder? {
    let descriptor: Int32
    do throws(DiskFailure) {
      descriptor = try disk.uninterrupted { () throws(DiskFailure) in
        try disk.open(name, in: parent, for: .folder)
      }
    } catch {
      switch error.code {
      case ENOENT: return nil
      case ENOTDIR, ELOOP: throw inTheWay(name, in: parent, path: path, disk: disk)
      case EACCES, EPERM:
        throw FileError("the folder '\(path)' cannot be opened; check its owner and mode")
      default: throw FileError("the folder '\(path)' cannot be opened", because: error.code)
      }
    }
    return OwnFolder(path: path, descriptor: descriptor, disk: disk)
  }

  func close() { disk.letGo(descriptor) }

  /// Opens a file in it for reading; nil if there is none.
  func read(_ name: String) throws(FileError) -> (descriptor: Int32, size: Int)? {
    let file = "\(path)/\(name)"
    let descriptor: Int32
    do throws(DiskFailure) {
      descriptor = try disk.uninterrupted { () throws(DiskFailure) in
        try disk.open(name, in: self.descriptor, for: .reading)
      }
    } catch {
      if error.code == ENOENT { return nil }
      throw .cannotRead(file, because: error.code)
    }
    do throws(DiskFailure) {
      let status = try disk.status(of: descriptor)
      if status.kind == .file { return (descriptor, status.size) }
    } catch {
      disk.letGo(descriptor)
      throw .cannotRead(file, because: error.code)
    }
    disk.letGo(descriptor)
    throw .isNoFile(file)
  }

  /// Opens a file of ours in it for appending, 0600; to be closed.
  func append(to name: String) throws(FileError) -> Int32 {
    let file = "\(path)/\(name)"
    let descriptor: Int32
    do throws(DiskFailure) {
      descriptor = try disk.uninterrupted { () throws(DiskFailure) in
        try disk.open(name, in: self.descriptor, for: .appending)
      }
    } catch {
      throw .cannotWrite(file, because: error.code)
    }
    do throws(FileError) {
      try secure(descriptor, as: .file, path: file)
    } catch {
      disk.letGo(descriptor)
      throw error
    }
    return descriptor
  }

  /// Ensures that an open file or directory is ours, and closed to other users.
  private func secure(
    _ descriptor: Int32, as kind: FileStatus.Kind, path: String
  ) throws(FileError) {
    let status: FileStatus
    do throws(DiskFailure) {
      status = try disk.status(of: descriptor)
    } catch {
      throw .cannotWrite(path, because: error.code)
    }
    guard status.kind == kind else { throw .isNoFile(path) }
    guard status.owner == geteuid() else {
      throw FileError(
        "'\(path)' belongs to somebody else; set XDG_STATE_HOME to a folder of your own")
    }
    guard status.mode & 0o077 != 0 else { return }
    do throws(DiskFailure) {
      try disk.setMode(kind == .folder ? 0o700 : 0o600, of: descriptor)
    } catch {
      throw FileError(
        "'\(path)' is open to others and cannot be closed to them", because: error.code)
    }
  }

  private static func inTheWay(
    _ name: String, in parent: Int32?, path: String, disk: any Disk
  ) -> FileError {
    let status = Result { () throws(DiskFailure) in try disk.status(of: name, in: parent) }
    switch status {
    case .success(let status) where status.kind == .link:
      return FileError(
        "'\(path)' is a symbolic link, which is not followed; put a folder there, or set XDG_STATE_HOME to another place"
      )
    case .failure(let failure) where failure.code == ENOTDIR:
      return FileError("there is no folder '\(path)': a folder above it is a file; move it away")
    default: return FileError("'\(path)' is in the way: it is not a folder; move it away")
    }
  }
}
