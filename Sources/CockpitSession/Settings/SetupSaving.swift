import Networking
import CockpitFiles
import Foundation
import TOML

/// What `setup` writes down, in the cockpit and on the command line alike: the address goes into the
/// configuration file, the token never does.
package struct SetupSaving: Sendable {
  package var url: BackendURL
  /// Nil leaves alone what is saved already.
  package var token: TokenText?
  /// Empty: the top level of the file.
  package var profile: String
  /// Whether plain http to another machine was agreed to.
  package var allowsPlainHTTP: Bool
  /// Nil takes the keyring where there is one.
  package var wish: Credentials.Wish?

  package init(
    url: BackendURL, token: TokenText?, profile: String, allowsPlainHTTP: Bool,
    wish: Credentials.Wish? = nil
  ) {
    self.url = url
    self.token = token
    self.profile = profile
    self.allowsPlainHTTP = allowsPlainHTTP
    self.wish = wish
  }

  /// What was written where, one sentence each.
  package struct Outcome: Sendable {
    package var sentences: [String] = []
    /// Where the token is now.
    package var place: CredentialPlace?
  }

  /// Saves, token first: an address without its token would greet the user with an error.
  ///
  /// - Parameter settings: say which file and which folder, and who else provides a token.
  package func save(_ settings: Settings) throws(Failure) -> Outcome {
    guard let path = settings.options.config ?? settings.paths.configFile else {
      throw Failure(
        .failed,
        "there is no place for a configuration: \(settings.paths.remedy("XDG_CONFIG_HOME"))")
    }
    var outcome = Outcome()
    do throws(FileError) {
      if let token {
        let text = token.withBytes { String(decoding: $0, as: UTF8.self) }
        let saved = try settings.credentials.save(
          text, for: url.credentialKey, wish: wish, patience: settings.patience)
        outcome.place = saved.place
        outcome.sentences.append("The token for \(url.origin) is in: \(saved.place).")
        if let remark = saved.remark { outcome.sentences.append("(\(remark).)") }
      }
      do throws(FileError) {
        try writeAddress(to: path, settings)
      } catch {
        throw outcome.place == nil ? error : error.adding("the token is saved")
      }
    } catch {
      throw Failure(.failed, error.description)
    }
    let table = profile.isEmpty ? "the top level" : "[profiles.\(profile)]"
    outcome.sentences.append("The address is in \(path), \(table).")
    outcome.sentences += warnings(settings)
    return outcome
  }

  private func writeAddress(to path: String, _ settings: Settings) throws(FileError) {
    let table = profile.isEmpty ? nil : "profiles.\(TOMLEdit.quoted(profile))"
    let isFirst =
      settings.configuration.profile == nil && settings.configuration.base.url == nil
      && settings.configuration.profiles.isEmpty
    try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
      if isFirst, !profile.isEmpty { try edit.set("profile", .string(profile), in: nil) }
      try edit.set("url", .string(url.description), in: table)
      if allowsPlainHTTP { try edit.set("allow_plain_http", .bool(true), in: table) }
    }
  }

  /// What stands in the way of what was saved.
  private func warnings(_ settings: Settings) -> [String] {
    var warnings: [String] = []
    let configuration = settings.configuration
    let base = configuration.base
    // The address that was saved is that of its own table.
    let key =
      configuration.profiles[profile]?.tokenKey
      ?? (profile.isEmpty || base.isFor(url) ? base.tokenKey : nil)
    if token != nil, let key {
      warnings.append("\(key) is set for it and wins over the saved token.")
    }
    if token != nil, let value = settings.environment["CLANKY_TOKEN"], !value.isEmpty {
      warnings.append("CLANKY_TOKEN is set here and wins over the saved token.")
    }
    return warnings
  }
}
