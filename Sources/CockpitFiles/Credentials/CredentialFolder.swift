#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Our 0700 directory for tokens, with one 0600 file per origin: the token itself, or the name of
/// the keyring that has it. So no keyring is opened, and perhaps prompts, for a token that was
/// never stored there.
struct CredentialFolder: Sendable {
  /// `…/clanky-cockpit/credentials` in the state directory, not beside the configuration, which is
  /// often kept in a repository.
  let path: String
  /// The state directory. It is opened first and never through a link: a token is neither written
  /// to nor read from a place that another user redirected (promise P7).
  private let state: String
  private let disk = SystemDisk()

  private static let name = "credentials"

  init(state: String) {
    self.state = state
    path = "\(state)/\(Self.name)"
  }

  /// The directory, closed by the caller; nil if there is none.
  private func existing() throws(FileError) -> OwnFolder? {
    guard let own = try OwnFolder.unchecked(state, disk: disk) else { return nil }
    defer { own.close() }
    return try own.existing(Self.name)
  }

  private func save(_ line: String, as name: String) throws(FileError) {
    let own = try OwnFolder.making(state, disk: disk)
    defer { own.close() }
    let folder = try own.making(Self.name)
    defer { folder.close() }
    try folder.replace(name, with: Array((line + "\n").utf8))
  }

  private static let note = ".keyring"

  func tokenPath(_ key: CredentialKey) -> String { "\(path)/\(key.fileName).token" }

  /// The token in the file; nil if there is none. The rules of `--token-file` apply.
  func token(_ key: CredentialKey) throws(FileError) -> String? {
    guard let folder = try existing() else { return nil }
    defer { folder.close() }
    let name = "\(key.fileName).token"
    let status = Result { () throws(DiskFailure) in
      try disk.status(of: name, in: folder.descriptor)
    }
    if case .failure(let failure) = status, failure.code == ENOENT { return nil }
    return try TokenFile.read(name, in: folder)
  }

  func saveToken(_ token: String, _ key: CredentialKey) throws(FileError) {
    try save(token, as: "\(key.fileName).token")
  }

  /// The keyring that has the token; nil if none does.
  func keyring(_ key: CredentialKey) throws(FileError) -> String? {
    guard let folder = try existing() else { return nil }
    defer { folder.close() }
    guard let file = try folder.read(key.fileName + Self.note) else { return nil }
    defer { disk.letGo(file.descriptor) }
    do throws(DiskFailure) {
      let bytes = try disk.readAll(0..<min(file.size, 64), of: file.descriptor)
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    } catch {
      throw .cannotRead("\(path)/\(key.fileName)\(Self.note)", because: error.code)
    }
  }

  func saveKeyring(_ name: String, _ key: CredentialKey) throws(FileError) {
    try save(name, as: key.fileName + Self.note)
  }

  func removeToken(_ key: CredentialKey) throws(FileError) { try remove("\(key.fileName).token") }

  func removeKeyring(_ key: CredentialKey) throws(FileError) {
    try remove(key.fileName + Self.note)
  }

  private func remove(_ name: String) throws(FileError) {
    guard let folder = try existing() else { return }
    defer { folder.close() }
    do throws(DiskFailure) {
      try disk.uninterrupted { () throws(DiskFailure) in
        try disk.remove(name, in: folder.descriptor)
      }
    } catch {
      guard error.code != ENOENT else { return }
      throw FileError("'\(path)/\(name)' cannot be removed", because: error.code)
    }
  }
}
