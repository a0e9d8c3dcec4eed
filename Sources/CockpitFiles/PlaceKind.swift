#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What kind of file a path names, for error messages; opening it checks again.
enum PlaceKind: Hashable {
  case file, folder
  /// A symbolic link to a file, to a folder, or to nothing.
  case link
  /// Neither file nor folder, through links or not, in words such as `a pipe`. A shell's `<(…)` and
  /// `>(…)` are names of pipes.
  case other(String)

  /// nil if nothing exists there.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    guard !isLink || stat(path, &status) == 0 else {
      self = .link
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = isLink ? .link : .file
    case S_IFDIR: self = isLink ? .link : .folder
    case S_IFIFO: self = .other("a pipe")
    case S_IFSOCK: self = .other("a socket")
    default: self = .other("a device")
    }
  }
}
