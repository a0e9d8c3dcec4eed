/// Tokens that `setup` saved: in the system's keyring where there is one, else in a file of ours.
package struct Credentials: Sendable {
  /// Where to save, when somebody has a wish.
  package enum Wish: String, Hashable, Sendable, CaseIterable {
    case keyring, file
  }

  /// What was saved, and what there is to say about it.
  package struct Saved: Hashable, Sendable {
    package var place: CredentialPlace
    /// Why it is not in the keyring, or why an older copy is still there.
    package var remark: String?
  }

  private let folder: CredentialFolder?
  /// What gives it a folder.
  private let remedy: String
  private let environment: [String: String]
  /// Stands for `/usr/bin/security` in tests; nil: on macOS only, and the real one.
  private let keychainTool: String?

  /// - Parameters:
  ///   - state: our folder in the XDG state directory; nil when there is none, and then nothing is
  ///     found and nothing can be saved.
  ///   - remedy: what to do then (`Paths.remedy`).
  ///   - environment: says where `secret-tool` and the session bus are.
  package init(
    state: String?, remedy: String = "set HOME or XDG_STATE_HOME to a full path",
    environment: [String: String], keychainTool: String? = nil
  ) {
    folder = state.map(CredentialFolder.init)
    self.remedy = remedy
    self.environment = environment
    self.keychainTool = keychainTool
  }

  /// The keyring of this machine; nil when there is none that could answer.
  private var keyring: (any Keyring)? {
    if let keychainTool { return Keychain(tool: keychainTool, environment: environment) }
    #if os(macOS)
      return Keychain(environment: environment)
    #else
      return SecretService(environment: environment)
    #endif
  }

  /// The name of the keyring that `save` would try first; nil when there is none.
  package var keyringName: String? { keyring?.place.description }

  /// Where the token of an origin was saved, without asking for it; nil when it was not.
  package func place(of key: CredentialKey) throws(FileError) -> CredentialPlace? {
    guard let folder else { return nil }
    if let name = try folder.keyring(key) { return Self.place(named: name) }
    return try folder.token(key) == nil ? nil : .file(folder.tokenPath(key))
  }

  /// The token that was saved for exactly this origin; nil when there is none.
  ///
  /// - Parameter patience: a locked keyring may ask the person at the screen to unlock it.
  /// - Throws: one sentence: the file is open to others, the keyring does not answer.
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

  /// Saves the token of one origin, in place of the one before, and reads it back.
  ///
  /// - Parameter wish: nil takes the keyring and, when that fails, the file.
  package func save(
    _ token: String, for key: CredentialKey, wish: Wish? = nil, patience: Duration
  ) throws(FileError) -> Saved {
    guard let folder else {
      throw FileError("there is no place for the token: \(remedy)")
    }
    var remark: String?
    if wish != .file, let keyring {
      do throws(FileError) {
        try keyring.save(token, for: key, patience: patience)
        guard try keyring.load(key, patience: patience) == token else {
          throw FileError("the \(keyring.place) did not give the token back as it was saved")
        }
        try folder.saveKeyring(Self.name(of: keyring.place), key)
        try folder.removeToken(key)
        return Saved(place: keyring.place)
      } catch {
        guard wish == nil else { throw error }
        remark = error.description
      }
    } else if wish == .keyring {
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

  /// Takes an older token out of a keyring; what to say when it stays there.
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
