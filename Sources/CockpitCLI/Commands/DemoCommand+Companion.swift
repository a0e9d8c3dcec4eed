import ArgumentParser
import CockpitDemo
import CockpitSession

/// The demo of a companion gateway as a server.
extension DemoCommand {
  private var companionScenario: CompanionOptions.Scenario? {
    CompanionOptions.Scenario(rawValue: scenario.rawValue)
  }

  func validateCompanion() throws {
    guard companionScenario != nil else {
      let names = CompanionOptions.Scenario.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("with --kind companion, --scenario is one of \(names)")
    }
    guard isPlain else {
      throw ValidationError(
        "--kind companion takes --port, --seed, --rate, --scenario, --truth, --fault-control and --qr"
      )
    }
  }

  /// Runs the gateway until a signal ends it. Its secret is a pairing code, which works once.
  @MainActor func runCompanion(in environment: Environment) async throws {
    let server = try await CompanionServer.start(
      CompanionOptions(
        port: port, seed: seed, rate: rate, scenario: companionScenario ?? .story,
        hasControl: faultControl))
    let code = await server.pairingPayload()
    try await serve(
      ServedDemo(
        url: server.url, secret: code, members: [("setup_code", code)],
        code: qr ? code : nil,
        truthRevision: { await server.truthRevision() }, truth: { await server.truth() },
        stop: { await server.stop() }), in: environment)
  }
}
