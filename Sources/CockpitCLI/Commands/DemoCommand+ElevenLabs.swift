import ArgumentParser
import CockpitDemo
import CockpitSession

/// The demo of ElevenLabs as a server.
extension DemoCommand {
  private var elevenLabsScenario: ElevenLabsOptions.Scenario? {
    ElevenLabsOptions.Scenario(rawValue: scenario.rawValue)
  }

  func validateElevenLabs() throws {
    guard elevenLabsScenario != nil else {
      let names = ElevenLabsOptions.Scenario.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("with --kind elevenlabs, --scenario is one of \(names)")
    }
    guard isPlain else {
      throw ValidationError(
        "--kind elevenlabs takes --port, --seed, --rate, --scenario, --truth and --fault-control")
    }
  }

  /// Runs the service until a signal ends it.
  @MainActor func runElevenLabs(in environment: Environment) async throws {
    let server = try await ElevenLabsServer.start(
      ElevenLabsOptions(
        port: port, seed: seed, rate: rate, scenario: elevenLabsScenario ?? .story,
        hasControl: faultControl))
    try await serve(
      ServedDemo(
        url: server.url, secret: server.key,
        members: [
          ("agent", ElevenLabsServer.agent), ("public_agent", ElevenLabsServer.publicAgent),
        ], truthRevision: { await server.truthRevision() }, truth: { await server.truth() },
        stop: { await server.stop() }), in: environment)
  }
}
