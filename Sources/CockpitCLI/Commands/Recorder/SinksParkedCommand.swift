import ArgumentParser
import ClankyWire
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitSinks
import CockpitText
import CurlTransport
import Foundation
import LenientJSON
import Networking
import TerminalCore

/// `sinks parked`: rows that far ends refused.
struct SinksParkedCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "parked", abstract: "Rows that far ends refused, with their answers.",
    usage: "clanky-cockpit sinks parked [NAME] [--retry [--row NUMBER …]] [OPTIONS]",
    discussion: """
      With --retry the rows of NAME are sent again, one at a time, also while a recorder runs the sink; what is accepted is \
      parked no more. For kind = "loki", "postgres" and "clickhouse", which keep a row once however often it comes.

      Exits with 1 when rows are parked, with --retry when some of those that were to be sent still are.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Argument(help: ArgumentHelp("The sink; all without it.", valueName: "NAME"))
  var name: String?

  @Flag(help: "Send them again.")
  var retry = false

  @Option(
    help: ArgumentHelp("Only the row with this number; may be repeated.", valueName: "NUMBER"))
  var row: [Int] = []

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func validate() throws {
    guard !retry || name != nil else { throw ValidationError("--retry wants the NAME of a sink") }
    guard row.isEmpty || retry else { throw ValidationError("--row goes with --retry") }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let rows = try reading { () throws(HistoryError) in
      try HistoryNotes.parkedRows(of: name, in: folder)
    }
    if retry, let name { return try await retry(rows, of: name, folder, settings, environment) }
    for row in rows {
      environment.output.line(
        json ? Self.json(row) : Array(Self.line(row, settings.clock).description.utf8))
    }
    if !rows.isEmpty { throw ExitCode(1) }
  }

  private static func line(_ row: HistoryNotes.ParkedRow, _ clock: ClockFormat) -> PlainText {
    let time = clock.day(ms: row.atMs) + " " + clock.time(ms: row.atMs)
    return PlainText(row.sink, limit: 40) + "  " + PlainText("\(row.seq)") + "  " + time + "  "
      + PlainText(row.kind, limit: 60) + "  " + PlainText(row.answer, limit: 300)
  }

  private static func json(_ row: HistoryNotes.ParkedRow) -> [UInt8] {
    var object = JSONObjectWriter()
    object.string("sink", row.sink)
    object.int("seq", Int(row.seq))
    object.string("at", WireTime(milliseconds: row.atMs).iso)
    object.string("key", row.key)
    object.string("kind", row.kind)
    object.string("answer", row.answer)
    object.string("parked", WireTime(milliseconds: row.parkedMs).iso)
    return object.finish()
  }

  // MARK: again

  @MainActor
  private func retry(
    _ parked: [HistoryNotes.ParkedRow], of name: String, _ folder: String, _ settings: Settings,
    _ environment: Environment
  ) async throws {
    guard let (_, sink) = try settings.sinks(named: [name]).first else { return }
    switch sink.kind {
    case .loki, .postgres, .clickhouse: break
    case .prometheus, .ndjson, .otlp:
      throw Failure(
        .usage,
        "rows of a sink of the kind '\(sink.kind.rawValue)' are parked only when they cannot be read; there is nothing to send again"
      )
    }
    let wanted = Set(row.map(Int64.init))
    let rows = parked.filter { wanted.isEmpty || wanted.contains($0.seq) }
    if let lost = wanted.subtracting(rows.map(\.seq)).min() {
      throw Failure(.usage, "the row \(lost) is not parked for '\(name)'")
    }
    let outcome = try await send(rows, name, sink, folder, settings, environment)
    write(outcome, of: rows.count, environment)
    if outcome.accepted < rows.count { throw ExitCode(1) }
  }

  @MainActor
  private func send(
    _ rows: [HistoryNotes.ParkedRow], _ name: String, _ sink: Configuration.Sink,
    _ folder: String, _ settings: Settings, _ environment: Environment
  ) async throws(Failure) -> ParkedRetry {
    let clock = DispatchClock(loop: environment.eventLoop)
    let transport = try environment.sinkTransport(settings, clock)
    defer { transport.shutdown() }
    let address = try history.botAddress(settings, folder)
    let plan = try settings.plan(
      name, sink, folder: folder,
      bot: settings.profileName.isEmpty ? address : settings.profileName,
      botName: SinkGroup.botName(in: folder, else: address, isPatient: false) ?? address,
      door: SinkDoor(transport, clock: clock), live: LiveFigures())
    let result = await OwnThread.run {
      Result { () throws(SinkProblem) in
        try ParkedRetry(rows, plan) { Int64(Date().timeIntervalSince1970 * 1000) }
      }
    }
    do throws(SinkProblem) {
      return try result.get()
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  private func write(_ outcome: ParkedRetry, of count: Int, _ environment: Environment) {
    let left = count - outcome.accepted - outcome.refused - outcome.missing
    if json {
      var object = JSONObjectWriter()
      object.int("accepted", outcome.accepted)
      object.int("refused", outcome.refused)
      object.int("missing", outcome.missing)
      object.int("left", left)
      object.string("problem", outcome.problem)
      environment.output.line(object.finish())
    } else {
      var line = PlainText("\(outcome.accepted) of \(count) accepted")
      if outcome.refused > 0 { line += PlainText(", \(outcome.refused) refused again") }
      if outcome.missing > 0 {
        line += PlainText(", \(outcome.missing) not in the history any more or not readable")
      }
      if left > 0 { line += PlainText(", \(left) not sent") }
      environment.output.line(line)
    }
    if let problem = outcome.problem {
      environment.output.complain(PlainText(problem, limit: 400).description)
    }
  }
}

extension CockpitSession.Environment {
  /// The transport of sinks.
  @MainActor
  func sinkTransport(
    _ settings: Settings, _ clock: any LinkClock
  ) throws(Failure) -> CurlTransport {
    do throws(CurlTransport.Problem) {
      return try CurlTransport(clock: clock, loop: eventLoop, caFile: settings.caFile)
    } catch {
      throw Failure(error)
    }
  }
}
