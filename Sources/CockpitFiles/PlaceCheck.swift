#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks at a file or folder without touching it, for `doctor`.
package struct PlaceCheck: Hashable, Sendable {
  package var isFolder: Bool
  package var isLink: Bool
  package var isOurs: Bool
  /// The permission bits, such as 0o700.
  package var mode: UInt32
  package var isWritable: Bool

  /// nil if nothing exists there, or access is denied.
  package init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    isLink = status.st_mode & S_IFMT == S_IFLNK
    if isLink, stat(path, &status) != 0 { return nil }
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isOurs = status.st_uid == geteuid()
    mode = UInt32(status.st_mode & 0o777)
    isWritable = access(path, W_OK) == 0
  }

  /// Whether other users may access it.
  package var isOpenToOthers: Bool { mode & 0o077 != 0 }

  /// The mode as `chmod` takes it.
  package var modeText: String { "0" + String(mode, radix: 8) }

  /// The nearest folder above a path that exists: where it would be made.
  package static func nearestFolder(above path: String) -> (path: String, check: PlaceCheck)? {
    var path = path[...]
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = path[..<slash]
      if let check = PlaceCheck(String(path)) { return (String(path), check) }
    }
    return nil
  }
}
