import CockpitAnswers
import CockpitDomain
import CockpitFiles
import CockpitHistory
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import CockpitText
import Networking
import TerminalCore
import TerminalCurses

/// Last night on one screen.
extension CockpitApp {
  /// So long without a key the user was away, in ms.
  private static let awayMs: Int64 = 30 * 60_000

  package func carryOut(_ request: DigestRequest) {
    digesting?.cancel()
    digesting = nil
    switch request {
    case .stop: digest = nil
    case .load(let fromMs): load(fromMs: fromMs)
    }
    frames?.setNeedsFrame(.key)
  }

  private func load(fromMs given: Int64?) {
    let nowMs = shownModel.bot.serverNowMs
    let (fromMs, why) = beginning(given, nowMs: nowMs)
    digest = DigestState(.loading("reading"), fromMs: fromMs)
    digesting = Task {
      let phase = await phase(fromMs: fromMs, why, nowMs: nowMs)
      guard !Task.isCancelled, let phase else { return }
      digest = DigestState(phase, fromMs: fromMs)
      frames?.setNeedsFrame(.key)
    }
  }

  /// Since the last look; in the past, and where nothing is known of one, since the evening before.
  private func beginning(_ given: Int64?, nowMs: Int64) -> (ms: Int64, why: Digest.Beginning) {
    if let given { return (given, .given) }
    if replay == nil, let ms = lookedMs, ms < nowMs { return (ms, .lastLook) }
    return (LastLook.evening(before: nowMs, settings.clock), .evening)
  }

  /// - Returns: nil if it was ended.
  private func phase(
    fromMs: Int64, _ why: Digest.Beginning, nowMs: Int64
  ) async -> DigestState.Phase? {
    do throws(Failure) {
      let opened = connector.opened
      let bot: DigestLoader.Bot? = replay == nil ? live : nil
      let loader = DigestLoader(
        recorded: try recorded(opened, nowMs: nowMs), bot: bot, opened.settings,
        guild: shell.scope.guild, nowMs: nowMs
      ) { [weak self] step in
        guard let self, !Task.isCancelled else { return }
        digest = DigestState(.loading(Self.words(step)), fromMs: fromMs)
        frames?.setNeedsFrame(.stream)
      }
      return .ready(try await loader.load(fromMs: fromMs, beginning: why))
    } catch {
      return Task.isCancelled
        ? nil : .failed("no digest: " + PlainText(error.description, limit: 300))
    }
  }

  static func words(_ step: DigestLoader.Step) -> PlainText {
    switch step {
    case .bot: "asking the bot for what was not recorded"
    case .recording: "reading what was recorded"
    case .reading(let rows): "putting answers together, " + Figures.count(rows) + " rows read"
    case .earlierDays: "comparing the cost with earlier days"
    }
  }

  /// The live bot, through the connection that is open.
  var live: DigestLoader.Bot {
    let bot = model.bot
    return DigestLoader.Bot(
      request: { request in await bot.source.answer(to: request) },
      names: { _ in bot.connection.names })
  }

  /// What was recorded; nil if nothing was.
  func recorded(_ opened: OpenedSource, nowMs: Int64) throws(Failure) -> RecordedPast? {
    guard replay != nil || settings.options.source == nil else { return nil }
    do throws(HistoryError) {
      return try RecordedPast(
        openHistory(opened), name: opened.name, opened.settings, atMs: nowMs)
    } catch {
      if error.reason != .missing { throw Failure(error) }
      return nil
    }
  }

  // MARK: The last look

  /// Reads when the user looked last; once for each bot.
  package func recallLook() {
    let look = LastLook(connector.opened.settings, bot: connector.opened.name)
    lookedMs = look.ms
    lastInputMs = nil
  }

  /// A key was pressed: after a while without one, the last look is the key before.
  package func noteLook() {
    let nowMs = model.bot.serverNowMs
    if let before = lastInputMs, nowMs - before >= Self.awayMs { lookedMs = before }
    lastInputMs = nowMs
  }

  /// Remembers that the user has looked, for the next start.
  package func keepLook() {
    guard let lastInputMs else { return }
    do throws(FileError) {
      try LastLook(connector.opened.settings, bot: connector.opened.name).save(ms: lastInputMs)
    } catch {
      model.bot.history.note(.warning, error.description)
    }
  }
}
