import Networking
import CockpitDomain
import CockpitFiles
import Foundation
import TOML

/// What `setup` saves, in the cockpit and on the command line: the address goes into the
/// configuration file, the token never does.
package struct SetupSaving: Sendable {
  package var url: BackendURL
  /// nil leaves a saved token unchanged.
  package var token: TokenText?
  /// Empty: the top level of the file.
  package var profile: String
  /// Whether the user accepted plain http to another machine.
  package var allowsPlainHTTP: Bool
  /// nil means the keyring if there is one.
  package var preference: Credentials.Preference?

  package init(
    url: BackendURL, token: TokenText?, profile: String, allowsPlainHTTP: Bool,
    preference: Credentials.Preference? = nil
  ) {
    self.url = url
    self.token = token
    self.profile = profile
    self.allowsPlainHTTP = allowsPlainHTTP
    self.preference = preference
  }

  /// What was written where, one sentence each.
  package struct Outcome: Sendable {
    package var sentences: [String] = []
    /// Where the token is stored now.
    package var place: CredentialPlace?
  }

  /// Saves the token first: an address without its token would fail at the next start.
  ///
  /// - Parameter settings: provide the file, the directory and other token sources.
  package func save(_ settings: Settings) throws(Failure) -> Outcome {
    guard let path = settings.options.config ?? settings.paths.configFile else {
      throw Failure(
        .failed,
        "there is no place for a configuration: \(settings.paths.remedy("XDG_CONFIG_HOME"))")
    }
    if let conflict = ProfileOwner.source(.clanky).conflict(profile, in: settings) {
      throw Failure(.usage, conflict)
    }
    var outcome = Outcome()
    do throws(FileError) {
      if let token {
        let text = token.withBytes { String(decoding: $0, as: UTF8.self) }
        let saved = try settings.credentials.save(
          text, for: url.credentialKey, preference: preference, patience: settings.patience)
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

  /// What keeps the saved values from taking effect.
  private func warnings(_ settings: Settings) -> [String] {
    var warnings: [String] = []
    let configuration = settings.configuration
    let base = configuration.base
    // The saved address belongs to its own table.
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
