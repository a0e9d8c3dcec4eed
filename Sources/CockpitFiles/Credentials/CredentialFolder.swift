#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Our own folder for tokens, 0700, with a file of 0600 for each origin: the token itself, or the
/// word which keyring has it. So nobody's keyring is opened, and perhaps asks to be unlocked, for a
/// token that was never put there.
struct CredentialFolder: Sendable {
  /// `…/clanky-cockpit/credentials` in the state directory: configurations are often kept in a
  /// repository, where a token has no business.
  let path: String
  private let disk = SystemDisk()

  init(state: String) { path = "\(state)/credentials" }

  private static let note = ".keyring"

  func tokenPath(_ key: CredentialKey) -> String { "\(path)/\(key.fileName).token" }

  /// The token in the file; nil when there is none. The rules of `--token-file` hold.
  func token(_ key: CredentialKey) throws(FileError) -> String? {
    guard let folder = try OwnFolder.existing(path, disk: disk) else { return nil }
    defer { folder.close() }
    let name = "\(key.fileName).token"
    let status = Result { () throws(DiskFailure) in
      try disk.status(of: name, in: folder.descriptor)
    }
    if case .failure(let failure) = status, failure.code == ENOENT { return nil }
    return try TokenFile.read("\(path)/\(name)")
  }

  func saveToken(_ token: String, _ key: CredentialKey) throws(FileError) {
    try AtomicFile.replace(tokenPath(key), with: Array((token + "\n").utf8), disk: disk)
  }

  /// Which keyring has the token; nil when none has.
  func keyring(_ key: CredentialKey) throws(FileError) -> String? {
    guard let folder = try OwnFolder.existing(path, disk: disk) else { return nil }
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
    try AtomicFile.replace(
      "\(path)/\(key.fileName)\(Self.note)", with: Array((name + "\n").utf8), disk: disk)
  }

  func removeToken(_ key: CredentialKey) throws(FileError) { try remove("\(key.fileName).token") }

  func removeKeyring(_ key: CredentialKey) throws(FileError) {
    try remove(key.fileName + Self.note)
  }

  private func remove(_ name: String) throws(FileError) {
    guard let folder = try OwnFolder.existing(path, disk: disk) else { return }
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
