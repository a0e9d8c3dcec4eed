import CockpitSession
import ArgumentParser
import CockpitDemo
import CockpitFiles
import CockpitHistory
import CockpitText
import TerminalCore
import Foundation
import LenientJSON
import MainLoop

/// `demo`: the embedded backend as a separate server.
struct DemoCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Run the demo backend as a server of its own.",
    usage: "clanky-cockpit demo [OPTIONS]",
    discussion:
      "Prints one line with its address and a token file when it listens; ends with Ctrl-C. "
      + "docs/demo.md tells what each scenario has, and what is in the file of --truth.")

  @Option(help: "What it is a demo of.")
  var kind: DemoKind = .clanky

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

  @Option(
    help: ArgumentHelp("So many backends, each with a port and a seed of its own.", valueName: "N"))
  var bots: Int = 1

  @Option(
    help: ArgumentHelp(
      "Write what really happens to this file, for tests of what is read out of rows.",
      valueName: "FILE"))
  var truth: String?

  @Option(
    help: ArgumentHelp(
      "Write a bundle of the story to this file at once, and end: 'replay' shows it.",
      valueName: "FILE"))
  var record: String?

  @Flag(help: "Show the bundle of --record in the cockpit: no server, no token, no network.")
  var bundle = false

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How much of the story --record and --bundle have.", valueName: "AGE"))
  var recordFor = "10m"

  @Flag(help: "No token is needed.")
  var openAccess = false

  @Flag(
    help: "Take faults at POST /__demo/fault, tell requests at GET /__demo/log, for tests.")
  var faultControl = false

  @Flag(help: "Have a route to leave voice, which the real backend has not.")
  var leaveRoute = false

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("With --kind openclaw: the protocol it speaks, 3 or 4.", valueName: "N"))
  var protocolVersion = 4

  @Flag(help: "With --kind openclaw: a device that it does not know has to be approved.")
  var pairing = false

  @Flag(
    help:
      "With --kind openclaw or companion: draw its setup or pairing code as a QR code on standard error."
  )
  var qr = false

  @Option(
    help: ArgumentHelp("With --kind openclaw: restart once after so long.", valueName: "SECONDS"))
  var restartAfter: Double?

  @Option(
    help: ArgumentHelp(
      "With --kind openclaw: how far its clock is ahead of this one's.", valueName: "SECONDS"))
  var clockOffset: Int = 0

  func validate() throws {
    try validateKind()
    guard rate.isFinite, rate > 0, rate <= 1000 else {
      throw ValidationError("--rate is a number above 0 and at most 1000")
    }
    guard flood.map({ (1...100_000).contains($0) }) ?? true else {
      throw ValidationError("--flood is a number from 1 to 100000")
    }
    guard facts.map({ (1...200_000).contains($0) }) ?? true else {
      throw ValidationError("--facts is a number from 1 to 200000")
    }
    guard !bundle || record == nil else {
      throw ValidationError("choose one of --bundle and --record")
    }
    if record != nil || bundle {
      guard let ms = KeptAmount.age(recordFor), (60_000...7_200_000).contains(ms) else {
        throw ValidationError("--for is an age from 1m to 2h, such as 10m")
      }
    }
    guard (1...32).contains(bots) else {
      throw ValidationError("--bots is a number from 1 to 32")
    }
    guard bots == 1 || truth == nil else {
      throw ValidationError("--truth tells of one bot; leave out --bots")
    }
    guard Int(port) + bots - 1 <= 65_535 else {
      throw ValidationError("--port has no room for \(bots) ports above it; take a lower one")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    if kind == .openclaw { return try await runGateway(in: environment) }
    if kind == .elevenlabs { return try await runElevenLabs(in: environment) }
    if kind == .companion { return try await runCompanion(in: environment) }
    if let record { return try await write(record, environment) }
    var servers: [DemoServer] = []
    do {
      for index in 0..<bots { servers.append(try await DemoServer.start(options(index))) }
    } catch {
      for server in servers { await server.stop() }
      throw error
    }
    // The reader may signal us after the first line: handle signals before it, so that the files are removed.
    let end = EndSignal()
    var told: TruthFile?
    var files: [String] = []
    do throws(FileError) {
      if let truth, let server = servers.first {
        told = TruthFile(
          path: truth, revision: { await server.truthRevision() }, text: { await server.truth() })
        try await told?.write()
      }
      for server in servers {
        files.append(
          try SafeFile.writeTemporary(Array((server.token + "\n").utf8), suffix: ".token"))
      }
    } catch {
      for file in files { SafeFile.remove(file) }
      throw Failure(.failed, error.description)
    }
    let lines = zip(servers, files).enumerated().flatMap { line($0, $1.0, $1.1) }
    let made = files
    // If the lines cannot be written, the paths are lost: remove the files.
    environment.output.write(lines) { for file in made { SafeFile.remove(file) } }
    let writer = told.map { file in Task { await file.follow() } }
    let code = await end.first()
    writer?.cancel()
    for file in files { SafeFile.remove(file) }
    for server in servers { await server.stop() }
    if let problem = await writer?.value { throw Failure(.failed, problem.description) }
    throw ExitCode(128 + code)
  }

  /// Shows the story in the cockpit as it would have been recorded.
  @MainActor func show(
    in environment: Environment, on loop: any EventLoop, verbs: ProgramVerbs
  ) async throws {
    let file =
      FileManager.default.temporaryDirectory.path
      + "/clanky-demo-\(UInt64.random(in: 0 ... .max)).flight"
    defer { SafeFile.remove(file) }
    _ = try await makeBundle(file, environment)
    let replay = try ReplayCommand.parse([file])
    try await replay.run(in: environment, on: loop, verbs: verbs)
  }

  @MainActor private func write(_ file: String, _ environment: Environment) async throws(Failure) {
    let report = try await makeBundle(file, environment)
    environment.output.line(
      Figures.count(report.manifest.rows) + " rows, " + Figures.bytes(report.bytes) + ", in "
        + PlainText(file, limit: 600))
  }

  /// The story without a server, as it would have been recorded. It begins at a fixed time, and its people are
  /// invented: nothing is redacted.
  @MainActor private func makeBundle(
    _ file: String, _ environment: Environment
  ) async throws(Failure) -> BundleReport {
    let forMs = KeptAmount.age(recordFor) ?? 600_000
    let place =
      FileManager.default.temporaryDirectory.path + "/clanky-demo-\(UInt64.random(in: 0 ... .max))"
    defer {
      do { try FileManager.default.removeItem(atPath: place) } catch {
        environment.output.complain("'\(place)' is left over: \(error)")
      }
    }
    let report: BundleReport
    do throws(HistoryError) {
      let range = try await DemoHistory.write(
        options(0), startMs: Self.storyMs, forMs: forMs, into: place, version: programVersion)
      let fromMs = scenario == .night ? range.lowerBound : Self.storyMs
      var request = BundleRequest(
        fromMs: fromMs, toMs: range.upperBound, redaction: .none,
        note: "the demo, \(scenario.rawValue)", version: programVersion, createdMs: Self.storyMs)
      request.seed = seed
      report = try BundleExport.write(try HistoryFolder(place), request, to: file)
    } catch {
      throw Failure(error)
    }
    return report
  }

  /// 2026-05-09T18:00:00Z
  private static let storyMs: Int64 = 1_778_349_600_000

  private func options(_ index: Int) -> DemoOptions {
    var options = DemoOptions(
      port: port == 0 ? 0 : port + UInt16(index), seed: seed &+ UInt64(index), rate: rate,
      flood: flood, scenario: scenario, token: openAccess ? "" : nil, dialect: dialect,
      tunnelHost: tunnelHost, publicHTTPS: !openAccess,
      faults: DemoFaults(httpControl: faultControl, leaveRoute: leaveRoute), facts: facts ?? 0)
    if index > 0 { options.bot = index }
    return options
  }

  private func line(_ index: Int, _ server: DemoServer, _ file: String) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("url", server.url)
    line.string("token_file", file)
    if bots > 1 { line.string("bot", server.tag) }
    return line.finish() + [0x0A]
  }
}
