import ArgumentParser
import CockpitAnswers
import CockpitSession
import CockpitStores
import CockpitText
import Foundation

/// `compare`: two windows side by side.
struct CompareCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Better or worse: two windows side by side, with intervals.",
    usage: "clanky-cockpit compare [A] [B] [--since DURATION] [OPTIONS]",
    discussion: """
      Latency, skips, drops, failures, cost, tokens and cache of two windows: each figure with its 95 % \
      interval and what it counts, the difference with a 99 % interval, and a word: worse, better, no \
      difference that so few turns could show, or too little. Below: how turns ended, reasons of \
      silence, models, tools, kinds, and what changed meanwhile. docs/compare.md says how.

      A window is 2h (the last two), today, yesterday, 14:00/2h, 2026-11-20T14:00/2h, session ID, epoch \
      -1 (between two changes of the bot), a bundle FILE.flight, bot:PROFILE, guild:NAME, model:NAME; \
      today+model:opus is both. One window is compared with the same hours of the days before; none \
      stands for the last hour; 'epoch' alone for the last two epochs.

      Examples:
        clanky-cockpit compare today
        clanky-cockpit compare yesterday today
        clanky-cockpit compare 13:00/1h 14:00/1h || echo 'worse than before the deployment'
        clanky-cockpit compare model:opus model:sonnet --since 7d --json | jq .sentence
        clanky-cockpit compare before.flight after.flight

      Exits with 1 when something is worse, and with 2 when a window cannot be read.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Option(
    help: ArgumentHelp(
      "How far windows without a time reach back, and the window if there is none.",
      valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var since: HistoryDuration?

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  // An epoch has a negative number.
  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("What to compare.", valueName: "WINDOW"))
  var windows: [String] = []

  private static let hourMs: Int64 = 3_600_000

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let (a, b) = try sides(settings)
    let comparison: Comparison
    do {
      comparison = try await CompareSources(shared, past, environment, settings)
        .run(sinceMs: since?.milliseconds).compare(a, b).comparison
    } catch var failure as Failure {
      // Exit code 1 is reserved for "worse", so that scripts can rely on it.
      if failure.code == Failure.Code.failed.rawValue, !Task.isCancelled {
        failure.code = Failure.Code.usage.rawValue
      }
      throw failure
    }
    if json {
      environment.output.line(CompareJSON(comparison).line)
      environment.also(CompareText(comparison, clock: settings.clock).lines(width: 100))
    } else {
      for line in CompareText(comparison, clock: settings.clock).lines(width: 100) {
        environment.output.line(line)
      }
    }
    if comparison.isWorse { throw ExitCode(1) }
  }

  private func sides(_ settings: Settings) throws(Failure) -> (CompareWindow, CompareWindow) {
    let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    let atMs = try past.at.map { text throws(Failure) in
      try settings.moment(text, of: "--at")
    }
    guard
      let parsed = CompareWindow.parse(
        windows, nowMs: atMs ?? nowMs, in: settings.clock.queryZone)
    else {
      throw Failure(
        .usage,
        "'\(windows.joined(separator: " "))' names no window; \(CompareWindow.forms) do")
    }
    switch parsed.count {
    case 0:
      return (
        CompareWindow(.sameHoursBefore),
        CompareWindow(.last(ms: since?.milliseconds ?? Self.hourMs))
      )
    case 1: return (CompareWindow(.sameHoursBefore), parsed[0])
    case 2:
      guard parsed[1].span != .sameHoursBefore else { return (parsed[1], parsed[0]) }
      return (parsed[0], parsed[1])
    default: throw Failure(.usage, "two windows are compared, not \(parsed.count)")
    }
  }
}
