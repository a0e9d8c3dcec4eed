import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads and writes files that attackers may have prepared: no symbolic link is followed, no pipe
/// blocks, and a write is complete or absent (promise P7).
package enum SafeFile {
  /// The content of a regular file of at most `limit` bytes; nil if there is none.
  package static func read(_ path: String, limit: Int = 4 << 20) throws(FileError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .cannotRead(path, because: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FileError("'\(path)' is not a regular file")
    }
    guard status.st_size <= limit else {
      throw FileError("'\(path)' is larger than \(limit / 1024) KiB; is it the right file?")
    }
    return try contents(of: descriptor, path: path, limit: limit)
  }

  /// Whether anything exists at `path`.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func contents(of descriptor: Int32, path: String, limit: Int) throws(FileError) -> [UInt8]
  {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      let count = readBytes(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw .cannotRead(path, because: errno)
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    throw FileError("'\(path)' is larger than \(limit / 1024) KiB; is it the right file?")
  }

  /// Makes a folder of ours, mode 0700, and its parents.
  package static func makeFolder(
    _ path: String, disk: any Disk = SystemDisk()
  ) throws(FileError) {
    guard let code = make(path, disk: disk) else { return syncParent(of: path, disk: disk) }
    let what = "the folder '\(path)' cannot be made"
    if code == ENOENT {
      guard let parent = parent(of: path) else { throw FileError(what, because: code) }
      try makeFolder(parent, disk: disk)
      guard let code = make(path, disk: disk) else { return syncParent(of: path, disk: disk) }
      guard code == EEXIST else { throw FileError(what, because: code) }
    } else if code != EEXIST {
      throw FileError(what, because: code)
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError("'\(path)' is in the way: it is not a folder; move it away")
    }
  }

  private static func make(_ path: String, disk: any Disk) -> Int32? {
    do throws(DiskFailure) {
      try disk.makeFolder(path, in: nil)
      return nil
    } catch {
      return error.code
    }
  }

  /// A new folder is lost in a power cut as long as its name is only in memory. A parent that may
  /// not be read cannot be synced, and the folder is good without it.
  private static func syncParent(of path: String, disk: any Disk) {
    _ = Result { () throws(DiskFailure) in
      let parent = try disk.open(parent(of: path) ?? "/", in: nil, for: .folder)
      defer { disk.letGo(parent) }
      try disk.synchronizeFolder(parent)
    }
  }

  private static func parent(of path: String) -> String? {
    let path = path.hasSuffix("/") ? path.dropLast() : path[...]
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
    return String(path[..<slash])
  }

  /// Writes a new file into the temporary directory, mode 0600 from creation, under an
  /// unpredictable name.
  ///
  /// - Returns: its path.
  package static func writeTemporary(
    _ bytes: [UInt8], suffix: String, disk: any Disk = SystemDisk()
  ) throws(FileError) -> String {
    let name = "clanky-\(getpid())-\(UInt64.random(in: 0 ... .max))\(suffix)"
    let path = FileManager.default.temporaryDirectory.appending(path: name)
      .path(percentEncoded: false)
    do throws(DiskFailure) {
      let descriptor = try disk.uninterrupted { () throws(DiskFailure) in
        try disk.open(path, in: nil, for: .creating)
      }
      do throws(DiskFailure) {
        try disk.writeAll(bytes, to: descriptor)
      } catch {
        disk.letGo(descriptor)
        unlink(path)
        throw error
      }
      disk.letGo(descriptor)
    } catch {
      throw FileError("the temporary file '\(path)' cannot be written", because: error.code)
    }
    return path
  }

  /// Removes a file of ours; a missing one is fine.
  package static func remove(_ path: String) { unlink(path) }
}

// `read` is also the name of our own function.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int
{
  #if canImport(Glibc)
    Glibc.read(descriptor, buffer, count)
  #else
    Darwin.read(descriptor, buffer, count)
  #endif
}
