import CockpitFiles
import DeviceKeys
import Networking
import OpenClawSource
import OpenClawWire

/// The secrets of a gateway's profile: looking for them may take a keyring or a command, so it has a thread of its own.
extension GatewaySettings {
  /// The key of this device, made at its first use, and what opens the gateway.
  package func identity(version: String) throws(Failure) -> GatewayIdentity {
    do throws(FileError) {
      if let own = request.clientCertificate {
        do throws(FileError) {
          try CertificateFiles.check(certificate: own.certificate, key: own.key)
        } catch {
          throw FileError("the profile '\(name)': \(error)")
        }
      }
      let key = try deviceKey()
      let secret = try secret()
      var identity = GatewayIdentity(
        key: key,
        client: Self.client(key, version: version), scopes: scopes,
        token: gateway.isPassword ? nil : secret, deviceToken: try deviceToken(for: key.id),
        password: gateway.isPassword ? secret : nil)
      identity.headers = try headers()
      return identity
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// The same device as a node that takes notifications; nil unless the profile has a command for them and may change
  /// something. Call it off the main thread.
  func nodeIdentity(_ identity: GatewayIdentity) throws(Failure) -> GatewayIdentity? {
    guard gateway.notifyCommand != nil, readOnlyReason == nil else { return nil }
    do throws(FileError) {
      return identity.asNode(
        commands: [SystemNotification.command],
        deviceToken: try deviceToken(for: identity.key.id, in: Self.nodeToken))
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// The name of the saved token of this device as a node.
  static let nodeToken = "node"

  /// How this program presents itself.
  static func client(_ key: DeviceKey, version: String) -> ConnectRequest.Client {
    .init(
      version: version, platform: platform, instanceId: instanceId(key.id),
      displayName: "clanky-cockpit")
  }

  /// The gateway's shared token or password, from the first source that has one, in the same order as Clanky's token.
  /// `CLANKY_TOKEN` is no source: it goes to no gateway.
  func secret() throws(FileError) -> String? {
    let text: String
    if settings.process.scope == nil, let file = settings.options.tokenFile {
      text = try TokenFile.read(file)
    } else if let value = settings.environment[gateway.secretVariable], !value.isEmpty {
      text = value
    } else if let file = profile.tokenFile {
      do throws(FileError) {
        text = try TokenFile.read(path(file))
      } catch {
        throw FileError("token_file in the profile '\(name)': \(error)")
      }
    } else if let command = profile.tokenCommand {
      text = try TokenCommand.run(command, patience: settings.patience, mayAsk: settings.mayAsk)
    } else if let saved = try settings.credentials.load(
      credential("secret"), patience: settings.patience)
    {
      text = saved.token
    } else {
      return nil
    }
    do throws(TokenText.Problem) {
      return try TokenText(text).withBytes { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw FileError(
        error == .empty ? "the gateway's token is empty; write it there" : error.description)
    }
  }

  /// The headers of the profile, with their values.
  func headers() throws(FileError) -> [HTTPHeader] {
    try settings.headers(of: profile, named: name)
  }

  private func path(_ file: String) -> String {
    Settings.path(file, in: settings.configuration, settings.environment)
  }

  private static var platform: String {
    #if os(macOS)
      "macos"
    #else
      "linux"
    #endif
  }

  /// A stable instance id per key, formatted as a UUID. Without one every connection leaves a stale entry in the
  /// gateway's presence list.
  private static func instanceId(_ id: String) -> String {
    let digits = Array(id)
    guard digits.count >= 32 else { return id }
    let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return cuts.map { String(digits[$0]) }.joined(separator: "-")
  }

  // MARK: Stored secrets

  /// - Parameter what: `device` for its key, `token` for what the gateway gave it, `node` for what it gave it as a
  ///   node, `secret` for what `setup` saved.
  func credential(_ what: String) -> CredentialKey {
    let scheme = url.base.scheme == .https ? "wss" : "ws"
    return CredentialKey(
      scheme: "\(scheme)-\(what)", host: url.base.host, port: url.base.port, profile: name)
  }

  private func deviceKey() throws(FileError) -> DeviceKey {
    if let key = try savedKey() { return key }
    let (key, text) = try Self.newKey()
    _ = try settings.credentials.save(
      text, for: credential("device"), patience: settings.patience)
    return key
  }

  /// The key of this device; nil before its first use.
  func savedKey() throws(FileError) -> DeviceKey? {
    guard
      let saved = try settings.credentials.load(credential("device"), patience: settings.patience)
    else { return nil }
    guard let key = DeviceKey(text: saved.token) else {
      throw FileError(
        "the key of this device in the \(saved.place) is damaged; remove it, and have the device approved again"
      )
    }
    return key
  }

  /// A key, and the text that is saved of it.
  static func newKey() throws(FileError) -> (DeviceKey, String) {
    guard let text = DeviceKey.makeText(), let key = DeviceKey(text: text) else {
      throw FileError("no key can be made: the system gives no random bytes")
    }
    return (key, text)
  }

  /// The saved device token, if its scopes cover those of the profile: the gateway refuses a token for wider scopes.
  func deviceToken(for id: String, in place: String = "token") throws(FileError) -> String? {
    guard
      let saved = try settings.credentials.load(
        credential(place), patience: settings.patience)
    else { return nil }
    let parts = saved.token.split(separator: "|", maxSplits: 2)
    guard parts.count == 3, parts[0] == id else { return nil }
    let granted = Set(parts[1].split(separator: ",").map(String.init))
    // A node has no scopes.
    let needed = place == Self.nodeToken ? [] : scopes
    return granted.isSuperset(of: needed) ? String(parts[2]) : nil
  }

  /// Saves what the gateway gave this device, or deletes what was saved, on a thread of its own. A failure is not
  /// fatal: the profile's secret still opens the gateway.
  ///
  /// - Parameters:
  ///   - token: nil deletes the saved one.
  ///   - granted: the scopes that came with it; empty if the gateway named none (protocol 3).
  /// - Returns: what went wrong, one sentence.
  package func keep(
    _ token: String?, device: String, granted: [String]
  ) async -> String? {
    await keep(token, device: device, scopes: granted.isEmpty ? scopes : granted, in: "token")
  }

  /// The same for what the gateway gave this device as a node.
  func keepNode(_ token: String?, device: String) async -> String? {
    // One field must not be empty.
    await keep(token, device: device, scopes: ["node"], in: Self.nodeToken)
  }

  private func keep(
    _ token: String?, device: String, scopes: [String], in place: String
  ) async -> String? {
    let problem = await OwnThread.run { [self] () -> FileError? in
      do throws(FileError) {
        if let token {
          try store(token, device: device, scopes: scopes, in: place)
        } else {
          try settings.credentials.remove(credential(place), patience: settings.patience)
        }
        return nil
      } catch {
        return error
      }
    }
    return problem.map { "what the gateway gave this device could not be kept: \($0)" }
  }

  /// Saves the device token, with its device id and scopes.
  func store(
    _ token: String, device: String, scopes: [String], in place: String = "token",
    preference: Credentials.Preference? = nil
  ) throws(FileError) {
    _ = try settings.credentials.save(
      "\(device)|\(scopes.joined(separator: ","))|\(token)", for: credential(place),
      preference: preference, patience: settings.patience)
  }
}
