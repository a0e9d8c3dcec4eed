import CockpitDemo
import CockpitDomain
import CockpitFiles
import CockpitSession
import CockpitText
import CompanionSource
import CurlTransport
import Networking

/// The checks of a companion gateway: address, pairing, session, clock, capabilities.
@MainActor
struct DoctorCompanion {
  let settings: Settings

  private static let secretPatience = Duration.seconds(3)
  private static let limitMs: UInt64 = 5_000

  /// - Returns: the checks, and the exit code of the connection when it failed.
  func checks() async -> ([DoctorCheck], Int32?) {
    var patient = settings
    patient.patience = Self.secretPatience
    let companion: CompanionSettings
    do throws(Failure) {
      companion = try CompanionSettings(patient)
    } catch {
      return ([DoctorCheck("address", .fail, error.description, "correct the profile")], nil)
    }
    var checks = [DoctorCheck("address", .ok, "\(companion.url), a companion gateway")]
    let secrets: CompanionSettings.Secrets
    do {
      secrets = try await OwnThread.run {
        Result { () throws(Failure) in try companion.secrets() }
      }.get()
    } catch {
      return (checks + [DoctorCheck("token", .fail, "\(error)")], nil)
    }
    checks.append(DoctorCheck("token", .ok, "what the pairing has given this device"))
    do throws(Failure) {
      let (transport, clock) = try companion.transport(
        on: settings.process.eventLoop)
      defer {
        transport.shutdown()
        clock.cancelAll()
      }
      let trial = CompanionTrial(companion, secrets, transport: transport, clock: clock)
      defer { trial.close() }
      try await trial.open(withinMs: Self.limitMs)
      checks.append(
        DoctorCheck("connection", .ok, "a session began within \(trial.latencyMs) ms"))
      checks.append(self.clock(trial.source.status.skewMs ?? 0))
    } catch {
      return (checks + [DoctorCheck("connection", .fail, error.description)], error.code)
    }
    checks.append(capabilities(companion.policy))
    return (checks, nil)
  }

  private func clock(_ skewMs: Int) -> DoctorCheck {
    guard skewMs.magnitude > 2_000 else { return DoctorCheck("clock", .ok, "as the gateway's") }
    return DoctorCheck(
      "clock", .warn,
      "the gateway's is \(ClockSkew.words(skewMs)) \(skewMs > 0 ? "ahead of" : "behind") ours",
      "set both by NTP")
  }

  /// Exactly what agents may ask for, and which commands of the user's would run.
  private func capabilities(_ policy: GrantPolicy) -> DoctorCheck {
    let names = policy.commands.keys.sorted()
    let commands =
      names.isEmpty
      ? "no command is configured, so only the canvas can be used"
      : "commands for \(names.joined(separator: ", "))"
    return DoctorCheck(
      "capabilities", .ok,
      "profile \(policy.profile.rawValue): agents may ask for "
        + policy.profile.names.joined(separator: ", ") + "; " + commands
    )
  }
}
