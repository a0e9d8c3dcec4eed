import CockpitSession
import ArgumentParser
import CockpitDemo
import CockpitFiles
import Foundation
import LenientJSON

/// `demo`: the embedded backend as a server of its own.
struct DemoCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Run the demo backend as a server of its own.",
    usage: "clanky-cockpit demo [OPTIONS]",
    discussion:
      "Prints one line with its address and a token file when it listens; ends with Ctrl-C.")

  @Option(help: "Port on 127.0.0.1; 0 takes a free one.")
  var port: UInt16 = 0

  @Option(help: "The same seed tells the same story.")
  var seed: UInt64 = 1

  @Option(help: "How fast the story runs; 1 is real time.")
  var rate: Double = 1

  @Option(help: "What happens.")
  var scenario: DemoScenario = .story

  @Option(help: "Additional actions per second.")
  var flood: Int?

  @Option(help: "Additional facts in the memory.")
  var facts: Int?

  @Option(help: "Which release of the backend it is like.")
  var dialect: DemoDialect = .may

  @Option(help: ArgumentHelp("Requests to this host count as tunnel traffic.", valueName: "HOST"))
  var tunnelHost: String?

  @Flag(help: "No token is needed.")
  var openAccess = false

  @Flag(help: "Take faults at POST /__demo/fault, for tests.")
  var faultControl = false

  @Flag(help: "Have a route to leave voice, which the real backend has not.")
  var leaveRoute = false

  func validate() throws {
    guard rate.isFinite, rate > 0, rate <= 1000 else {
      throw ValidationError("--rate is a number above 0 and at most 1000")
    }
    guard flood.map({ (1...100_000).contains($0) }) ?? true else {
      throw ValidationError("--flood is a number from 1 to 100000")
    }
    guard facts.map({ (1...200_000).contains($0) }) ?? true else {
      throw ValidationError("--facts is a number from 1 to 200000")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let server = try await DemoServer.start(
      DemoOptions(
        port: port, seed: seed, rate: rate, flood: flood, scenario: scenario,
        token: openAccess ? "" : nil, dialect: dialect, tunnelHost: tunnelHost,
        publicHTTPS: !openAccess,
        faults: DemoFaults(httpControl: faultControl, leaveRoute: leaveRoute), facts: facts ?? 0))
    // Whoever reads the line may end us at once: the file has to go then, too.
    let end = EndSignal()
    let file: String
    do throws(FileError) {
      file = try SafeFile.writeTemporary(Array((server.token + "\n").utf8), suffix: ".token")
    } catch {
      throw Failure(.failed, error.description)
    }
    var line = JSONObjectWriter()
    line.string("url", server.url)
    line.string("token_file", file)
    // Nobody learns of the file when the line cannot be written.
    environment.output.write(line.finish() + [0x0A]) { SafeFile.remove(file) }
    let code = await end.first()
    SafeFile.remove(file)
    await server.stop()
    throw ExitCode(128 + code)
  }
}
