import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a file could not be used, in words for its owner.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  /// The system's words for the current `errno`.
  static var systemMessage: String { String(cString: strerror(errno)) }
}

/// Reading and writing files that strangers may have prepared: no symbolic link is followed, no
/// pipe is waited for, and what is written is there whole or not at all (promise P7).
package enum SafeFile {
  /// The bytes of a regular file of at most `limit` bytes; nil when there is none.
  package static func read(_ path: String, limit: Int = 4 << 20) throws(FileError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileError("'\(path)' cannot be read: \(FileError.systemMessage)")
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

  static func contents(of descriptor: Int32, path: String, limit: Int) throws(FileError) -> [UInt8]
  {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      let count = readBytes(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw FileError("'\(path)' cannot be read: \(FileError.systemMessage)")
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
    throw FileError("'\(path)' is larger than \(limit / 1024) KiB; is it the right file?")
  }

  /// Makes a folder of ours, mode 0700, and its parents.
  package static func makeFolder(_ path: String) throws(FileError) {
    guard mkdir(path, 0o700) != 0 else { return }
    if errno == ENOENT {
      let parent = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
      guard parent != path, parent != "/" else {
        throw FileError("the folder '\(path)' cannot be made: \(FileError.systemMessage)")
      }
      try makeFolder(parent.hasSuffix("/") ? String(parent.dropLast()) : parent)
      guard mkdir(path, 0o700) != 0 else { return }
    }
    guard errno == EEXIST else {
      throw FileError("the folder '\(path)' cannot be made: \(FileError.systemMessage)")
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError("'\(path)' is in the way: it is not a folder")
    }
  }

  /// Writes a new file of ours into the folder for temporary files, mode 0600 from its first
  /// moment, under a name that nobody can have prepared.
  ///
  /// - Returns: its path.
  package static func writeTemporary(_ bytes: [UInt8], suffix: String) throws(FileError) -> String {
    let name = "clanky-\(getpid())-\(UInt64.random(in: 0 ... .max))\(suffix)"
    let path = FileManager.default.temporaryDirectory.appending(path: name)
      .path(percentEncoded: false)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw FileError("'\(path)' cannot be written: \(FileError.systemMessage)")
    }
    defer { close(descriptor) }
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count == bytes.count else {
      let message = FileError.systemMessage
      unlink(path)
      throw FileError("'\(path)' cannot be written: \(message)")
    }
    return path
  }

  /// Removes a file of ours; one that is gone already is fine.
  package static func remove(_ path: String) { unlink(path) }

  /// Opens a file of ours for appending, mode 0600 from its first moment, following no link.
  package static func openForAppending(_ path: String) throws(FileError) -> Int32 {
    let descriptor = open(
      path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw FileError("'\(path)' cannot be written: \(FileError.systemMessage)")
    }
    return descriptor
  }
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
