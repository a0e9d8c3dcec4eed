#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that has its old content or its new one, and never half of either (promise P7).
package enum AtomicFile {
  /// Writes `bytes` to `path`, mode 0600, creating its directory if necessary. The old content
  /// stays until the new one is on disk; a link, a pipe or a directory in its place is refused.
  ///
  /// - Throws: one sentence. Nothing is left behind then, and nothing has changed unless only the
  ///   last call failed, which makes the change survive a power cut.
  package static func replace(
    _ path: String, with bytes: [UInt8], disk: any Disk = SystemDisk()
  ) throws(FileError) {
    guard let slash = path.lastIndex(of: "/") else {
      throw FileError("'\(path)' is no full path; name the file from / on")
    }
    let folder = try OwnFolder.making(String(path[..<slash]), disk: disk)
    defer { folder.close() }
    try folder.replace(String(path[path.index(after: slash)...]), with: bytes)
  }
}

extension OwnFolder {
  /// Every temporary file begins with it; a file with such a name is ours to remove.
  static let temporaryPrefix = ".clanky-tmp-"

  /// Age in seconds after which a temporary file cannot still be in use.
  static let temporaryLifetime = 86_400

  /// - Parameter isLasting: the new content survives a power cut; without it, it may be lost then,
  ///   or the file be empty.
  func replace(
    _ name: String, with bytes: [UInt8], isLasting: Bool = true
  ) throws(FileError) {
    let file = "\(path)/\(name)"
    try refuseOddity(name)
    let temporary = "\(Self.temporaryPrefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
    do throws(DiskFailure) {
      try write(bytes, toNew: temporary, isLasting: isLasting)
      do throws(DiskFailure) {
        try disk.uninterrupted { () throws(DiskFailure) in
          try disk.rename(temporary, to: name, in: descriptor)
        }
      } catch {
        discard(temporary)
        throw error
      }
      if isLasting { try disk.synchronizeFolder(descriptor) }
    } catch {
      throw .cannotWrite(file, because: error.code)
    }
  }

  /// Removes temporary files left by killed writers: ours, and older than a day. Files that cannot
  /// be removed are left for the next run.
  func sweep(nowSeconds: Int) throws(FileError) {
    for name in try names() where name.hasPrefix(Self.temporaryPrefix) {
      let status = Result { () throws(DiskFailure) in try disk.status(of: name, in: descriptor) }
      guard case .success(let status) = status, status.kind == .file,
        nowSeconds - status.modified > Self.temporaryLifetime
      else { continue }
      discard(name)
    }
  }

  func names() throws(FileError) -> [String] {
    do throws(DiskFailure) {
      return try disk.uninterrupted { () throws(DiskFailure) in
        try disk.names(in: descriptor, limit: 10_000)
      }
    } catch {
      throw .cannotRead(path, because: error.code)
    }
  }

  /// Makes a file that was not there before, with all of `bytes` on the disk, or no file at all.
  private func write(
    _ bytes: [UInt8], toNew name: String, isLasting: Bool
  ) throws(DiskFailure) {
    let new = try disk.uninterrupted { () throws(DiskFailure) in
      try disk.open(name, in: descriptor, for: .creating)
    }
    do throws(DiskFailure) {
      try disk.writeAll(bytes, to: new)
      if isLasting {
        try disk.uninterrupted { () throws(DiskFailure) in try disk.synchronize(new) }
      }
    } catch {
      disk.letGo(new)
      discard(name)
      throw error
    }
    do throws(DiskFailure) {
      // Network file systems may say only here that there was no room.
      try disk.close(new)
    } catch {
      // A signal arrived, but the synced data is on disk.
      if error.code == EINTR { return }
      discard(name)
      throw error
    }
  }

  /// Removes a file that is no longer needed; if that fails, a later `sweep` removes it.
  func discard(_ name: String) {
    _ = Result { () throws(DiskFailure) in
      try disk.uninterrupted { () throws(DiskFailure) in try disk.remove(name, in: descriptor) }
    }
  }

  /// Refuses a link or a pipe, which a rename would silently replace with an ordinary file.
  private func refuseOddity(_ name: String) throws(FileError) {
    let file = "\(path)/\(name)"
    do throws(DiskFailure) {
      let kind = try disk.uninterrupted { () throws(DiskFailure) in
        try disk.status(of: name, in: descriptor).kind
      }
      switch kind {
      case .file: return
      case .link: throw DiskFailure(ELOOP)
      case .folder, .other: throw DiskFailure(EISDIR)
      }
    } catch {
      guard error.code != ENOENT else { return }
      throw .cannotWrite(file, because: error.code)
    }
  }
}
