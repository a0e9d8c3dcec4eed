import TOML

/// The theme files of a folder: the user's, or installed ones.
package enum ThemeFolder {
  /// Names of the themes in it, sorted; none when there is no such folder or it may not be read.
  package static func names(in folder: String, disk: any Disk = SystemDisk()) -> [String] {
    let found = Result { () throws(DiskFailure) in
      let descriptor = try disk.uninterrupted { () throws(DiskFailure) in
        try disk.open(folder, in: nil, for: .folder)
      }
      defer { disk.letGo(descriptor) }
      return try disk.names(in: descriptor, limit: 1000)
    }
    guard case .success(let names) = found else { return [] }
    return names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(5)) }.sorted()
  }

  /// The text of a theme; nil if the directory has none of this name.
  package static func text(of name: String, in folder: String) throws(FileError) -> String? {
    let path = "\(folder)/\(name).toml"
    guard let bytes = try SafeFile.read(path, limit: 1 << 20) else { return nil }
    do throws(TOMLMistake) {
      return try TOMLDocument.text(bytes)
    } catch {
      throw FileError(error, path: path)
    }
  }
}
