import ArgumentParser
import ClankyWire
import CockpitHistory
import CockpitSession
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `history status`: days, bytes, pins, the recorder.
struct HistoryStatusCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Days, sizes and pins of a history, and who records.",
    usage: "clanky-cockpit history status [OPTIONS]",
    discussion: "Exits with 1 when there is no history.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let overview = try reading { () throws(HistoryError) in try HistoryOverview.read(folder) }
    guard !json else { return environment.output.line(Self.json(overview)) }
    for line in Self.lines(overview, settings.clock) { environment.output.line(line) }
  }

  private static func lines(_ overview: HistoryOverview, _ clock: ClockFormat) -> [PlainText] {
    var lines = [PlainText("history in \(overview.folder)", limit: 2000)]
    for day in overview.days {
      var line =
        PlainText(day.name, limit: 60).padded(to: 16) + "  "
        + Figures.bytes(day.bytes).padded(to: 9)
      line += "  " + Figures.count(day.rows) + " rows"
      if let first = day.firstMs, let last = day.lastMs {
        line += "  " + clock.day(ms: first) + " " + clock.time(ms: first)
        line += " to " + clock.day(ms: last) + " " + clock.time(ms: last)
      }
      if day.bytes < day.rawBytes {
        line +=
          "  " + Figures.percent(Double(day.bytes) / Double(day.rawBytes)) + " of the rows' bytes"
      }
      if day.isPinned { line += "  pinned" }
      if let problem = day.problem { line += "  ! " + PlainText(problem, limit: 300) }
      lines.append(line)
    }
    let bytes = overview.days.reduce(0) { $0 + $1.bytes }
    let rows = overview.days.reduce(0) { $0 + $1.rows }
    lines.append(
      Figures.bytes(bytes) + " in " + Figures.count(overview.days.count) + " files, "
        + Figures.count(rows) + " rows")
    for pin in overview.pins {
      lines.append(
        "pin \(pin.id): " + clock.day(ms: pin.fromMs) + " " + clock.time(ms: pin.fromMs) + " to "
          + clock.day(ms: pin.toMs) + " " + clock.time(ms: pin.toMs) + " "
          + PlainText(pin.note, limit: 200))
    }
    if let pid = overview.recorder {
      lines.append(PlainText("recorded by process \(pid)"))
    } else {
      lines.append("no recorder is running")
    }
    if let free = overview.freeBytes, let reserve = overview.reserveBytes {
      lines.append(
        Figures.bytes(free) + " free on the volume; below " + Figures.bytes(reserve)
          + " the oldest files are removed early")
    }
    return lines
  }

  private static func json(_ overview: HistoryOverview) -> [UInt8] {
    var object = JSONObjectWriter()
    object.string("folder", overview.folder)
    object.int("bytes", overview.days.reduce(0) { $0 + $1.bytes })
    object.int("rows", overview.days.reduce(0) { $0 + $1.rows })
    object.int("recorder_pid", overview.recorder)
    object.int("free_bytes", overview.freeBytes)
    object.int("reserve_bytes", overview.reserveBytes)
    let days = overview.days.map { day in
      JSONValue.body([
        ("name", .string(day.name)), ("bytes", .integer(day.bytes)), ("rows", .integer(day.rows)),
        ("documents", .integer(day.documents)), ("raw_bytes", .integer(day.rawBytes)),
        ("from", day.firstMs.map { .string(WireTime(milliseconds: $0).iso) }),
        ("to", day.lastMs.map { .string(WireTime(milliseconds: $0).iso) }),
        ("pinned", .bool(day.isPinned)), ("problem", day.problem.map(JSONValue.string)),
      ])
    }
    object.value("days", .array(days))
    let pins = overview.pins.map { pin in
      JSONValue.body([
        ("id", .integer(Int(pin.id))), ("from", .string(WireTime(milliseconds: pin.fromMs).iso)),
        ("to", .string(WireTime(milliseconds: pin.toMs).iso)), ("note", .string(pin.note)),
      ])
    }
    object.value("pins", .array(pins))
    object.value(
      "recorder",
      overview.status.flatMap { status in
        status.withUnsafeBytes { try? JSONValue.parse($0) }
      } ?? .null)
    return object.finish()
  }

}

/// `history list`: the bots with a history.
struct HistoryListCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "The bots with a history on this machine.",
    usage: "clanky-cockpit history list [OPTIONS]")

  @OptionGroup var shared: SharedOptions

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    guard let all = settings.historiesFolder else { return }
    for bot in HistoryOverview.bots(in: all) {
      let folder = all + "/" + bot
      let overview: HistoryOverview
      do throws(HistoryError) {
        overview = try HistoryOverview.read(folder)
      } catch {
        // The others are listed all the same.
        environment.output.complain("\(bot): \(error)")
        continue
      }
      let bytes = overview.days.reduce(0) { $0 + $1.bytes }
      guard json else {
        environment.output.line(
          PlainText(bot, limit: 100).padded(to: 40) + "  " + Figures.bytes(bytes).padded(to: 9)
            + "  " + Figures.count(overview.days.count) + " files  "
            + PlainText(folder, limit: 1000)
            + (overview.bot?.words.map { "  " + PlainText($0, limit: 300) } ?? ""))
        continue
      }
      var object = JSONObjectWriter()
      object.string("name", bot)
      object.string("folder", folder)
      object.int("bytes", bytes)
      object.int("files", overview.days.count)
      object.int("rows", overview.days.reduce(0) { $0 + $1.rows })
      overview.bot?.add(to: &object)
      environment.output.line(object.finish())
    }
  }
}

extension HistoryBot {
  /// `Clanky#1234 at https://…`; nil if nothing is known.
  fileprivate var words: String? {
    let address = addresses.last.map { "at " + $0 }
    return userTags.last.map { [$0, address].compactMap(\.self).joined(separator: " ") } ?? address
  }

  fileprivate func add(to object: inout JSONObjectWriter) {
    object.value("addresses", .array(addresses.map(JSONValue.string)))
    object.value("user_tags", .array(userTags.map(JSONValue.string)))
    object.string("first_recorded", firstMs.map { WireTime(milliseconds: $0).iso })
    object.string("last_recorded", lastMs.map { WireTime(milliseconds: $0).iso })
  }
}
