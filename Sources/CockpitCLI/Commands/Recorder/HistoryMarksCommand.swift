import ArgumentParser
import ClankyWire
import CockpitHistory
import CockpitSession
import CockpitText
import LenientJSON
import TerminalCore

/// `history marks`: the notes that the user made on the screen.
struct HistoryMarksCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "marks", abstract: "The marks made with M or :note, oldest first.",
    usage: "clanky-cockpit history marks [--json] [OPTIONS]",
    discussion: "On the screen ]m and [m go to them. Exits with 1 when there is no history.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let marks = try reading { () throws(HistoryError) in try HistoryFolder(folder).marks() }
    for mark in marks {
      guard json else {
        environment.output.line(
          PlainText("\(mark.id)").padded(to: 4) + "  " + settings.clock.day(ms: mark.atMs) + " "
            + settings.clock.time(ms: mark.atMs) + "  " + PlainText(mark.note, limit: 1000))
        continue
      }
      var object = JSONObjectWriter()
      object.int("id", Int(mark.id))
      object.string("at", WireTime(milliseconds: mark.atMs).iso)
      object.string("note", mark.note)
      environment.output.line(object.finish())
    }
    if marks.isEmpty, !json { environment.output.complain("there is no mark") }
  }
}

/// `history unmark`: removes one.
struct HistoryUnmarkCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "unmark", abstract: "Remove a mark; 'history marks' lists them.",
    usage: "clanky-cockpit history unmark ID [OPTIONS]")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Argument(help: ArgumentHelp("The number of the mark.", valueName: "ID"))
  var id: Int

  func run(in environment: Environment) throws {
    try history.remove("mark", id, try Settings(shared, in: environment), by: HistoryNotes.unmark)
  }
}
