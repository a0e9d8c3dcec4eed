#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Locks that tell other runs of the program which facts are being changed: each is one byte of a
/// file that is never written, locked during the change. The kernel releases a lock when its
/// process ends, however it ends, so nothing needs cleaning up.
package final class ChangeLocks {
  static let name = "changes.lock"

  private let folder: String
  private let disk: any Disk
  /// The file, from the first lock on.
  private var file: Int32?

  /// - Parameter folder: made when it is missing.
  package init(folder: String, disk: any Disk = SystemDisk()) {
    self.folder = folder
    self.disk = disk
  }

  deinit {
    if let file { disk.letGo(file) }
  }

  /// Takes a lock, unless another run has it.
  ///
  /// - Returns: whether we have it now.
  package func take(_ name: String) throws(FileError) -> Bool {
    let file = try opened()
    do throws(DiskFailure) {
      try disk.uninterrupted { () throws(DiskFailure) in
        try disk.lock(file, at: Self.place(of: name))
      }
      return true
    } catch {
      // POSIX lets a system choose between the two.
      if error.code == EAGAIN || error.code == EACCES { return false }
      throw .cannotLock("\(folder)/\(Self.name)", because: error.code)
    }
  }

  /// Why locks do not work in a directory; nil if they do, or if no file can be created there,
  /// which says nothing about locks. Leaves no file behind.
  package static func problem(
    in folder: String, disk: any Disk = SystemDisk()
  ) -> FileError? {
    let path = "\(folder)/\(name).trial-\(UInt64.random(in: 0 ... .max))"
    guard
      case .success(let file) = Result(catching: { () throws(DiskFailure) in
        try disk.open(path, in: nil, for: .creating)
      })
    else { return nil }
    defer {
      disk.letGo(file)
      unlink(path)
    }
    do throws(DiskFailure) {
      try disk.uninterrupted { () throws(DiskFailure) in try disk.lock(file, at: 0) }
      return nil
    } catch {
      return .cannotLock(folder, because: error.code)
    }
  }

  /// Releases a lock.
  package func giveBack(_ name: String) {
    guard let file else { return }
    // Nothing can be done about a failure, and the lock ends with the process.
    _ = Result { () throws(DiskFailure) in try disk.unlock(file, at: Self.place(of: name)) }
  }

  private func opened() throws(FileError) -> Int32 {
    if let file { return file }
    let own = try OwnFolder.making(folder, disk: disk)
    defer { own.close() }
    let descriptor = try own.append(to: Self.name)
    file = descriptor
    return descriptor
  }

  /// The byte of a name. Two names with the same byte merely wait for each other.
  static func place(of name: String) -> Int {
    // Drop the bits that would make the offset negative or overflow.
    Int(StableHash.of(name) >> 2)
  }
}
