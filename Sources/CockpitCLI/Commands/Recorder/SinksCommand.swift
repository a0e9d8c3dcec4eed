import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitSinks
import CockpitStores
import CockpitText
import CurlTransport
import Foundation
import Networking
import TerminalCore
import LenientJSON
import ClankyWire

/// `sinks`: where recorded rows are sent.
struct SinksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sinks",
    abstract:
      "Send what was recorded to Prometheus, Loki and other tools, and see how far they are.",
    discussion: """
      A sink is a table [sinks.NAME] of the configuration; docs/sinks.md has the kinds. 'record --to NAME' runs \
      sinks beside a recorder, 'sinks run' without one.

      Examples:
        clanky-cockpit record --to grafana
        clanky-cockpit sinks run grafana --from 7d --once
        clanky-cockpit sinks status

      Exit codes: 0 fine, 1 rows were not delivered or parked, 2 usage.
      """,
    subcommands: [
      SinksRunCommand.self, SinksStatusCommand.self, SinksParkedCommand.self,
      SinksForgetCommand.self,
    ])
}

/// `sinks run`: sinks over a history, without a recorder of this process.
struct SinksRunCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Send what was recorded, and what is recorded from now on.",
    usage: "clanky-cockpit sinks run NAME … [OPTIONS]",
    discussion: """
      A sink goes on where it stopped. A new one begins with what is recorded from now on, or with --from.
      A recorder, of this or of another process, may write the history meanwhile.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Argument(help: ArgumentHelp("The sinks.", valueName: "NAME"))
  var names: [String]

  @Option(
    help: ArgumentHelp(
      "Begin with rows of this age, even if the sink has had them.", valueName: "AGE"))
  var from: String?

  @Flag(help: "End when all that is recorded is delivered.")
  var once = false

  func validate() throws {
    if let from {
      guard let age = KeptAmount.age(from), age > 0 else {
        throw ValidationError("--from is an age such as 24h or 30d")
      }
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let sinks = try settings.sinks(named: names)
    _ = try reading { () throws(HistoryError) in try HistoryFolder(folder) }
    let clock = DispatchClock(loop: environment.eventLoop)
    let transport: CurlTransport
    do throws(CurlTransport.Problem) {
      transport = try CurlTransport(
        clock: clock, loop: environment.eventLoop, caFile: settings.caFile)
    } catch {
      throw Failure(error)
    }
    let address = history.folder == nil ? try settings.sourceName() : folder
    let bot = settings.profileName.isEmpty ? address : settings.profileName
    let group = SinkGroup(
      settings, folder: folder, bot: bot, transport: transport, clock: clock,
      nowMs: { Int64(Date().timeIntervalSince1970 * 1000) })
    let name = SinkGroup.botName(in: folder, else: address, isPatient: false) ?? address
    let fromMs = from.flatMap(KeptAmount.age).map { environment.wallMs() - $0 }
    try group.start(sinks, botName: name) { plan in
      plan.fromMs = fromMs ?? (once ? 0 : nil)
      plan.beginsAgain = fromMs != nil
      plan.isOnce = once
    }
    for (name, sink) in sinks {
      environment.output.complain("sending \(folder) to \(name) (\(settings.place(of: sink)))")
    }
    let end = await SinkWait(group, clock, environment).untilEnd()
    let states = group.states
    await group.stop(waiting: 10)
    for (name, state) in states {
      var line = "\(name): \(state.delivered) rows delivered"
      if state.parked > 0 { line += ", \(state.parked) parked" }
      if state.rejected > 0 { line += ", \(state.rejected) left out by the far end" }
      environment.output.line(PlainText(line, limit: 300))
    }
    if let end { throw ExitCode(128 + end) }
    let isTroubled = states.contains { $0.state.problem != nil || $0.state.parked > 0 }
    if isTroubled { throw ExitCode(1) }
  }
}

/// Waits for the end of sinks, and says meanwhile what is wrong with them.
@MainActor
private final class SinkWait {
  private let group: SinkGroup
  private let clock: any LinkClock
  private let environment: CockpitSession.Environment
  private var timer: (any LinkTimer)?
  private var done: (@MainActor (Int32?) -> Void)?

  init(_ group: SinkGroup, _ clock: any LinkClock, _ environment: CockpitSession.Environment) {
    self.group = group
    self.clock = clock
    self.environment = environment
  }

  /// - Returns: the signal that ended it; nil when all sinks have ended.
  func untilEnd() async -> Int32? {
    let signals = environment.scope == nil ? EndSignal() : nil
    let end = await awaitCallback(ifCancelled: nil) {
      (done: @escaping @MainActor (Int32?) -> Void) in
      self.done = done
      if let signals {
        Task { @MainActor in self.finish(await signals.first()) }
      }
      look()
    }
    timer?.cancel()
    return end
  }

  private func finish(_ signal: Int32?) {
    done?(signal)
    done = nil
  }

  private func look() {
    for line in group.news() { environment.output.complain(line) }
    guard !group.isOver else { return finish(nil) }
    timer = clock.schedule(afterNs: Nanoseconds.milliseconds(200)) { [self] in look() }
  }
}

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
      + Figures.count(record.delivered) + " rows"
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
    object.int("delivered", record.delivered)
    object.int("parked", record.parked)
    object.int("rejected", record.rejected)
    object.int("missed", record.missed)
    object.int("behind_ms", Int(record.behindMs))
    object.string("problem", record.problem)
    object.string("updated", WireTime(milliseconds: record.updatedMs).iso)
    return object.finish()
  }
}

/// `sinks parked`: rows that far ends refused.
struct SinksParkedCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "parked", abstract: "Rows that far ends refused, with their answers.",
    usage: "clanky-cockpit sinks parked [NAME] [OPTIONS]",
    discussion: "Exits with 1 when there are some.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Argument(help: ArgumentHelp("The sink; all without it.", valueName: "NAME"))
  var name: String?

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let rows = try reading { () throws(HistoryError) in
      try HistoryNotes.parkedRows(of: name, in: folder)
    }
    for row in rows {
      guard json else {
        let time = settings.clock.day(ms: row.atMs) + " " + settings.clock.time(ms: row.atMs)
        environment.output.line(
          PlainText(row.sink, limit: 40) + "  " + time + "  " + PlainText(row.kind, limit: 60)
            + "  " + PlainText(row.answer, limit: 300))
        continue
      }
      var object = JSONObjectWriter()
      object.string("sink", row.sink)
      object.int("seq", Int(row.seq))
      object.string("at", WireTime(milliseconds: row.atMs).iso)
      object.string("key", row.key)
      object.string("kind", row.kind)
      object.string("answer", row.answer)
      object.string("parked", WireTime(milliseconds: row.parkedMs).iso)
      environment.output.line(object.finish())
    }
    if !rows.isEmpty { throw ExitCode(1) }
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
