import CockpitStores
import TerminalCore

/// The bot's own health as people read it: a word for the header, sentences for the alert row and for
/// commands. Never a word about the connection.
package struct BotText {
  package let bot: BotHealth
  /// Formats times; nil omits them.
  package var clock: ClockFormat?
  package var names: Names?

  package init(_ bot: BotHealth, clock: ClockFormat? = nil, names: Names? = nil) {
    self.bot = bot
    self.clock = clock
    self.names = names
  }

  /// `bot ok`, `bot offline`, `bot ?`; `bot ok?` when the data are old and the present state is unknown.
  package var word: PlainText { asOf(PlainText(bot.word.description)) }

  /// `bot !` in place of the trouble.
  package var shortWord: PlainText { asOf(PlainText(bot.shortWord.description)) }

  private func asOf(_ word: PlainText) -> PlainText {
    bot.asOfMs == nil || !bot.isKnown ? word : word + "?"
  }

  package var role: Role {
    guard bot.isKnown, bot.asOfMs == nil else { return .muted }
    guard let worst = bot.troubles.first?.part else {
      return bot.recovered.isEmpty ? .positive : .info
    }
    switch worst {
    case .discord, .models, .voice, .tunnel: return .negative
    case .tools, .errors: return .warning
    }
  }

  /// All troubles, the worst first, with advice; recent ones if there are no current ones; nil if
  /// there is nothing to report.
  package var sentence: PlainText? { sentence(of: bot.troubles, bot.recovered) }

  /// The same for the alert row, without tool servers: a server counts as down from one failed call
  /// to its next (contract 7.7), so the word in the header suffices.
  package var alert: PlainText? {
    sentence(
      of: bot.troubles.filter { $0.part != .tools },
      bot.recovered.filter { $0.trouble.part != .tools })
  }

  private func sentence(
    of troubles: [BotTrouble], _ recovered: [BotHealth.Recovery]
  ) -> PlainText? {
    if let worst = troubles.first {
      return (troubles.map(sentence) + [advice(worst.cause)]).joined(separator: " ")
    }
    return recovered.isEmpty ? nil : recovered.map(sentence).joined(separator: " ")
  }

  /// The text for a dedicated line, `bot ok` included.
  package var line: PlainText {
    if let sentence { return sentence }
    return bot.isKnown
      ? "The bot is connected to Discord, and nothing is known to be wrong with it."
      : "How the bot itself is has not been said yet."
  }

  // MARK: Sentences

  private func sentence(_ trouble: BotTrouble) -> PlainText {
    let since = since(trouble)
    switch trouble.cause {
    case .reconnecting(let attempt):
      let which: PlainText = attempt.map { $0 > 0 ? " (attempt \(min($0, 99_999)))" : "" } ?? ""
      return "The bot is reconnecting to Discord" + which + since + lastEvent(trouble) + "."
    case .notReady:
      return "The bot is not ready: its Discord client is not connected" + since
        + lastEvent(trouble) + "."
    case .neverConnected:
      return "The bot is not ready: it has not reached Discord since its start" + since + "."
    case .tunnelFailed(let reason):
      return "The bot's tunnel has failed" + since + because(reason)
    case .tunnelStarting: return "The bot's tunnel is not up again" + since + "."
    case .voiceLost(let channel, let reason):
      let place = channel.flatMap { id in
        names.map { " in #" + PlainText($0.channel(id), limit: 24) }
      }
      return "Voice" + (place ?? "") + " has no connection to its provider" + since
        + because(reason)
    case .toolsFail(let servers, let reason):
      let list = PlainText(servers.joined(separator: ", "), limit: 60)
      return (servers.count == 1 ? "Tool server " : "Tool servers ") + list
        + (servers.count == 1 ? " fails" : " fail") + since + because(reason)
    case .modelsFail(let count, let reason):
      return "The last \(count) model calls failed" + since + because(reason)
    case .errors(let count, let minutes):
      return Figures.count(count) + PlainText(" errors in the last \(minutes) min.")
    }
  }

  private func sentence(_ recovery: BotHealth.Recovery) -> PlainText {
    let what: PlainText =
      switch recovery.trouble.part {
      case .discord: "The bot is connected to Discord again"
      case .tunnel: "The bot's tunnel is up again"
      case .voice: "Voice has its provider again"
      case .tools: "The tool servers answer again"
      case .models: "Model calls succeed again"
      case .errors: "There are no more errors"
      }
    guard let clock else { return what + "." }
    let since: PlainText =
      recovery.trouble.sinceMs.map { " (it was not since " + clock.time(ms: $0) + ")" } ?? ""
    return what + " since " + clock.time(ms: recovery.endedMs) + since + "."
  }

  private func advice(_ cause: BotTrouble.Cause) -> PlainText {
    switch cause.part {
    case .discord where cause == .neverConnected:
      "Check its Discord token and network; its log says more."
    case .discord: "It tries again by itself; else see its log."
    case .tunnel: "Nobody gets in through it: see the bot's log, restart the bot."
    case .voice: "It is deaf and mute there; have it leave and join again."
    case .tools: "The bot goes on without them; CMD lists the servers."
    case .models: "It cannot answer; check the provider's status page, key and quota."
    case .errors: "PULSE lists them with the filter is:error."
    }
  }

  private func since(_ trouble: BotTrouble) -> PlainText {
    guard let clock, let since = trouble.sinceMs else { return "" }
    return " since " + clock.time(ms: since) + (trouble.mayBeOlder ? " or before" : "")
  }

  private func lastEvent(_ trouble: BotTrouble) -> PlainText {
    guard let clock, let ms = trouble.lastEventMs else { return "" }
    return "; Discord last spoke at " + clock.time(ms: ms)
  }

  private func because(_ reason: String) -> PlainText {
    let text = PlainText(reason, limit: 120)
    guard !text.isEmpty else { return "." }
    return text.description.last.map { ".!?…".contains($0) } == true
      ? ": " + text : ": " + text + "."
  }
}
