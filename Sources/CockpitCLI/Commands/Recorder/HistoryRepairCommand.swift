import ArgumentParser
import ClankyWire
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `history repair`: recovers what can be read of damaged files.
struct HistoryRepairCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Recover what can be read of damaged files into new ones.",
    usage: "clanky-cockpit history repair [--dry-run] [OPTIONS]",
    discussion: """
      Reads past damaged pages, and leaves out what is damaged: no row is made up. The old file stays beside \
      the new one, as NAME.broken-TIME: remove it when you no longer need it. A recorder that runs begins another file \
      first. 'history verify' says what is damaged.

      Exits with 1 when a file could not be read at all.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Flag(help: "Say what can be recovered, and change nothing.")
  var dryRun = false

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let time = WireTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)).iso
    let suffix = String(time.filter { $0 != "-" && $0 != ":" }.prefix(15))
    let results = try reading { () throws(HistoryError) in
      try HistoryRepair.repair(folder, suffix: suffix, isTrial: dryRun)
    }
    for result in results {
      if json {
        environment.output.line(Self.json(result))
      } else {
        environment.output.line(line(result, settings.clock))
      }
    }
    if results.isEmpty { environment.output.complain("Nothing is damaged in \(folder).") }
    guard results.allSatisfy({ $0.problem == nil }) else {
      throw Failure(.failed, "Some files were left as they are.")
    }
  }

  private func line(_ result: HistoryRepair.Result, _ clock: ClockFormat) -> PlainText {
    var line = PlainText(result.name, limit: 60).padded(to: 16) + "  "
    if let problem = result.problem {
      line += "! left as it is: " + PlainText(problem, limit: 300)
      return line
    }
    line +=
      Figures.count(result.rows) + " rows, " + Figures.count(result.documents) + " documents, "
      + Figures.count(result.links) + " link records recovered"
    if result.lostRows + result.lostDocuments + result.lostLinks == 0 {
      line +=
        result.hasUnreadPages
        ? "; no loss is known, but pages of it could not be read" : "; nothing was lost"
    }
    if result.lostRows > 0 {
      line += "; ! " + Figures.count(result.lostRows) + " rows lost"
      if let from = result.lostFromMs, let to = result.lostToMs {
        line += " of " + clock.day(ms: from) + " " + clock.time(ms: from)
        line += " to " + clock.day(ms: to) + " " + clock.time(ms: to)
      }
    }
    if result.lostDocuments > 0 {
      line += "; ! " + Figures.count(result.lostDocuments) + " documents lost"
    }
    if result.lostLinks > 0 {
      line += "; ! " + Figures.count(result.lostLinks) + " link records lost"
    }
    if let old = result.keptAs { line += "; the old file is " + PlainText(old, limit: 100) }
    return line
  }

  private static func json(_ result: HistoryRepair.Result) -> [UInt8] {
    var object = JSONObjectWriter()
    object.string("name", result.name)
    object.int("rows", result.rows)
    object.int("documents", result.documents)
    object.int("links", result.links)
    object.int("lost_rows", result.lostRows)
    object.int("lost_documents", result.lostDocuments)
    object.int("lost_links", result.lostLinks)
    object.bool("unread_pages", result.hasUnreadPages)
    object.string("lost_from", result.lostFromMs.map { WireTime(milliseconds: $0).iso })
    object.string("lost_to", result.lostToMs.map { WireTime(milliseconds: $0).iso })
    object.string("kept_as", result.keptAs)
    object.string("problem", result.problem)
    return object.finish()
  }
}
