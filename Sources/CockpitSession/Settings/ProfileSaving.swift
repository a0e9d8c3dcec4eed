import CockpitFiles
import Networking
import TOML

/// Saves a profile that was set up: its secret, then its keys in the configuration file.
struct ProfileSaving {
  /// A secret and where it belongs.
  struct Secret {
    /// What it is called on the screen, such as `token` or `API key`.
    var noun: String
    var text: TokenText
    /// The server that it is for, as a URL.
    var origin: String
    var credential: CredentialKey
    /// Where it is saved; nil means the keyring if there is one.
    var preference: Credentials.Preference?
  }

  var name: String
  /// nil leaves what is saved.
  var secret: Secret?

  /// Saves the secret first: a profile without it would fail at the next start.
  ///
  /// - Parameter edit: sets the profile's keys; it gets the name of the profile's table. The rest of the file is
  ///   preserved.
  /// - Returns: what was written where, a sentence each.
  func save(
    _ settings: Settings, edit: (inout TOMLEdit, String) throws(TOMLEditError) -> Void
  ) throws(Failure) -> [String] {
    guard let path = settings.options.config ?? settings.paths.configFile else {
      throw Failure(
        .failed,
        "there is no place for a configuration: \(settings.paths.remedy("XDG_CONFIG_HOME"))")
    }
    var sentences: [String] = []
    do throws(FileError) {
      if let secret {
        let saved = try settings.credentials.save(
          secret.text.text, for: secret.credential, preference: secret.preference,
          patience: settings.patience)
        sentences.append("The \(secret.noun) for \(secret.origin) is in: \(saved.place).")
        if let remark = saved.remark { sentences.append("(\(remark).)") }
      }
      do throws(FileError) {
        try write(to: path, settings.configuration, edit)
      } catch {
        throw secret.map { error.adding("the \($0.noun) is saved") } ?? error
      }
    } catch {
      throw Failure(.failed, error.description)
    }
    sentences.append("The profile is in \(path), [profiles.\(name)].")
    return sentences
  }

  private func write(
    to path: String, _ configuration: Configuration,
    _ edit: (inout TOMLEdit, String) throws(TOMLEditError) -> Void
  ) throws(FileError) {
    let isFirst =
      configuration.profile == nil && configuration.base.url == nil
      && configuration.profiles.isEmpty
    let table = "profiles.\(TOMLEdit.quoted(name))"
    try ConfigurationFile.update(path: path) { file throws(TOMLEditError) in
      if isFirst { try file.set("profile", .string(name), in: nil) }
      try edit(&file, table)
    }
  }
}
