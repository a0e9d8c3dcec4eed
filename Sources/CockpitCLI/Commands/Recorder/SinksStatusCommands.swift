import ArgumentParser
import ClankyWire
import CockpitHistory
import CockpitSession
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `sinks status`: how far each sink is.
struct SinksStatusCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "How far each sink of a history is.",
    usage: "clanky-cockpit sinks status [OPTIONS]",
    discussion: "Exits with 1 when rows were removed by age before a sink had them.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let records = try reading { () throws(HistoryError) in try HistoryNotes.sinks(in: folder) }
    for record in records {
      environment.output.line(
        json ? Self.json(record) : Array(Self.line(record, settings.clock).description.utf8))
    }
    if records.contains(where: { $0.missed > 0 }) { throw ExitCode(1) }
  }

  private static func line(
    _ record: HistoryNotes.SinkRecord, _ clock: ClockFormat
  ) -> PlainText {
    var line =
      PlainText(record.name, limit: 40).padded(to: 16) + " "
      + PlainText(record.kind, limit: 20).padded(to: 11) + " "
      + Figures.count(record.delivered + record.retried) + " rows"
    if !record.place.day.isEmpty { line += ", up to " + PlainText(record.place.day, limit: 10) }
    if record.parked > 0 { line += ", " + Figures.count(record.parked) + " parked" }
    if record.rejected > 0 {
      line += ", " + Figures.count(record.rejected) + " left out by the far end"
    }
    if record.missed > 0 {
      line += ", " + Figures.count(record.missed) + " removed by age before they were delivered"
    }
    let trouble = SinkWords.trouble(
      record.name, behindMs: record.behindMs, problem: record.problem)
    if let trouble { line += "; " + PlainText(trouble, limit: 400) }
    return line
  }

  private static func json(_ record: HistoryNotes.SinkRecord) -> [UInt8] {
    var object = JSONObjectWriter()
    object.string("name", record.name)
    object.string("kind", record.kind)
    object.string("day", record.place.day)
    object.int("seq", Int(record.place.seq))
    object.int("delivered", record.delivered + record.retried)
    object.int("parked", record.parked)
    object.int("rejected", record.rejected)
    object.int("missed", record.missed)
    object.int("behind_ms", Int(record.behindMs))
    object.string("problem", record.problem)
    object.string("updated", WireTime(milliseconds: record.updatedMs).iso)
    return object.finish()
  }
}

/// `sinks forget`: a sink that is used no more.
struct SinksForgetCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove what is kept about a sink: its place, its counts, its parked rows.",
    usage: "clanky-cockpit sinks forget NAME [OPTIONS]",
    discussion: "Exits with 1 when nothing is kept about it. What the far end has stays there.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Argument(help: ArgumentHelp("The sink.", valueName: "NAME"))
  var name: String

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let isKnown = try reading { () throws(HistoryError) in
      try HistoryNotes.dropSink(name, in: folder)
    }
    guard isKnown else { throw Failure(.failed, "nothing is kept about a sink '\(name)'") }
  }
}
