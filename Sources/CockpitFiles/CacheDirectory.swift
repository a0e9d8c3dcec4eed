#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that make something quick and can be lost: whole or not at all, for our eyes only, and not
/// synced, since a status bar writes one every few seconds.
package struct CacheDirectory {
  /// Bytes of one file; a larger one is none of ours.
  package static let sizeLimit = 256 << 10

  private let folder: String
  private let disk: any Disk

  /// - Parameter folder: the cache directory; made when it is missing.
  package init(folder: String, disk: any Disk = SystemDisk()) {
    self.folder = folder
    self.disk = disk
  }

  /// The bytes of a file; nil when there is none.
  ///
  /// - Throws: also when it is something that we never wrote, such as a link or a file too large.
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

  /// Renames a file that cannot be read to `….unreadable`, in place of an earlier one: what can be
  /// lost need not pile up. One that is gone already is fine.
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

  /// Claims a file without waiting; nil when another process has it.
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

  /// - Parameter body: gets the open folder; nil when there is none.
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
      // What is shared with drafts and journal advises about their directory.
      throw FileError(error.description.replacing("XDG_STATE_HOME", with: "XDG_CACHE_HOME"))
    }
  }
}
