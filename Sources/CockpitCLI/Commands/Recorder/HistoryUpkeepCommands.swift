import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `history verify`: reads everything, and names what is damaged.
struct HistoryVerifyCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read every record, and name what is damaged.",
    usage: "clanky-cockpit history verify [OPTIONS]",
    discussion: "Exits with 1 when something is damaged.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func run(in environment: Environment) throws {
    let folder = try history.path(try Settings(shared, in: environment))
    let findings = try reading { () throws(HistoryError) in try HistoryUpkeep.verify(folder) }
    for finding in findings {
      guard json else {
        environment.output.line(Self.line(finding))
        continue
      }
      var object = JSONObjectWriter()
      object.string("name", finding.name)
      object.int("rows", finding.rows)
      object.int("damaged_rows", finding.damagedRows)
      object.int("documents", finding.documents)
      object.int("damaged_records", finding.damagedRecords)
      object.string("problem", finding.problem)
      environment.output.line(object.finish())
    }
    guard findings.allSatisfy(\.isSound) else {
      throw Failure(.failed, "Some records cannot be read; all others can.")
    }
  }

  private static func line(_ finding: HistoryUpkeep.Finding) -> PlainText {
    var line =
      PlainText(finding.name, limit: 60).padded(to: 16) + "  " + Figures.count(finding.rows)
      + " rows, " + Figures.count(finding.documents) + " documents"
    if finding.isSound { return line + ", sound" }
    if finding.damagedRows > 0 {
      line += ", ! " + Figures.count(finding.damagedRows) + " rows damaged"
    }
    if finding.damagedRecords > 0 {
      line += ", ! " + Figures.count(finding.damagedRecords) + " other records damaged"
    }
    if let problem = finding.problem { line += ", ! " + PlainText(problem, limit: 300) }
    return line
  }
}

/// `history rebuild`: the words again.
struct HistoryRebuildCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "rebuild", abstract: "Make the index of words again; not while somebody records.",
    usage: "clanky-cockpit history rebuild [OPTIONS]")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  func run(in environment: Environment) throws {
    let folder = try history.path(try Settings(shared, in: environment))
    let rows = try reading { () throws(HistoryError) in try HistoryUpkeep.rebuildWords(folder) }
    environment.output.line("the words of " + Figures.count(rows) + " rows are indexed")
  }
}

/// `history pin`: keeps a stretch of time.
struct HistoryPinCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "pin",
    abstract: "Keep the day files of a stretch of time, whatever their age and size.",
    usage: "clanky-cockpit history pin --from TIME --to TIME [--note TEXT] [OPTIONS]")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Option(
    help: ArgumentHelp("Its beginning: 14:31, -2h, 2026-11-24T22:00.", valueName: "TIME"))
  var from: String

  @Option(help: ArgumentHelp("Its end.", valueName: "TIME"))
  var to: String

  @Option(help: ArgumentHelp("Why.", valueName: "TEXT"))
  var note = ""

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let fromMs = try settings.moment(from, of: "--from")
    let toMs = try settings.moment(to, of: "--to")
    guard fromMs <= toMs else { throw Failure(.usage, "--from is not before --to") }
    let id = try reading { () throws(HistoryError) in
      _ = try HistoryOverview.read(folder)
      return try HistoryNotes.pin(fromMs...toMs, note: note, in: folder)
    }
    environment.output.line(PlainText("pin \(id)"))
  }
}

/// `history unpin`: lets a stretch of time go.
struct HistoryUnpinCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "unpin", abstract: "Remove a pin; 'history status' lists them.",
    usage: "clanky-cockpit history unpin ID [OPTIONS]")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Argument(help: ArgumentHelp("The number of the pin.", valueName: "ID"))
  var id: Int

  func run(in environment: Environment) throws {
    try history.remove("pin", id, try Settings(shared, in: environment), by: HistoryNotes.unpin)
  }
}

extension HistoryOptions {
  /// Removes a note by its number.
  ///
  /// - Parameters:
  ///   - name: what it is, for the message where there is none.
  ///   - body: gives whether there was such a note.
  func remove(
    _ name: String, _ id: Int, _ settings: Settings,
    by body: (Int64, String) throws(HistoryError) -> Bool
  ) throws(Failure) {
    let folder = try path(settings)
    let isGone = try reading { () throws(HistoryError) in
      // Without a history there are no notes.
      _ = try HistoryOverview.read(folder)
      return try body(Int64(id), folder)
    }
    guard isGone else { throw Failure(.failed, "There is no \(name) \(id).") }
  }
}
