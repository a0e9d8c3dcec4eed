import ArgumentParser
import CockpitDemo
import CockpitFiles
import CockpitSession
import LenientJSON

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
    // The reader may signal us after the first line: handle signals before it, so that the file is removed.
    let end = EndSignal()
    var told: TruthFile?
    let file: String
    do throws(FileError) {
      if let truth {
        told = TruthFile(
          path: truth, revision: { await server.truthRevision() }, text: { await server.truth() })
        try await told?.write()
      }
      file = try SafeFile.writeTemporary(Array((server.key + "\n").utf8), suffix: ".token")
    } catch {
      await server.stop()
      throw Failure(.failed, error.description)
    }
    var line = JSONObjectWriter()
    line.string("url", server.url)
    line.string("token_file", file)
    line.string("kind", kind.rawValue)
    line.string("agent", ElevenLabsServer.agent)
    line.string("public_agent", ElevenLabsServer.publicAgent)
    // If the line cannot be written, the path is lost: remove the file.
    environment.output.write(line.finish() + [0x0A]) { SafeFile.remove(file) }
    let writer = told.map { file in Task { await file.follow() } }
    let code = await end.first()
    writer?.cancel()
    SafeFile.remove(file)
    await server.stop()
    if let problem = await writer?.value { throw Failure(.failed, problem.description) }
    throw ExitCode(128 + code)
  }
}
