import CockpitDomain
import CockpitFiles
import CompanionSource
import CompanionWire
import CurlTransport
import DeviceKeys
import MainLoop
import Networking

/// The companion gateway of a profile, and the secrets of the pairing.
package struct CompanionSettings: Sendable {
  /// What a pairing has left: this device's key, the gateway's token for it, and the gateway's own key.
  package struct Secrets: Sendable {
    package var key: DeviceKey
    package var token: TokenText
    /// What capability tokens are verified with, base64url.
    package var gatewayKey: String
  }

  package let name: String
  package let url: WebSocketURL
  package let settings: Settings
  private let profile: Configuration.Profile
  private let companion: Configuration.Companion

  package init(_ settings: Settings) throws(Failure) {
    self.settings = settings
    name = settings.profileName
    profile = settings.profile
    guard let companion = profile.companion else {
      throw Failure(
        .usage,
        "the profile '\(name)' is no companion gateway: it has no kind = \"companion\" (docs/companion.md)"
      )
    }
    self.companion = companion
    do throws(WebSocketURL.Problem) {
      url = try WebSocketURL(
        profile: profile,
        allowPlain: settings.options.allowPlainHttp || profile.allowPlainHTTP ?? false
      ).seen(from: profile.ssh)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  package var policy: GrantPolicy {
    var policy = GrantPolicy(
      profile: GrantPolicy.Profile(rawValue: companion.capabilities.rawValue) ?? .conservative,
      commands: companion.commands, needsFocus: companion.needsFocus)
    policy.isReadOnly = settings.isReadOnly
    return policy
  }

  /// The connection, with this device's token.
  package func request(_ secrets: Secrets) -> WebSocketRequest {
    let bearer = secrets.token.withBytes { String(decoding: $0, as: UTF8.self) }
    var request = WebSocketRequest(
      url: url, headers: [HTTPHeader("Authorization", "Bearer " + bearer)])
    request.fingerprint = companion.fingerprint.flatMap(CertificateFingerprint.init)
    return request
  }

  /// An HTTP and WebSocket client with the profile's certificate, through its ssh host if it has one.
  @MainActor package func transport(
    on loop: any EventLoop
  ) throws(Failure) -> (CurlTransport, DispatchClock) {
    try OpenedSource.transport(
      settings, caFile: settings.caFile, origin: try settings.originTLS(), to: url.base,
      of: profile, on: loop)
  }

  // MARK: Secrets

  /// What `setup` has saved. Looking for it may take a keyring: call it beside the main thread.
  package func secrets() throws(Failure) -> Secrets {
    let text: String
    do throws(FileError) {
      guard
        let saved = try settings.credentials.load(credential, patience: settings.patience)
      else {
        throw FileError(
          "this device is not paired with \(url); 'clanky-cockpit setup --kind companion --profile \(name)' pairs it"
        )
      }
      text = saved.token
    } catch {
      throw Failure(.usage, error.description)
    }
    guard let secrets = Secrets(text) else {
      throw Failure(
        .usage,
        "what the pairing has saved for '\(name)' is damaged; pair again with 'clanky-cockpit setup --kind companion --profile \(name)'"
      )
    }
    return secrets
  }

  package var credential: CredentialKey {
    CredentialKey(scheme: "companion", host: url.base.host, port: url.base.port, profile: name)
  }
}

extension CompanionSettings.Secrets {
  /// One line: keyrings keep one.
  package init?(_ text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let key = DeviceKey(text: parts[0]),
      Base64URL.decoded(parts[1])?.count == 32, let token = try? TokenText(parts[2])
    else { return nil }
    self.init(key: key, token: token, gatewayKey: parts[1])
  }

  /// - Parameter keyText: the text of this device's key (`DeviceKey.makeText`).
  package static func text(keyText: String, gatewayKey: String, token: String) -> String {
    "\(keyText)|\(gatewayKey)|\(token)"
  }
}

extension Settings {
  /// Whether the profile in use is a companion gateway, and no address or demo overrides it.
  package var opensCompanion: Bool {
    profile.companion != nil && options.url == nil && options.source == nil
  }

  /// Whether the source is one: that of the profile, or the demo's.
  package var isCompanion: Bool { options.source == .companionDemo || opensCompanion }
}
