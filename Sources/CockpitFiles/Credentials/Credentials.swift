/// Tokens saved by `setup`: in the system's keyring if there is one, else in a file of ours.
package struct Credentials: Sendable {
  /// The user's choice of where to save.
  package enum Preference: String, Hashable, Sendable, CaseIterable {
    case keyring, file
  }

  /// The result of saving, with notes for the user.
  package struct Saved: Hashable, Sendable {
    package var place: CredentialPlace
    /// Why it is not in the keyring, or why an older copy is still there.
    package var remark: String?
  }

  private let folder: CredentialFolder?
  /// Advice if there is no state directory.
  private let remedy: String
  private let environment: [String: String]
  /// Replaces `/usr/bin/security` in tests; nil means the real one, on macOS only.
  private let keychainTool: String?

  /// - Parameters:
  ///   - state: our directory in the XDG state directory; nil if there is none, and then no token
  ///     can be found or saved.
  ///   - remedy: advice for that case (`Paths.remedy`).
  ///   - environment: locates `secret-tool` and the session bus.
  package init(
    state: String?, remedy: String = "set HOME or XDG_STATE_HOME to a full path",
    environment: [String: String], keychainTool: String? = nil
  ) {
    folder = state.map(CredentialFolder.init)
    self.remedy = remedy
    self.environment = environment
    self.keychainTool = keychainTool
  }

  /// The keyring of this machine; nil if none is available.
  private var keyring: (any Keyring)? {
    if let keychainTool { return Keychain(tool: keychainTool, environment: environment) }
    #if os(macOS)
      return Keychain(environment: environment)
    #else
      return SecretService(environment: environment)
    #endif
  }

  /// The name of the keyring that `save` would try first; nil if there is none.
  package var keyringName: String? { keyring?.place.description }

  /// Where the token of an origin is saved, without loading it; nil if it is not.
  package func place(of key: CredentialKey) throws(FileError) -> CredentialPlace? {
    guard let folder else { return nil }
    if let name = try folder.keyring(key) { return Self.place(named: name) }
    return try folder.token(key) == nil ? nil : .file(folder.tokenPath(key))
  }

  /// The token saved for exactly this origin; nil if there is none.
  ///
  /// - Parameter patience: a locked keyring may prompt the user to unlock it.
  /// - Throws: one sentence: the file is open to others, or the keyring does not answer.
  package func load(
    _ key: CredentialKey, patience: Duration
  ) throws(FileError) -> (token: String, place: CredentialPlace)? {
    guard let folder else { return nil }
    guard let name = try folder.keyring(key) else {
      return try folder.token(key).map { ($0, .file(folder.tokenPath(key))) }
    }
    let place = Self.place(named: name)
    guard let keyring, keyring.place == place else {
      throw FileError(
        "the token of \(key.origin) is in the \(place), which cannot be reached from here; give it with --token-file or CLANKY_TOKEN, or run 'clanky-cockpit setup --store file'"
      )
    }
    do throws(FileError) {
      guard let token = try keyring.load(key, patience: patience) else {
        throw FileError(
          "the \(place) no longer has the token of \(key.origin); run 'clanky-cockpit setup' to enter it again"
        )
      }
      return (token, place)
    } catch {
      throw error.adding("the token of \(key.origin) was saved there")
    }
  }

  /// Saves the token of an origin, replacing the previous one, and reads it back.
  ///
  /// - Parameter preference: nil means the keyring and, if that fails, the file.
  package func save(
    _ token: String, for key: CredentialKey, preference: Preference? = nil, patience: Duration
  ) throws(FileError) -> Saved {
    guard let folder else {
      throw FileError("there is no place for the token: \(remedy)")
    }
    var remark: String?
    if preference != .file, let keyring {
      do throws(FileError) {
        try keyring.save(token, for: key, patience: patience)
        guard try keyring.load(key, patience: patience) == token else {
          throw FileError("the \(keyring.place) did not give the token back as it was saved")
        }
        try folder.saveKeyring(Self.name(of: keyring.place), key)
        try folder.removeToken(key)
        return Saved(place: keyring.place)
      } catch {
        guard preference == nil else { throw error }
        remark = error.description
      }
    } else if preference == .keyring {
      throw FileError(
        "no keyring answers here: 'secret-tool' (libsecret-tools) and a session bus are needed; use --store file"
      )
    }
    try folder.saveToken(token, key)
    if let copy = try folder.keyring(key) {
      try folder.removeKeyring(key)
      remark = removeCopy(of: key, in: Self.place(named: copy), patience) ?? remark
    }
    return Saved(place: .file(folder.tokenPath(key)), remark: remark)
  }

  /// Forgets the token of an origin, wherever it is saved.
  package func remove(_ key: CredentialKey, patience: Duration) throws(FileError) {
    guard let folder else { return }
    if let name = try folder.keyring(key) {
      guard let keyring, keyring.place == Self.place(named: name) else {
        throw FileError("the \(Self.place(named: name)) cannot be reached from here")
      }
      try keyring.remove(key, patience: patience)
      try folder.removeKeyring(key)
    }
    try folder.removeToken(key)
  }

  /// Removes an older token from a keyring; returns a note if that fails.
  private func removeCopy(
    of key: CredentialKey, in place: CredentialPlace, _ patience: Duration
  ) -> String? {
    do throws(FileError) {
      guard let keyring, keyring.place == place else { throw FileError("it cannot be reached") }
      try keyring.remove(key, patience: patience)
      return nil
    } catch {
      return "an older token of \(key.origin) may still be in the \(place): \(error.description)"
    }
  }

  private static func name(of place: CredentialPlace) -> String {
    switch place {
    case .secretService: "secret-service"
    case .keychain: "keychain"
    case .file: "file"
    }
  }

  private static func place(named name: String) -> CredentialPlace {
    name == "keychain" ? .keychain : .secretService
  }
}
