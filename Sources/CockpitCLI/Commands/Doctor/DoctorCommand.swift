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
      """)

  @OptionGroup var shared: SharedOptions

  @Flag(help: "One JSON object on each line.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
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
