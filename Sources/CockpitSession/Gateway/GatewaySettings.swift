import CockpitFiles
import DeviceKeys
import Networking
import OpenClawSource
import OpenClawWire

/// The gateway of a profile, and the secrets that open it.
package struct GatewaySettings: Sendable {
  package let name: String
  package let url: WebSocketURL
  package let settings: Settings
  package let profile: Configuration.Profile
  package let gateway: Configuration.Gateway

  /// The named profile, else the configuration's, else the only one that is a gateway.
  package init(_ settings: Settings) throws(Failure) {
    self.settings = settings
    // A verb run inside the cockpit inherits address, profile and CA file of the bot on the screen.
    let isInScreen = settings.process.scope != nil
    guard isInScreen || settings.options.url == nil else {
      throw Failure(
        .usage, "a gateway has the url of its profile; leave --url out and name it with --profile")
    }
    name = try Self.name(settings, isInScreen: isInScreen)
    do throws(FileError) {
      profile = try settings.configuration.resolved(profile: name)
    } catch {
      throw Failure(.usage, error.description)
    }
    guard let gateway = profile.gateway else {
      throw Failure(
        .usage, "the profile '\(name)' is no gateway: it has no kind = \"openclaw\"")
    }
    self.gateway = gateway
    let isPlainAllowed = !isInScreen && settings.options.allowPlainHttp
    do throws(WebSocketURL.Problem) {
      url = try WebSocketURL(
        profile: profile, allowPlain: isPlainAllowed || profile.allowPlainHTTP ?? false
      ).seen(from: profile.ssh)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  private static func name(
    _ settings: Settings, isInScreen: Bool
  ) throws(Failure) -> String {
    let gateways = settings.configuration.profiles.filter { $0.value.gateway != nil }
    let meant = settings.options.profile ?? settings.configuration.profile
    if let meant, gateways[meant] != nil || settings.options.profile != nil && !isInScreen {
      return meant
    }
    if let only = gateways.keys.first, gateways.count == 1 { return only }
    throw Failure(
      .usage,
      gateways.isEmpty
        ? "no profile is a gateway; 'clanky-cockpit setup --kind openclaw' makes one (docs/openclaw.md)"
        : "which gateway? --profile \(gateways.keys.sorted().joined(separator: ", or --profile "))")
  }

  package var request: WebSocketRequest {
    WebSocketRequest(
      url: url,
      clientCertificate: profile.clientCertificate.map {
        ClientCertificate(certificate: path($0), key: profile.clientKey.map(path))
      }, pin: gateway.pin)
  }

  /// Not that of the settings: the profile in use may be another one.
  package var caFile: String? {
    settings.process.scope == nil ? settings.options.caFile ?? profile.caFile : profile.caFile
  }

  /// The reason why nothing may be answered; nil if it may.
  package var readOnlyReason: String? {
    if let reason = settings.readOnlyReason { return reason }
    guard profile.readOnly ?? false else { return nil }
    return "the profile '\(name)' is read-only"
  }

  private func path(_ file: String) -> String {
    Settings.path(file, in: settings.configuration, settings.environment)
  }

  // MARK: Scopes

  /// The scopes that the device requests. A wider request needs a new approval on the gateway.
  package var scopes: [String] {
    switch gateway.scopes {
    case .watch: ["operator.read"]
    case .operate: Self.operating
    case .admin: Self.operating + ["operator.admin"]
    }
  }

  /// To answer approvals, questions and pairings, and to stop runs.
  private static let operating = [
    "operator.read", "operator.write", "operator.approvals", "operator.questions",
    "operator.pairing",
  ]

  /// - Throws: if the profile does not ask for approvals: the gateway shows none to others.
  package func needApprovals() throws(Failure) {
    guard gateway.scopes == .watch else { return }
    throw Failure(
      .usage,
      "the profile '\(name)' only watches, and a gateway shows approvals to those alone who may answer them; set scopes = \"operate\" in it"
    )
  }
}

extension WebSocketURL {
  /// The address of a profile. `http` and `https` are accepted for `ws` and `wss`.
  package init(profile: Configuration.Profile, allowPlain: Bool) throws(Problem) {
    var text = profile.url ?? ""
    for (web, socket) in [("http://", "ws://"), ("https://", "wss://")]
    where text.lowercased().hasPrefix(web) {
      text = socket + text.dropFirst(web.utf8.count)
    }
    try self.init(text, insecure: allowPlain)
  }
}
