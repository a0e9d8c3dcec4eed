import CockpitDomain
import CockpitFiles
import DeviceKeys
import Networking
import OpenClawSource
import OpenClawWire
import TOML

/// The profile of a gateway that is being set up: what the user said, and how it is written. Nothing is written before
/// `save`.
package struct GatewayDraft: Sendable {
  /// What opens the gateway the first time.
  package enum Secret: Sendable {
    /// What the profile has already, or nothing.
    case none
    case token(TokenText)
    case password(TokenText)
    case code(SetupCode)
  }

  /// Who tries the connection.
  package struct Device: Sendable {
    package var identity: GatewayIdentity
    /// A key that was made for it and is not saved yet.
    package var newKey: String?
  }

  /// The part of a gateway's greeting that is saved: device token and granted scopes.
  package struct Admission: Sendable {
    package var deviceToken: String
    package var scopes: [String]

    /// nil if the gateway gave no token.
    package init?(_ hello: GatewayHello) {
      guard let token = hello.deviceToken else { return nil }
      deviceToken = token
      scopes = hello.scopes
    }
  }

  package var name: String
  package var url: WebSocketURL
  package var scopes: Configuration.Gateway.Scopes
  package var secret: Secret
  /// A full path; nil leaves that of the profile.
  package var caFile: String?
  /// Where secrets are saved; nil means the keyring if there is one.
  package var preference: Credentials.Preference?

  package init(
    name: String, url: WebSocketURL, scopes: Configuration.Gateway.Scopes, secret: Secret,
    caFile: String?, preference: Credentials.Preference?
  ) {
    self.name = name
    self.url = url
    self.scopes = scopes
    self.secret = secret
    self.caFile = caFile
    self.preference = preference
  }

  /// Whether `ws://` goes to a host that the profile must allow.
  private var needsAllowance: Bool {
    do throws(WebSocketURL.Problem) {
      _ = try WebSocketURL(url.description)
      return false
    } catch {
      return true
    }
  }

  /// Why this name cannot be taken; nil if it can.
  package func conflict(_ settings: Settings, mayReplace: Bool) -> String? {
    if let conflict = ProfileOwner.source(.openclaw).conflict(name, in: settings) {
      return conflict
    }
    guard let old = settings.configuration.profiles[name] else { return nil }
    guard !mayReplace, old.url != url.description else { return nil }
    return
      "the profile '\(name)' has an address already, and it is another one; add --replace, or --profile with another name"
  }

  /// The settings as they will be.
  package func gateway(_ settings: Settings) throws(Failure) -> GatewaySettings {
    var profile = settings.configuration.profiles[name] ?? Configuration.Profile()
    var gateway = profile.gateway ?? Configuration.Gateway()
    gateway.scopes = scopes
    gateway.isPassword = isPassword ?? gateway.isPassword
    profile.gateway = gateway
    profile.url = url.description
    profile.caFile = caFile ?? profile.caFile
    if needsAllowance { profile.allowPlainHTTP = true }
    var draft = settings
    draft.configuration.profiles[name] = profile
    draft.options.profile = name
    draft.options.url = nil
    draft.options.tokenFile = nil
    return try GatewaySettings(draft)
  }

  /// Whether the secret is a password; nil if none was given that says so.
  private var isPassword: Bool? {
    switch secret {
    case .token: false
    case .password: true
    case .none, .code: nil
    }
  }

  /// Who connects with the new profile. It may wait for a keyring or a `token_command`.
  package func device(_ settings: Settings, version: String) throws(Failure) -> Device {
    let gateway = try gateway(settings)
    do throws(FileError) {
      let saved = try gateway.savedKey()
      let made = saved == nil ? try GatewaySettings.newKey() : nil
      guard let key = saved ?? made?.0 else { throw FileError("this device has no key") }
      var identity = GatewayIdentity(
        key: key, client: GatewaySettings.client(key, version: version), scopes: gateway.scopes,
        token: nil, deviceToken: nil)
      identity.headers = try gateway.headers()
      switch secret {
      case .token(let text): identity.token = text.text
      case .password(let text): identity.password = text.text
      case .code(let code): identity.bootstrapToken = code.bootstrapToken
      case .none:
        let shared = try gateway.secret()
        identity.token = gateway.gateway.isPassword ? nil : shared
        identity.password = gateway.gateway.isPassword ? shared : nil
        identity.deviceToken = try gateway.deviceToken(for: key.id)
      }
      return Device(identity: identity, newKey: made?.1)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  // MARK: Saving

  /// Saves secrets first: an address without them would fail at the next start.
  ///
  /// - Parameter admission: what the gateway gave this device; nil if it was not asked, or has not approved it yet.
  /// - Returns: what was written where, a sentence each.
  package func save(
    _ settings: Settings, _ device: Device, _ admission: Admission?
  ) throws(Failure) -> [String] {
    guard let path = settings.options.config ?? settings.paths.configFile else {
      throw Failure(
        .failed,
        "there is no place for a configuration: \(settings.paths.remedy("XDG_CONFIG_HOME"))")
    }
    let gateway = try gateway(settings)
    var sentences: [String] = []
    do throws(FileError) {
      if let key = device.newKey {
        let saved = try settings.credentials.save(
          key, for: gateway.credential("device"), preference: preference,
          patience: settings.patience)
        sentences.append("The key of this device is in: \(saved.place).")
        if let remark = saved.remark { sentences.append("(\(remark).)") }
      }
      if let (word, text) = given {
        let saved = try settings.credentials.save(
          text, for: gateway.credential("secret"), preference: preference,
          patience: settings.patience)
        sentences.append("The \(word) for \(url.origin) is in: \(saved.place).")
      }
      try keep(admission, gateway, device)
      do throws(FileError) {
        try write(to: path, settings)
      } catch {
        throw sentences.isEmpty ? error : error.adding("the secrets are saved")
      }
    } catch {
      throw Failure(.failed, error.description)
    }
    sentences.append("The profile is in \(path), [profiles.\(name)].")
    return sentences + warnings(settings, gateway)
  }

  /// Saves what the gateway gave this device.
  package func keep(
    _ settings: Settings, _ device: Device, _ admission: Admission
  ) throws(Failure) {
    do throws(FileError) {
      try keep(admission, try checked(settings), device)
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  private func checked(_ settings: Settings) throws(FileError) -> GatewaySettings {
    do throws(Failure) {
      return try gateway(settings)
    } catch {
      throw FileError(error.sentence)
    }
  }

  private func keep(
    _ admission: Admission?, _ gateway: GatewaySettings, _ device: Device
  ) throws(FileError) {
    guard let admission else { return }
    try gateway.store(
      admission.deviceToken, device: device.identity.key.id,
      scopes: admission.scopes.isEmpty ? gateway.scopes : admission.scopes,
      preference: preference)
  }

  /// The secret that was given, and what it is called.
  private var given: (word: String, text: String)? {
    switch secret {
    case .token(let text): ("token", text.text)
    case .password(let text): ("password", text.text)
    case .none, .code: nil
    }
  }

  /// Edits only the keys set here; the rest of the file is preserved.
  private func write(to path: String, _ settings: Settings) throws(FileError) {
    let configuration = settings.configuration
    let isFirst =
      configuration.profile == nil && configuration.base.url == nil
      && configuration.profiles.isEmpty
    let old = configuration.profiles[name]
    let table = "profiles.\(TOMLEdit.quoted(name))"
    try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
      if isFirst { try edit.set("profile", .string(name), in: nil) }
      try edit.set("kind", .string("openclaw"), in: table)
      try edit.set("url", .string(url.description), in: table)
      try edit.set("scopes", .string(scopes.rawValue), in: table)
      if let isPassword, isPassword || old?.gateway?.isPassword == true {
        try edit.set("auth", .string(isPassword ? "password" : "token"), in: table)
      }
      if let caFile { try edit.set("ca_file", .string(caFile), in: table) }
      if needsAllowance { try edit.set("allow_plain_http", .bool(true), in: table) }
    }
  }

  /// What keeps the saved secret from taking effect.
  private func warnings(_ settings: Settings, _ gateway: GatewaySettings) -> [String] {
    guard let (word, _) = given else { return [] }
    var warnings: [String] = []
    if let key = gateway.profile.tokenKey {
      warnings.append("\(key) is set in this profile and wins over the saved \(word).")
    }
    let variable = gateway.gateway.secretVariable
    if let value = settings.environment[variable], !value.isEmpty {
      warnings.append("\(variable) is set here and wins over the saved \(word).")
    }
    return warnings
  }
}

extension TokenText {
  var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}
