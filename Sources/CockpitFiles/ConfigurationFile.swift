import TOML

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Edits the user's configuration file: changes only the requested keys, and only if the file has
/// not changed since it was read.
package enum ConfigurationFile {
  /// Changes keys of the file at `path`, creating it, 0600 in a 0700 directory, if it is missing.
  ///
  /// A symbolic link is neither replaced nor followed, and another user's file is refused. The mode
  /// of a directory not called `clanky-cockpit` is left as it is.
  ///
  /// - Parameter change: edits the text; if it throws, or changes nothing, nothing is written.
  /// - Throws: one sentence. The file is unchanged then, unless only the last call failed, which
  ///   makes the change survive a power cut.
  package static func update(
    path: String, disk: any Disk = SystemDisk(),
    _ change: (inout TOMLEdit) throws(TOMLEditError) -> Void
  ) throws(FileError) {
    let before = try SafeFile.read(path)
    guard let text = String(validating: before ?? [], as: UTF8.self) else {
      throw FileError("'\(path)' is not changed: it is no UTF-8 text; save it as UTF-8")
    }
    var edit: TOMLEdit
    do throws(TOMLEditError) {
      edit = try TOMLEdit(text)
      try change(&edit)
    } catch {
      throw FileError("'\(path)' is not changed: \(error.description)")
    }
    guard edit.text != text else { return }
    try write(Array(edit.text.utf8), over: before, path: path, disk: disk)
  }

  private static func write(
    _ bytes: [UInt8], over before: [UInt8]?, path: String, disk: any Disk
  ) throws(FileError) {
    let slash = path.lastIndex(of: "/")
    let name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
    let folderPath = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    do throws(FileError) {
      let isOurs = folderPath.hasSuffix("/\(Paths.folder)")
      let folder =
        try isOurs
        ? OwnFolder.making(folderPath, disk: disk) : OwnFolder.asItIs(folderPath, disk: disk)
      defer { folder.close() }
      try folder.refuseForeign(name)
      guard try SafeFile.read(path) == before else {
        throw FileError("'\(path)' was changed by somebody else meanwhile; try again")
      }
      try folder.replace(name, with: bytes)
    } catch {
      // The files of this folder find their place by the other variable.
      throw FileError(
        error.description.replacing("XDG_STATE_HOME", with: "XDG_CONFIG_HOME"))
    }
  }
}

extension OwnFolder {
  /// Opens a directory without checking owner and mode; creates it, 0700, if it is missing. The
  /// caller closes it.
  static func asItIs(_ path: String, disk: any Disk) throws(FileError) -> OwnFolder {
    do throws(DiskFailure) {
      return OwnFolder(
        path: path, descriptor: try disk.open(path, in: nil, for: .folder), disk: disk)
    } catch {
      guard error.code == ENOENT else {
        throw FileError("the folder '\(path)' cannot be opened", because: error.code)
      }
    }
    return try making(path, disk: disk)
  }

  /// Refuses a link, with advice, and a file of another user: a rename would replace it with ours.
  fileprivate func refuseForeign(_ name: String) throws(FileError) {
    let file = "\(path)/\(name)"
    let status: FileStatus
    do throws(DiskFailure) {
      status = try disk.status(of: name, in: descriptor)
    } catch {
      guard error.code != ENOENT else { return }
      throw .cannotWrite(file, because: error.code)
    }
    if status.kind == .link {
      throw FileError(
        "'\(file)' is a symbolic link, which is not written through; change the file it leads to "
          + "in an editor, or name that file with --config")
    }
    guard status.owner == geteuid() else {
      throw FileError(
        "'\(file)' belongs to somebody else and is not changed; change it as its owner")
    }
  }
}
