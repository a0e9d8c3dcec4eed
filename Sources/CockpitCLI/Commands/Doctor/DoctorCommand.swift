import CockpitAnswers
import CockpitSession
import ArgumentParser
import CockpitDomain
import Networking
import CockpitFiles
import Foundation

struct DoctorCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check terminal, connection and files.",
    usage: "clanky-cockpit doctor [OPTIONS]",
    discussion: """
      One line for each thing that was looked at: ok, warn or fail, and what to do. Exit code 0 \
      without a fail; 3 (connection) or 4 (token) when nothing but that fails; else 1.

      --wire reads the documents and streams of a Clanky backend, or a recording with --from, and writes a report to \
      paste: kinds, events, fields, types, reasons, words of enumerations and routes that this version does not \
      know, each with its count and times. It has names of the wire alone, and no words of people.

      Examples:
        clanky-cockpit doctor --wire --seconds 60
        clanky-cockpit doctor --wire --from docs/samples/demo-1.flight
      """)

  @OptionGroup var shared: SharedOptions

  @Flag(help: "One JSON object on each line.")
  var json = false

  @Flag(help: "What this version does not know of the wire, as a report without words of people.")
  var wire = false

  @Option(
    help: ArgumentHelp(
      "With --wire: a day file, a bundle or a folder of a recording instead.", valueName: "FILE"),
    completion: .file())
  var from: String?

  @Option(help: ArgumentHelp("With --wire: how long the streams are read.", valueName: "SECONDS"))
  var seconds: Double?

  func validate() throws {
    if !wire, from != nil || seconds != nil {
      throw ValidationError("--from and --seconds go with --wire")
    }
    guard (0...3_600).contains(seconds ?? 0) else {
      throw ValidationError("--seconds is a number from 0 to 3600")
    }
  }

  @MainActor private func reportOnWire(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    environment.needs(seconds: Int(seconds ?? 10) + 30)
    let reader = DoctorWire(settings: settings)
    let ledger =
      if let from {
        try await reader.recorded(from)
      } else {
        try await reader.live(seconds: seconds ?? 10)
      }
    let report = DriftReport(ledger)
    if json {
      environment.output.line(report.json(version: programVersion))
    } else {
      for line in report.lines(version: programVersion) { environment.output.line(line) }
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    if wire { return try await reportOnWire(in: environment) }
    var report = DoctorReport(isJSON: json, output: environment.output)
    // First of all: the answers of the terminal must not meet lines of ours.
    let terminal = DoctorTerminal(environment: environment)
    report.add(DoctorCheck("version", .ok, "clanky-cockpit \(programVersion)"))
    report.add(terminal.checks())
    let tmux = DoctorTmux(process: environment)
    report.add(await OwnThread.run { tmux.checks() })
    let (configured, files) = await OwnThread.run { [shared] in
      let files = DoctorFiles(options: shared, in: environment)
      return (files, files.checks())
    }
    report.add(files)
    if let settings = configured.settings {
      report.add(await DoctorVoice(settings: settings).checks())
    }
    if Task.isCancelled { throw Failure.interrupted }
    if let settings = configured.settings, !settings.sourceNames.isEmpty {
      await check(settings, into: &report)
    } else if let settings = configured.settings {
      let (checks, code) = await DoctorConnection(settings: settings).checks()
      report.add(checks)
      report.connectionCode = code
    }
    if report.exitCode != 0 { throw ExitCode(report.exitCode) }
  }

  /// Checks every source of a profile with several.
  @MainActor private func check(_ settings: Settings, into report: inout DoctorReport) async {
    var codes: [Int32] = []
    for name in settings.sourceNames {
      var checks: [DoctorCheck]
      do throws(Failure) {
        let found: Int32?
        (checks, found) = await DoctorConnection(settings: try settings.settings(ofSource: name))
          .checks()
        if let found { codes.append(found) }
      } catch {
        checks = [DoctorCheck("address", .fail, error.description, "correct the options")]
      }
      for check in checks.indices { checks[check].source = name }
      report.add(checks)
    }
    report.connectionCode = codes.isEmpty ? nil : StatusOfSources.worst(codes)
  }
}

/// The lines so far, each printed at once: a slow check does not delay known results.
struct DoctorReport {
  let isJSON: Bool
  private let output: Output
  /// The exit code of the failed connection, when it is one.
  var connectionCode: Int32?
  private var failed: [String] = []

  init(isJSON: Bool, output: Output) {
    self.isJSON = isJSON
    self.output = output
  }

  mutating func add(_ checks: [DoctorCheck]) { for check in checks { add(check) } }

  mutating func add(_ check: DoctorCheck) {
    if check.verdict == .fail { failed.append(check.name) }
    if isJSON {
      output.line(check.json)
    } else {
      for line in check.lines { output.line(line) }
    }
  }

  var exitCode: Int32 {
    if failed.isEmpty { return 0 }
    return failed.allSatisfy { $0 == "connection" }
      ? connectionCode ?? 1 : Failure.Code.failed.rawValue
  }
}
