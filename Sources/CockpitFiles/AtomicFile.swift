#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that has its old content or its new one, and never half of either (promise P7).
package enum AtomicFile {
  /// Writes `bytes` to `path`, mode 0600, making its folder when it is missing. The old content
  /// stands until the new one is on the disk; a link, a pipe or a folder in its place is refused.
  ///
  /// - Throws: one sentence; nothing is left behind then, and nothing has changed unless only the
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

  /// Seconds after which nobody can still be writing a temporary file.
  static let temporaryLifetime = 86_400

  /// - Parameter isLasting: the new content survives a power cut; without it, it may be lost then, or
  ///   the file be empty.
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

  /// Removes what killed writers have left: temporary files of ours that are older than a day. What
  /// cannot be removed is left for the next time.
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
      // A signal came, and what was synced is on the disk.
      if error.code == EINTR { return }
      discard(name)
      throw error
    }
  }

  /// Removes a file whose content nobody needs; when that fails, `sweep` gets it another day.
  func discard(_ name: String) {
    _ = Result { () throws(DiskFailure) in
      try disk.uninterrupted { () throws(DiskFailure) in try disk.remove(name, in: descriptor) }
    }
  }

  /// A rename would put an ordinary file in the place of a link or a pipe. Somebody made it what it
  /// is, so it is refused.
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
