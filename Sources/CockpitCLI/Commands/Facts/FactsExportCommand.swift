import CockpitSession
import ArgumentParser
import CockpitFiles
import CockpitStores
import Foundation
import TerminalCore

/// `facts export`: the facts as a file for other programs.
struct FactsExportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write facts as JSON lines, CSV or Markdown.",
    usage: "clanky-cockpit facts export [OPTIONS]",
    discussion: """
      Only JSON lines have the exact texts; CSV (RFC 4180) and Markdown are cleaned, so that \
      looking at them does no harm. A file is replaced whole or not at all and is readable by you \
      alone.

      A CSV cell that begins with = + - @ is data, but a spreadsheet takes it for a formula, and an \
      id for a number of 15 digits. With --spreadsheet such cells begin with a quote mark ('): right \
      for spreadsheets, wrong for every other program.
      """)

  @OptionGroup var options: FactsOptions
  @OptionGroup var selection: FactsSelection

  @Option(help: "What to write.")
  var format: ExportFormat = .jsonl

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A file instead of stdout; - is stdout.", valueName: "F"))
  var output: String?

  @Flag(help: "Mark CSV cells that a spreadsheet would misread.")
  var spreadsheet = false

  func validate() throws {
    try selection.check()
    if spreadsheet, format != .csv { throw ValidationError("--spreadsheet goes with --format csv") }
    if output?.isEmpty == true { throw ValidationError("--output names a file") }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    let session = try await FactsSession(settings, takesOwnerPrivate: options.ownerPrivate)
    try await session.load()
    let records = try selection.facts(of: session).map { session.record($0) }
    let export = FactExport(format.format, isForSpreadsheet: spreadsheet) {
      PlainText($0).description
    }
    let bytes = export.bytes(records)
    guard let output, !OutputFile.isStandardOutput(output) else {
      environment.output.write(bytes)
      session.sayWhatIsMissing()
      return
    }
    do throws(FileError) {
      try OutputFile.replace(
        output, with: bytes,
        instead: "leave --output out, and redirect standard output to it")
    } catch {
      throw Failure(.failed, error.description)
    }
    environment.output.complain("\(records.count) facts are in \(output).")
    session.sayWhatIsMissing()
  }
}

enum ExportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case jsonl, csv, markdown

  var format: FactExport.Format { FactExport.Format(rawValue: rawValue) ?? .jsonl }
}
