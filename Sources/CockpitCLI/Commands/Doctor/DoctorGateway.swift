import CockpitAnswers
import CockpitFiles
import CockpitSession
import CockpitText
import DeviceKeys
import Networking
import OpenClawSource
import OpenClawWire

/// The checks of an OpenClaw gateway: address, secret, connection, clock, scopes.
@MainActor
struct DoctorGateway {
  let settings: Settings

  private static let secretPatience = Duration.seconds(3)
  private static let limitMs = 5_000

  /// - Returns: the checks, and the exit code of the connection when it failed.
  func checks() async -> ([DoctorCheck], Int32?) {
    var patient = settings
    patient.patience = Self.secretPatience
    let gateway: GatewaySettings
    do throws(Failure) {
      gateway = try GatewaySettings(patient)
    } catch {
      return (
        [DoctorCheck("address", .fail, error.description, "correct the profile")], nil
      )
    }
    var checks = [address(gateway.url)]
    let identity: GatewayIdentity
    do throws(Failure) {
      identity = try await GatewaySession.identity(gateway)
    } catch {
      return (checks + [DoctorCheck("token", .fail, error.description, "correct it")], nil)
    }
    checks.append(secret(identity))
    checks += DoctorHeaders.checks(gateway.profile)
    let session: GatewaySession
    do throws(Failure) {
      session = try await GatewaySession.open(
        gateway, identity, needsApprovals: false, in: settings.process, withinMs: Self.limitMs)
    } catch {
      return (checks + [DoctorCheck("connection", .fail, error.description)], error.code)
    }
    defer { session.close() }
    checks.append(
      DoctorCheck(
        "connection", .ok,
        "greeted in \(session.latencyMs) ms; approved as \(identity.key.id.prefix(16))"))
    checks += [clock(session.skewMs), version(session.hello), scopes(session.hello, gateway)]
    if gateway.gateway.notifyCommand != nil {
      let isReadOnly = gateway.readOnlyReason != nil
      let nodes = isReadOnly ? nil : await session.ask(.listNodes)
      checks.append(DoctorNode(device: identity.key.id, nodes: nodes).check)
    }
    return (checks, nil)
  }

  private func address(_ url: WebSocketURL) -> DoctorCheck {
    let words = "\(url), a gateway of OpenClaw"
    if url.base.scheme == .http, !url.base.isLoopback {
      return DoctorCheck(
        "address", .warn, "\(words): the token travels readable to \(url.base.host)",
        "use wss://, or a tunnel")
    }
    return DoctorCheck("address", .ok, words)
  }

  private func secret(_ identity: GatewayIdentity) -> DoctorCheck {
    if identity.deviceToken != nil {
      return DoctorCheck("token", .ok, "what the gateway has given this device")
    }
    if identity.token != nil { return DoctorCheck("token", .ok, "the gateway's shared one") }
    if identity.password != nil {
      return DoctorCheck("token", .ok, "none, but the gateway's password")
    }
    return DoctorCheck(
      "token", .warn, "none; most gateways want one",
      "give it with 'setup --kind openclaw', or token_file in the profile")
  }

  private func clock(_ skewMs: Int) -> DoctorCheck {
    // The measured skew includes the round trip, so small values mean nothing.
    guard skewMs.magnitude > 2_000 else {
      return DoctorCheck("clock", .ok, "as the gateway's")
    }
    return DoctorCheck(
      "clock", .warn,
      "the gateway's is \(ClockSkew.words(skewMs)) \(skewMs > 0 ? "ahead of" : "behind") ours",
      "set both by NTP; what expires is reckoned by the gateway's clock")
  }

  private func version(_ hello: GatewayHello?) -> DoctorCheck {
    let version = hello?.serverVersion.map { VisibleText().of($0) } ?? "of an unknown version"
    return DoctorCheck(
      "gateway", .ok, "\(version), protocol \(hello?.protocolVersion ?? 0)")
  }

  private func scopes(_ hello: GatewayHello?, _ gateway: GatewaySettings) -> DoctorCheck {
    let asked = gateway.scopes.joined(separator: ", ")
    guard let hello, !hello.scopes.isEmpty || hello.protocolVersion >= 4 else {
      return DoctorCheck("scopes", .ok, "asked for \(asked); the gateway does not say what it gave")
    }
    let missing = gateway.scopes.filter { !hello.scopes.contains($0) }
    guard missing.isEmpty else {
      return DoctorCheck(
        "scopes", .warn, "without \(missing.joined(separator: ", "))",
        "have the device approved for them on the gateway")
    }
    guard gateway.gateway.scopes == .watch else { return DoctorCheck("scopes", .ok, asked) }
    return DoctorCheck(
      "scopes", .ok, "\(asked): approvals are not shown",
      "scopes = \"operate\" in the profile asks for them")
  }
}
