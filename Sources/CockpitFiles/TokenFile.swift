import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that contains only the dashboard token.
package enum TokenFile {
  /// Reads the token. The file must be regular, ours and closed to other users, which is checked on
  /// the open file, so that it cannot be exchanged between check and read.
  ///
  /// - Throws: `FileError` with the command to run if the mode is too open.
  package static func read(_ path: String) throws(FileError) -> String {
    try read(path, opened: open(path, flags))
  }

  /// The same for a file in an open directory, even if its path is redirected meanwhile.
  static func read(_ name: String, in folder: OwnFolder) throws(FileError) -> String {
    try read("\(folder.path)/\(name)", opened: openat(folder.descriptor, name, flags))
  }

  private static let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC

  /// - Parameter descriptor: the result of opening, negative with `errno`; closed here.
  private static func read(_ path: String, opened descriptor: Int32) throws(FileError) -> String {
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR:
        throw FileError(
          "there is no token file at '\(path)'; write the token into it, then run: \(remedy(path))")
      case ELOOP:
        if case .other(let kind) = PlaceKind(path) { throw noFile(path, kind) }
        throw FileError("the token file '\(path)' is a symbolic link; name the file it points to")
      default:
        throw FileError("the token file '\(path)' cannot be read: \(FileError.systemMessage)")
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if case .other(let kind) = PlaceKind(path) { throw noFile(path, kind) }
      throw FileError(
        "the token file '\(path)' is not a regular file; name a file that holds the token")
    }
    guard status.st_uid == geteuid() else {
      throw FileError(
        "the token file '\(path)' belongs to somebody else; copy it to a file of your own, then run: \(remedy(path))"
      )
    }
    guard status.st_mode & 0o077 == 0 else {
      throw FileError("the token file '\(path)' can be read by others; run: \(remedy(path))")
    }
    let bytes = try SafeFile.contents(of: descriptor, path: path, limit: 65_536)
    return String(decoding: bytes, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A pipe has neither owner nor mode to check. There are two other options for the output of a
  /// command.
  private static func noFile(_ path: String, _ kind: String) -> FileError {
    FileError(
      "the token file '\(path)' is \(kind) and no file; to have the token from a command set CLANKY_TOKEN=\"$(COMMAND)\", or token_command = \"COMMAND\" in the configuration"
    )
  }

  private static func remedy(_ path: String) -> String {
    "chmod 600 '\(path.replacing("'", with: "'\\''"))'"
  }
}
