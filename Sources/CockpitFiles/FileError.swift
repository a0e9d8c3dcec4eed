import TOML

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a file could not be used, as a message for the user.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  /// The system's words for the current `errno`.
  static var systemMessage: String { String(cString: strerror(errno)) }

  /// What failed, why, and what to do about it.
  ///
  /// - Parameters:
  ///   - what: such as "'/a/b' cannot be written".
  ///   - code: an `errno`.
  init(_ what: String, because code: Int32) {
    let reason =
      switch code {
      case ENOSPC: "the disk is full; free some space"
      case EDQUOT: "your share of the disk is used up; free some space"
      case EROFS: "the file system is read-only; set XDG_STATE_HOME to a folder that can be written"
      case EACCES, EPERM: "you may not write there; check owner and mode of the folder"
      case EIO: "the disk reports an error; check it and its cables"
      case ELOOP: "it is a symbolic link, which is not followed; move it away"
      case EISDIR, ENXIO: "it is not a regular file; move it away"
      case ENOTDIR, EEXIST: "another file is in the way; move it away"
      case ENOENT: "its folder is gone; try again"
      case EMFILE, ENFILE: "too many files are open; close some programs"
      case ENOLCK, ENOTSUP, ENOSYS: Self.noLocks
      default: "\(String(cString: strerror(code))); check the disk"
      }
    self.init("\(what): \(reason)")
  }

  private static let noLocks =
    "the file system cannot lock files; set XDG_STATE_HOME to a folder on a local disk"

  /// - Parameter code: an `errno`. `EINVAL` is how systems without locks of open files answer, such
  ///   as WSL 1 and some sandboxes.
  static func cannotLock(_ path: String, because code: Int32) -> FileError {
    let what = "'\(path)' cannot be locked"
    guard code == EINVAL else { return FileError(what, because: code) }
    return FileError(
      "\(what): \(noLocks); where no folder has locks, as in WSL 1, the system itself lacks them")
  }

  /// The error in the TOML file at `path`.
  init(_ mistake: TOMLMistake, path: String) {
    self.init("\(path):\(mistake.line): \(mistake.problem)")
  }

  /// The same with an additional note, such as what was not lost.
  package func adding(_ more: String) -> FileError { FileError("\(description); \(more)") }

  static func cannotWrite(_ path: String, because code: Int32) -> FileError {
    FileError("'\(path)' cannot be written", because: code)
  }

  static func cannotRead(_ path: String, because code: Int32) -> FileError {
    guard code != EACCES, code != EPERM else {
      return FileError("'\(path)' cannot be read: you may not; check its owner and mode")
    }
    return FileError("'\(path)' cannot be read", because: code)
  }

  static func isNoFile(_ path: String) -> FileError {
    FileError("'\(path)' is not a regular file; move it away")
  }
}
