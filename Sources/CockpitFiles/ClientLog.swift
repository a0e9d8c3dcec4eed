#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The log file, for messages that must not appear on the full screen: mode 0600 in a 0700
/// directory. Output of libraries to standard error goes there too.
///
/// A full file is copied to `cockpit.log.1` and truncated, so that the descriptor, which the
/// terminal session uses as standard error, stays valid. Several cockpits may write to it.
package struct ClientLog: Sendable {
  package let path: String
  /// Open for appending; stays open as long as the program.
  package let descriptor: Int32
  private let folder: String
  private let limit: Int

  private static let name = "cockpit.log"
  private static let oldName = "cockpit.log.1"

  /// Opens the log in the state directory. If that fails (read-only or missing HOME, full disk) the
  /// cockpit works without it, and the user is told once.
  ///
  /// - Parameter limit: bytes after which the file is full.
  package static func open(_ paths: Paths, limit: Int = 1 << 20) throws(FileError) -> ClientLog {
    guard let folder = paths.state else {
      throw FileError("there is no state directory: \(paths.remedy("XDG_STATE_HOME"))")
    }
    let own = try OwnFolder.making(folder, disk: SystemDisk())
    defer { own.close() }
    return ClientLog(
      path: "\(folder)/\(name)", descriptor: try own.append(to: name), folder: folder, limit: limit)
  }

  /// Adds one line, without its line break. A log that cannot be written is no reason to stop: the
  /// line is lost then, and a full file grows on until there is room for its copy.
  package func append(_ line: [UInt8]) {
    let disk = SystemDisk()
    _ = Result { () throws(FileError) in try makeRoom(for: line.count + 1, disk) }
    _ = Result { () throws(DiskFailure) in try disk.writeAll(line + [0x0A], to: descriptor) }
  }

  private func makeRoom(for count: Int, _ disk: SystemDisk) throws(FileError) {
    let bytes: [UInt8]
    do throws(DiskFailure) {
      let size = try disk.status(of: descriptor).size
      guard size > 0, size + count > limit else { return }
      // Do not read an oversized file in full.
      bytes = try disk.readAll(max(0, size - limit)..<size, of: descriptor)
    } catch {
      throw .cannotRead(path, because: error.code)
    }
    let own = try OwnFolder.making(folder, disk: disk)
    defer { own.close() }
    try own.replace(Self.oldName, with: bytes)
    do throws(DiskFailure) {
      try disk.uninterrupted { () throws(DiskFailure) in try disk.truncate(descriptor, to: 0) }
    } catch {
      throw .cannotWrite(path, because: error.code)
    }
  }
}
