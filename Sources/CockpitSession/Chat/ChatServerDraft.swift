import CockpitChat
import CockpitDomain
import CockpitFiles
import Networking
import TOML

/// The profile of a chat server that is being set up. Nothing is written before `save`.
package struct ChatServerDraft: Sendable {
  package var name: String
  package var url: BackendURL
  /// Nil leaves that of the profile, else the first that the server names.
  package var model: String?
  /// `chat` or `responses`; nil leaves that of the profile.
  package var interface: String?
  /// Nil leaves what the profile has.
  package var token: TokenText?
  /// A full path; nil leaves that of the profile.
  package var caFile: String?
  /// Where the token is saved; nil means the keyring if there is one.
  package var preference: Credentials.Preference?

  package init(
    name: String, url: BackendURL, model: String?, interface: String?, token: TokenText?,
    caFile: String?, preference: Credentials.Preference?
  ) {
    self.name = name
    self.url = url
    self.model = model
    self.interface = interface
    self.token = token
    self.caFile = caFile
    self.preference = preference
  }

  /// Whether `http://` goes to a host that the profile must allow.
  private var needsAllowance: Bool {
    do throws(BackendURL.Problem) {
      _ = try BackendURL(url.description)
      return false
    } catch {
      return true
    }
  }

  /// Why this name cannot be taken; nil if it can.
  package func conflict(_ settings: Settings, mayReplace: Bool) -> String? {
    if let conflict = ProfileOwner.source(.openai).conflict(name, in: settings) { return conflict }
    guard let old = settings.configuration.profiles[name] else { return nil }
    guard !mayReplace, old.url != url.description else { return nil }
    return
      "the profile '\(name)' has an address already, and it is another one; add --replace, or --profile with another name"
  }

  /// The settings as they will be.
  package func settings(from settings: Settings) -> Settings {
    var profile = settings.configuration.profiles[name] ?? Configuration.Profile()
    var server = profile.chatServer ?? Configuration.ChatServer()
    server.model = model ?? server.model
    server.interface = interface ?? server.interface
    profile.chatServer = server
    profile.url = url.description
    profile.caFile = caFile ?? profile.caFile
    if needsAllowance { profile.allowPlainHTTP = true }
    var draft = settings
    draft.configuration.profiles[name] = profile
    draft.profile = profile
    draft.profile.caFile = profile.caFile ?? settings.configuration.base.caFile
    draft.profileName = name
    draft.options.profile = name
    draft.options.url = nil
    draft.options.tokenFile = nil
    return draft
  }

  /// The server with its secrets. It may wait for a keyring or a command.
  package func server(_ settings: Settings) throws(Failure) -> ChatServer {
    let draft = self.settings(from: settings)
    guard let token else { return try draft.chatServer() }
    var server = try draft.chatServer(secret: .some(nil))
    server.secret = token.text
    return server
  }

  /// Saves the token, then the profile.
  ///
  /// - Returns: what was written where, a sentence each.
  package func save(_ settings: Settings) throws(Failure) -> [String] {
    let saving = ProfileSaving(
      name: name,
      secret: token.map {
        ProfileSaving.Secret(
          noun: "token", text: $0, origin: url.origin,
          credential: url.chatCredential(profile: name), preference: preference)
      })
    var sentences = try saving.save(settings) { edit, table throws(TOMLEditError) in
      try edit.set("kind", .string("openai"), in: table)
      try edit.set("url", .string(url.description), in: table)
      if let model { try edit.set("model", .string(model), in: table) }
      if let interface { try edit.set("api", .string(interface), in: table) }
      if let caFile { try edit.set("ca_file", .string(caFile), in: table) }
      if needsAllowance { try edit.set("allow_plain_http", .bool(true), in: table) }
    }
    if token != nil, let key = settings.configuration.profiles[name]?.tokenKey {
      sentences.append("\(key) is set in this profile and wins over the saved token.")
    }
    return sentences
  }
}

extension BackendURL {
  /// The key under which `setup` saves the token of a chat server: no other profile reads it.
  func chatCredential(profile: String) -> CredentialKey {
    CredentialKey(scheme: "chat-\(scheme.rawValue)", host: host, port: port, profile: profile)
  }
}
