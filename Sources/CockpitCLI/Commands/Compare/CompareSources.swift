import CockpitAnswers
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import Foundation

/// Where the rows of a comparison come from: the bot and its recording, a file, another bot.
@MainActor
struct CompareSources {
  private let shared: SharedOptions
  private let past: PastOptions
  private let environment: Environment
  private let settings: Settings

  init(
    _ shared: SharedOptions, _ past: PastOptions, _ environment: Environment, _ settings: Settings
  ) {
    self.shared = shared
    self.past = past
    self.environment = environment
    self.settings = settings
  }

  func run(sinceMs: Int64?) -> CompareRun {
    CompareRun(sinceMs: sinceMs) { span in try await open(span) }
  }

  func open(_ span: CompareWindow.Span) async throws -> CompareLoader {
    switch span {
    case .file(let path):
      let recorded = try reading { () throws(HistoryError) in
        try RecordedPast(.file(path), settings, nowMs: Int64(Date().timeIntervalSince1970 * 1000))
      }
      return CompareLoader(
        recorded: recorded, bot: nil, guild: try recorded.guild(), nowMs: recorded.nowMs,
        rules: settings.rules, clock: settings.clock)
    case .bot(let name):
      var other = shared
      (other.profile, other.url, other.guild, other.tokenFile) = (name, nil, nil, nil)
      // The variables tell the address and the token of this bot: they go to no other.
      var apart = environment
      (apart.variables["CLANKY_URL"], apart.variables["CLANKY_TOKEN"]) = (nil, nil)
      return try await bot(Settings(other, in: apart))
    default:
      guard let recorded = try past.open(settings) else { return try await bot(settings) }
      return CompareLoader(
        recorded: recorded, bot: nil, guild: try recorded.guild(), nowMs: recorded.nowMs,
        rules: settings.rules, clock: settings.clock)
    }
  }

  /// A live bot, and what was recorded of it.
  private func bot(_ settings: Settings) async throws -> CompareLoader {
    let session = try await RestSession(settings)
    // The answer tells the time of the backend too.
    let names = await session.names()
    let nowMs = session.nowMs
    let bot = DigestLoader.Bot(
      request: { await session.ask($0) },
      names: { log in
        var all = names
        all.users.merge(await session.names(in: log).users) { old, _ in old }
        return all
      })
    return CompareLoader(
      recorded: try recorded(session.settings, nowMs: nowMs), bot: bot,
      guild: session.settings.guild, nowMs: nowMs, rules: session.settings.rules,
      clock: session.settings.clock)
  }

  /// What was recorded of the bot; nil if nothing was.
  private func recorded(_ settings: Settings, nowMs: Int64) throws(Failure) -> RecordedPast? {
    guard settings.options.source == nil else { return nil }
    do throws(HistoryError) {
      return try RecordedPast(.bot, settings, nowMs: nowMs)
    } catch {
      if error.reason != .missing { throw Failure(error) }
      return nil
    }
  }
}
