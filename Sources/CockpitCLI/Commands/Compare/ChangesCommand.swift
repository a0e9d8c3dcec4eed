import ArgumentParser
import CockpitAnswers
import CockpitSession
import CockpitText

/// `changes`: what changed, and from when on figures are others.
struct ChangesCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "What changed, and since when figures are others.",
    usage: "clanky-cockpit changes [--since DURATION] [OPTIONS]",
    discussion: """
      The ledger: logins of the bot, deployments, models, the fixed part of prompts, tools, settings of \
      live sessions, facts that the bot replaced, the backend's dialect, each with the first row that \
      shows it. And the moments from which on latency, skips, cost or tokens are greater or smaller \
      than before, with what else changed within ten minutes: at the same time, which does not mean \
      because of it.

      Examples:
        clanky-cockpit changes --since 12h
        clanky-cockpit changes --from-history --since 7d --json | jq '.ledger[].kind'

      Exits with 1 when no row is on record of the time.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Option(
    help: ArgumentHelp("Of the last DURATION, 24h without it.", valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var since: HistoryDuration?

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let loader = try await CompareSources(shared, past, environment, settings).open(.all)
    let length = since?.milliseconds ?? 86_400_000
    let units = try await loader.units([loader.nowMs - length..<loader.nowMs])
    let changes = Changes(units, clock: settings.clock)
    if json {
      environment.output.line(changes.json)
      environment.also(changes.lines(width: 100, settings.clock))
    } else {
      for line in changes.lines(width: 100, settings.clock) { environment.output.line(line) }
    }
    if changes.answer.state == .unknown { throw ExitCode(1) }
  }
}
