import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that somebody asked for by name, in a folder that need not be ours: the mode of the folder
/// stays as it is.
package enum OutputFile {
  /// Writes `bytes` to `path`, mode 0600: whole, or the old content stands. A link, a pipe or a
  /// folder in its place is refused.
  package static func replace(
    _ path: String, with bytes: [UInt8], disk: any Disk = SystemDisk()
  ) throws(FileError) {
    let url = URL(filePath: path)
    // The way to the folder may lead through links: it is the user's own.
    var folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
      .path(percentEncoded: false)
    if folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    let name = url.lastPathComponent
    guard !path.hasSuffix("/"), !["", ".", "..", "/"].contains(name) else {
      throw FileError("'\(path)' names no file")
    }
    let descriptor: Int32
    do throws(DiskFailure) {
      descriptor = try disk.uninterrupted { () throws(DiskFailure) in
        try disk.open(folder, in: nil, for: .folder)
      }
    } catch {
      guard error.code != ENOENT else {
        throw FileError("there is no folder '\(folder)'; make it first")
      }
      throw .cannotWrite(path, because: error.code)
    }
    let own = OwnFolder(path: folder, descriptor: descriptor, disk: disk)
    defer { own.close() }
    try own.replace(name, with: bytes)
  }
}
