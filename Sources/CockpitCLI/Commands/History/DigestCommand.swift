import ArgumentParser
import CockpitAnswers
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import Networking
import TerminalCore

/// `digest`: what the bot did, and what went wrong, since a time.
struct DigestCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "digest",
    abstract: "Last night in one answer: what the bot did, and what went wrong.",
    usage: "clanky-cockpit digest [--since TIME] [OPTIONS]",
    discussion: """
      Answers, silences by reason, what was meant to be answered and was not, errors and troubles, voice \
      sessions, cost beside the same hours of earlier days, automations, facts learned and lost. One \
      sentence first; every line rests on rows, which --json names.

      Without --since it begins when you last looked at the cockpit, else at 22:00. Rows come from what \
      was recorded on this machine; what the recording lacks is asked of the bot, and what neither has \
      is said. With --from-history or --at the bot is not asked, and an OpenClaw gateway never is.

      Examples:
        clanky-cockpit digest --since 22:00
        clanky-cockpit digest --since 12h --markdown
        clanky-cockpit digest --from-history --at 08:00 --since 10h --json | jq .sentence

      Exits with 1 when nothing is known of the time.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Option(
    help: ArgumentHelp(
      "Since then: 22:00, 10h, 2026-05-09T22:00; 31 days at most.", valueName: "TIME"))
  var since: String?

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  @Flag(help: "Markdown, for a chat or a ticket.")
  var markdown = false

  private static let longestMs: Int64 = 31 * 86_400_000

  func validate() throws {
    if json, markdown { throw ValidationError("choose one of --json and --markdown") }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    if let recorded = try past.open(settings) ?? ofGateway(settings, in: environment) {
      let (fromMs, why) = try beginning(settings, bot: recorded.name, nowMs: recorded.nowMs)
      let loader = DigestLoader(
        recorded: recorded, bot: nil, settings, guild: try recorded.guild(), nowMs: recorded.nowMs)
      try write(
        await loader.load(fromMs: fromMs, beginning: why), settings.clock, environment)
      return
    }
    let session = try await RestSession(settings)
    // The answer tells the time of the backend too.
    let names = await session.names()
    let nowMs = session.nowMs
    let (fromMs, why) = try beginning(session.settings, bot: session.address, nowMs: nowMs)
    let bot = DigestLoader.Bot(
      request: { await session.ask($0) },
      names: { log in
        var all = names
        all.users.merge(await session.names(in: log).users) { old, _ in old }
        return all
      })
    let loader = DigestLoader(
      recorded: try recorded(session.settings, nowMs: nowMs), bot: bot, session.settings,
      guild: session.settings.guild, nowMs: nowMs)
    try write(
      await loader.load(fromMs: fromMs, beginning: why), session.settings.clock, environment)
  }

  /// The recording of a gateway, which has no log to ask for rows. Nil for a bot.
  @MainActor private func ofGateway(
    _ settings: Settings, in environment: Environment
  ) throws(Failure) -> RecordedPast? {
    guard settings.isGateway, settings.options.source == nil else { return nil }
    do throws(HistoryError) {
      return try RecordedPast(.bot, settings, nowMs: environment.wallMs())
    } catch {
      throw Failure(error)
    }
  }

  /// What was recorded of the bot; nil if nothing was.
  @MainActor private func recorded(
    _ settings: Settings, nowMs: Int64
  ) throws(Failure) -> RecordedPast? {
    guard settings.options.source == nil else { return nil }
    do throws(HistoryError) {
      return try RecordedPast(.bot, settings, nowMs: nowMs)
    } catch {
      if error.reason != .missing { throw Failure(error) }
      return nil
    }
  }

  @MainActor private func beginning(
    _ settings: Settings, bot: String, nowMs: Int64
  ) throws(Failure) -> (ms: Int64, why: Digest.Beginning) {
    guard let since else {
      if !past.isPast, let ms = LastLook(settings, bot: bot).ms, ms < nowMs,
        nowMs - ms <= Self.longestMs
      {
        return (ms, .lastLook)
      }
      return (LastLook.evening(before: nowMs, settings.clock), .evening)
    }
    let ms: Int64?
    if let duration = HistoryDuration(since) {
      ms = nowMs - duration.milliseconds
    } else {
      ms = QueryMoment.start(of: since, nowMs: nowMs, in: settings.clock.queryZone)
    }
    guard let ms, ms < nowMs else {
      throw Failure(.usage, "'\(since)' is no time before now; --since 22:00 or --since 10h is one")
    }
    guard nowMs - ms <= Self.longestMs else {
      throw Failure(.usage, "--since reaches back 31 days at most")
    }
    return (ms, .given)
  }

  @MainActor private func write(
    _ digest: Digest, _ clock: ClockFormat, _ environment: Environment
  ) throws {
    let text = DigestText(digest, clock: clock)
    if json {
      environment.output.line(DigestJSON(digest).line)
      environment.also(text.lines(width: 100))
    } else if markdown {
      for line in text.markdown { environment.output.line(Array(line.utf8)) }
    } else {
      for line in text.lines(width: 100) { environment.output.line(line) }
    }
    if digest.answer.state == .unknown { throw ExitCode(1) }
  }
}
