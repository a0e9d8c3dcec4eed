import ArgumentParser
import ClankyWire
import CockpitFiles
import CockpitSession
import Foundation
import LenientJSON

/// `settings export`: the document, for a file.
struct SettingsExportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the settings as JSON.",
    usage: "clanky-cockpit settings export [--effective] [--output F] [OPTIONS]",
    discussion: """
      What was asked for, which is what differs from the defaults; with --effective everything that \
      is in effect. Secrets are masked, so a document that has some cannot be put back whole. A file \
      is replaced whole or not at all and is readable by you alone.
      """)

  @OptionGroup var shared: SharedOptions

  @Flag(help: "Everything that is in effect.")
  var effective = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A file instead of stdout; - is stdout.", valueName: "F"))
  var output: String?

  func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output names a file") }
  }

  @MainActor func run(in environment: Environment) async throws {
    let session = try await SettingsSession(Settings(shared, in: environment))
    let settings = try await session.load()
    if let flaw = settings.flaw { environment.output.complain(flaw) }
    let document = SettingSecrecy.masked(effective ? settings.effective : settings.intent)
    var bytes: [UInt8] = []
    for line in JSONValue.object(document).asciiLines { bytes += Array(line.utf8) + [0x0A] }
    guard let output, !OutputFile.isStandardOutput(output) else {
      environment.output.write(bytes)
      return
    }
    do throws(FileError) {
      try OutputFile.replace(
        output, with: bytes,
        instead: "leave --output out, and redirect standard output to it")
    } catch {
      throw Failure(.failed, error.description)
    }
    environment.output.complain("The settings are in \(output).")
  }
}

extension JSONValue {
  /// The pretty form with everything outside printable ASCII as escapes: safe on any terminal.
  fileprivate var asciiLines: [String] {
    prettyLines().map { line in
      var ascii: [UInt8] = []
      for unit in line.utf16 {
        if (0x20...0x7E).contains(unit) {
          ascii.append(UInt8(unit))
        } else {
          let digits = String(unit, radix: 16)
          ascii += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
      }
      return String(decoding: ascii, as: UTF8.self)
    }
  }
}
