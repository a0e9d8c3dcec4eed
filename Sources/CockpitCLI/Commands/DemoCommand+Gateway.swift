import ArgumentParser
import CockpitDemo
import CockpitSession

extension DemoCommand {
  /// Scenarios of both kinds have one list; a gateway has these of it.
  private var gatewayScenario: GatewayOptions.Scenario? {
    GatewayOptions.Scenario(rawValue: scenario.rawValue)
  }

  /// Options that only one kind has.
  func validateKind() throws {
    guard kind == .openclaw else {
      guard !pairing, !qr || kind == .companion, restartAfter == nil, protocolVersion == 4,
        clockOffset == 0
      else {
        throw ValidationError(
          "--pairing, --qr, --restart-after, --clock-offset and --protocol need --kind openclaw; --qr takes companion too"
        )
      }
      if kind == .elevenlabs { try validateElevenLabs() }
      if kind == .companion { try validateCompanion() }
      return
    }
    guard [3, 4].contains(protocolVersion) else {
      throw ValidationError("--protocol is 3 or 4")
    }
    guard gatewayScenario != nil else {
      let names = GatewayOptions.Scenario.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("with --kind openclaw, --scenario is one of \(names)")
    }
    guard restartAfter.map({ $0.isFinite && (0...86_400).contains($0) }) ?? true else {
      throw ValidationError("--restart-after is a number of seconds from 0 to 86400")
    }
    guard (-86_400...86_400).contains(clockOffset) else {
      throw ValidationError("--clock-offset is a number of seconds from -86400 to 86400")
    }
    guard isPlain else {
      throw ValidationError(
        "--kind openclaw takes --port, --seed, --rate, --scenario, --truth, --fault-control, "
          + "--protocol, --pairing, --qr, --clock-offset and --restart-after")
    }
  }

  /// Whether nothing is set that only a bot has.
  var isPlain: Bool {
    record == nil && !bundle && bots == 1 && flood == nil && facts == nil && tunnelHost == nil
      && !openAccess && !leaveRoute && dialect == .may
  }

  /// Runs a gateway until a signal ends it.
  @MainActor func runGateway(in environment: Environment) async throws {
    let server = try await GatewayServer.start(
      GatewayOptions(
        port: port, seed: seed, rate: rate, scenario: gatewayScenario ?? .story,
        protocolVersion: protocolVersion, asksForPairing: pairing,
        restartAfterSeconds: restartAfter, clockOffsetMs: Int64(clockOffset) * 1_000,
        hasControl: faultControl))
    try await serve(
      ServedDemo(
        url: server.url, secret: server.token, members: [("setup_code", server.setupCode)],
        code: qr ? server.setupCode : nil,
        truthRevision: { await server.truthRevision() }, truth: { await server.truth() },
        stop: { await server.stop() }), in: environment)
  }
}
