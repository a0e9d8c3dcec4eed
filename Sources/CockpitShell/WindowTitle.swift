import CockpitAnswers
import CockpitChat
import CockpitPanes
import CockpitDomain
import ClankyWire
import CockpitStores
import TerminalCore

/// The window title as a live summary: `clanky: LIVE voice $2.47 !1`. State of the connection, the
/// bot's trouble, whether the bot is in voice, cost of the UTC day, and failures as PULSE counts
/// them under ERR. Only words of this program and numbers.
package struct WindowTitle: Equatable, Sendable {
  private let state: LinkState
  /// Whether the screen shows the past.
  private let isPast: Bool
  /// The bot's worst trouble; nil if none is known.
  private let trouble: StaticWord?
  private let isInVoice: Bool
  /// What the agent of the shown channel, or the voice pipeline, does; nil while both are idle.
  private let chat: StaticWord?
  /// Whether an agent may use something of this machine now.
  private let hasControl: Bool
  private let dollars: Double?
  private let failures: Int

  /// The current content of the title, cheap to compare with the previous one.
  @MainActor package init(_ facts: ViewContext) {
    state = facts.status.overall
    isPast = facts.replay != nil
    // A title reads as current: it has no room for "as of".
    trouble = facts.triage.asOfMs == nil ? facts.triage.ofBot.first?.word : nil
    chat = facts.chat.flatMap { $0.isIdle ? nil : StaticWord(stringLiteral: $0.stateWord) }
    isInVoice = facts.liveSessionCount > 0 && facts.dataEndMs(.voice) == nil
    hasControl = facts.control?.hasControl ?? false
    dollars = facts.costToday
    failures =
      facts.scope.isAll
      ? facts.activity.log.totals.retained.failures : facts.windowCounts.count(.error)
  }

  package var words: TitleText {
    var title = TitleText("clanky:")
    guard !isPast else {
      title.add("REPLAY")
      return title
    }
    switch state {
    case .live: title.add("LIVE")
    case .connecting: title.add("CONNECTING")
    case .stale: title.add("STALE")
    case .reconnecting: title.add("RECONNECTING")
    case .polling: title.add("POLLING")
    case .degraded: title.add("DEGRADED")
    case .stopped: title.add("STOPPED")
    }
    if hasControl { title.add("CTRL") }
    if let trouble { title.add(trouble.text) }
    if let chat { title.add(chat.text) }
    if isInVoice { title.add("voice") }
    if let dollars { title.add(dollars: dollars) }
    if failures > 0 { title.add("!", min(failures, 9999)) }
    return title
  }
}
