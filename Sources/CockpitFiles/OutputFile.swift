import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file named by the user, in a directory that need not be ours: the mode of the directory stays
/// as it is.
package enum OutputFile {
  /// Whether a name stands for standard output: `-` as usual, and the system's own name.
  package static func isStandardOutput(_ path: String) -> Bool {
    path == "-" || path == "/dev/stdout"
  }

  /// Writes `bytes` to `path`, mode 0600: completely, or the old content stays. A link, a pipe, a
  /// device or a directory in its place is refused.
  ///
  /// - Parameter instead: advice if the path cannot be a file, such as `name a file`.
  package static func replace(
    _ path: String, with bytes: [UInt8], instead: String, disk: any Disk = SystemDisk()
  ) throws(FileError) {
    if let kind = PlaceKind(path) {
      switch kind {
      case .file: break
      case .link:
        throw FileError(
          "'\(path)' is a symbolic link, which is not followed; name the file that it leads to")
      case .folder: throw FileError("'\(path)' is a folder; name a file in it")
      case .other(let name): throw FileError("'\(path)' is \(name) and no file; \(instead)")
      }
    }
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
