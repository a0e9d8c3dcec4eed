import CockpitAnswers
import CockpitStores
import CockpitSession
import CockpitText
import ArgumentParser
import CockpitDomain
import CockpitFiles
import Networking
import ClankyWire
import Foundation
import LenientJSON
import TerminalCore

/// `status`: how the bot is, in one line, for scripts and monitoring.
struct StatusCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "One line: state, actions, errors, cost today, voice.",
    usage: "clanky-cockpit status [OPTIONS]",
    discussion: """
      Actions and errors are those of the last hour; '1000+' says that the backend lists no more, \
      '-' that a figure could not be had. What is wrong with the bot itself is the second word, as in \
      the header of the cockpit; what, since when and what to do is said on stderr. Degraded is a bot \
      for which a rule of the triage fires (docs/triage.md), unless its level is info.

      --at TIME tells it as of then, from what was recorded, and asks no backend; what was not recorded by then \
      is said on stderr.

      For an OpenClaw gateway the line has what waits for an answer, and the numbers of live runs, agents and \
      sessions. It is degraded while something waits, or if a job or a channel has failed (docs/openclaw.md \
      has the keys of --json).

      For a profile with several sources there is a line for each, which begins with its name; in --json the key \
      'source' has it. The exit code is that of the worst: 2, 4, 3, 1, 5, 0.

      With --fleet that line has the values of the health strip, as far as the rows of the last hour tell them: rows \
      a minute, errors and cost an hour of the last 15 minutes, or of the shorter window that is named; the age of the newest row; \
      the worst that is wrong, since when, how often, and what to do. '-' is what one look cannot know. The source that \
      is worst off is first. In --json the key 'fleet' has them (docs/fleet.md).

      Exit codes: 0 healthy, 1 degraded, 2 usage or configuration, 3 unreachable, 4 authentication, \
      5 healthy, and a promise of [slo] is broken or will be at the present rate (docs/configuration.md).
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Flag(help: "One JSON object, ASCII only (docs/status-bars.md has its keys).")
  var json = false

  @Flag(help: "For a profile with several sources: their health, the worst first.")
  var fleet = false

  @Option(help: ArgumentHelp("The whole command takes so long at most.", valueName: "SECONDS"))
  var timeout: Double = 2

  func validate() throws {
    guard timeout.isFinite, (0.1...60).contains(timeout) else {
      throw ValidationError("--timeout is a number of seconds from 0.1 to 60")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    var settings = try Settings(shared, in: environment)
    if fleet, settings.sourceNames.isEmpty {
      throw Failure(
        .usage,
        "--fleet is for a profile with several sources, and '\(settings.profileName)' has one; sources = [\"a\", \"b\"] in a profile names them (docs/sources.md)"
      )
    }
    if let recorded = try past.open(settings) {
      return try await run(recorded, settings, in: environment)
    }
    settings.patience = .milliseconds(Int(timeout * 750))
    settings.mayAsk = environment.terminals.input
    if settings.opensChatServer {
      return try await ChatServerStatus.run(
        settings, json: json, withinMs: Int(timeout * 1000), in: environment)
    }
    if !settings.sourceNames.isEmpty {
      return try await StatusOfSources(
        settings, json: json, isFleet: fleet, withinMs: Int(timeout * 1000)
      ).run(in: environment)
    }
    if settings.isGateway {
      return try await GatewayStatus.run(
        settings, json: json, withinMs: Int(timeout * 1000), in: environment)
    }
    let address = settings.options.demo == nil ? try settings.backendURL().description : "demo"
    let clock = settings.clock
    let limitMs = Int(timeout * 1000)
    let deadline = Deadline(afterMs: max(50, limitMs - 50), in: environment) { [json, timeout] in
      let overview = BotOverview(
        health: .unreachable, backend: address, takenAtMs: environment.wallMs(),
        detail: "Nothing was heard within \(timeout) s; try --timeout.")
      return Deadline.ExitMessage(
        output: Self.line(overview, json: json, clock: clock) + [0x0A], complaint: overview.detail,
        code: overview.exitCode)
    }
    let start = DispatchTime.now().uptimeNanoseconds
    let backend = try await Backend.open(
      settings, mayBlock: environment.scope == nil, findsGuild: false)
    let spentMs = Int((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000)
    let fetch = OverviewFetch(backend, rows: json ? .ofHour : .none)
    var overview = try await fetch.run(withinMs: limitMs - 200 - spentMs)
    if json, overview.guildID == nil, settings.options.demo == nil {
      let leftMs =
        limitMs - 150 - Int((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000)
      overview.forecast = await SpendForecast(settings, bot: address).forecast(
        nowMs: overview.backendMs(overview.takenAtMs), usd: overview.costToday, withinMs: leftMs
      )?.json
    }
    guard deadline.claim() else { return try await Self.wait() }
    if json {
      let drift = fetch.hourOfActions.flatMap { DoctorWire.counts(of: $0.log) }
      environment.output.line(
        overview.json { line in
          if let drift { line.value("drift", drift) }
        })
    } else {
      environment.output.line(Self.line(overview, json: false, clock: clock))
    }
    if json { environment.also([Self.text(overview, clock)]) }
    if let detail = overview.detail { environment.output.complain(detail) }
    throw ExitCode(try Self.code(overview.exitCode, settings, address, in: environment))
  }

  /// The exit code with what the sinks of the configuration add to it.
  @MainActor private static func code(
    _ code: Int32, _ settings: Settings, _ address: String, in environment: Environment
  ) throws -> Int32 {
    let names = Set(settings.configuration.sinks.keys)
    guard !names.isEmpty, let folder = settings.historyFolder(of: address) else { return code }
    let (sentences, isLoss) = SinkWords.remarks(in: folder, of: names)
    for sentence in sentences { environment.output.complain(sentence) }
    return isLoss && (code == 0 || code == 5) ? 1 : code
  }

  /// As it was, from the recording.
  @MainActor private func run(
    _ recorded: RecordedPast, _ settings: Settings, in environment: Environment
  ) async throws {
    let answers = RecordedAnswers(recorded)
    if let board = recorded.document(DocumentName.control.rawValue) {
      return try GatewayStatus.run(
        board, recorded, asOf: answers.asOf, json: json, in: environment)
    }
    let fetch = OverviewFetch(recorded, answers, rows: json ? .ofHour : .none)
    let overview = try await fetch.run(withinMs: 60_000)
    guard !json else {
      environment.output.line(overview.json { $0.bool("recorded", true) })
      environment.also([Self.text(overview, settings.clock) + "  " + PlainText(answers.asOf)])
      return try Self.end(overview, answers, in: environment)
    }
    let line = Self.line(overview, json: false, clock: settings.clock)
    environment.output.line(line + Array("  \(answers.asOf)".utf8))
    try Self.end(overview, answers, in: environment)
  }

  @MainActor private static func end(
    _ overview: BotOverview, _ answers: RecordedAnswers, in environment: Environment
  ) throws {
    for sentence in answers.remarks() { environment.output.complain(sentence) }
    if let detail = overview.detail { environment.output.complain(detail) }
    throw ExitCode(overview.exitCode)
  }

  /// The other side prints and ends the run.
  @MainActor static func wait() async throws(Failure) {
    await awaitCallback { _ in }
    throw .interrupted
  }

  static func line(_ overview: BotOverview, json: Bool, clock: ClockFormat) -> [UInt8] {
    json ? overview.json() : Array(text(overview, clock).description.utf8)
  }

  private static func text(_ overview: BotOverview, _ clock: ClockFormat) -> PlainText {
    GlanceText(overview, nowMs: overview.takenAtMs, clock: clock, symbols: .ascii).statusLine
  }
}
