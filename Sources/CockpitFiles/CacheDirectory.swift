#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that make something quick and can be lost: whole or not at all, for our eyes only, and not
/// synced, since a status bar writes one every few seconds.
package struct CacheDirectory {
  /// Maximum bytes of a file; a larger one is not ours.
  package static let sizeLimit = 256 << 10

  private let folder: String
  private let disk: any Disk

  /// - Parameter folder: the cache directory; made when it is missing.
  package init(folder: String, disk: any Disk = SystemDisk()) {
    self.folder = folder
    self.disk = disk
  }

  /// The content of a file; nil if there is none.
  ///
  /// - Throws: also if it is something we never write, such as a link or an oversized file.
  package func load(_ name: String) throws(FileError) -> [UInt8]? {
    try inFolder { own throws(FileError) in
      guard let own, let (descriptor, size) = try own.read(name) else { return nil }
      defer { disk.letGo(descriptor) }
      guard size <= Self.sizeLimit else {
        throw FileError("'\(folder)/\(name)' is larger than a cache of ours; remove it")
      }
      do throws(DiskFailure) {
        return try disk.readAll(0..<size, of: descriptor)
      } catch {
        throw .cannotRead("\(folder)/\(name)", because: error.code)
      }
    }
  }

  /// Writes a file whole, or leaves the one before.
  package func save(_ bytes: [UInt8], name: String) throws(FileError) {
    try inFolder(makesIt: true) { own throws(FileError) in
      try own?.replace(name, with: bytes, isLasting: false)
    }
  }

  /// Renames an unreadable file to `….unreadable`, replacing an earlier one, because cache files
  /// need not accumulate. A missing file is fine.
  package func setAside(_ name: String) throws(FileError) {
    try inFolder { own throws(FileError) in
      guard let own else { return }
      do throws(DiskFailure) {
        try disk.rename(name, to: "\(name).unreadable", in: own.descriptor)
      } catch {
        guard error.code != ENOENT else { return }
        throw FileError("'\(folder)/\(name)' cannot be set aside", because: error.code)
      }
    }
  }

  /// The right to renew a file, held until it is let go or the process ends.
  package struct Claim {
    fileprivate let descriptor: Int32
    fileprivate let disk: any Disk

    package func release() { disk.letGo(descriptor) }
  }

  /// Claims a file without waiting; nil if another process has it.
  package func claim(_ name: String) throws(FileError) -> Claim? {
    try inFolder(makesIt: true) { own throws(FileError) in
      guard let own else { return nil }
      let file = "\(name).lock"
      let descriptor = try own.append(to: file)
      do throws(DiskFailure) {
        try disk.uninterrupted { () throws(DiskFailure) in
          try disk.lock(descriptor, isShared: false)
        }
        return Claim(descriptor: descriptor, disk: disk)
      } catch {
        disk.letGo(descriptor)
        if error.code == EWOULDBLOCK { return nil }
        throw FileError("'\(folder)/\(file)' cannot be locked", because: error.code)
      }
    }
  }

  /// - Parameter body: receives the open directory; nil if there is none.
  private func inFolder<Value>(
    makesIt: Bool = false, _ body: (OwnFolder?) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    do throws(FileError) {
      let own =
        makesIt
        ? try OwnFolder.making(folder, disk: disk) : try OwnFolder.existing(folder, disk: disk)
      defer { own?.close() }
      return try body(own)
    } catch {
      // The code shared with drafts and journal names their directory's variable.
      throw FileError(error.description.replacing("XDG_STATE_HOME", with: "XDG_CACHE_HOME"))
    }
  }
}
