import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore

/// What of the stores is in the guild scope.
extension ViewContext {
  /// `guild Lantern Workshop`; nil for all guilds.
  package var scopeName: PlainText? {
    scope.guild.map { "guild " + PlainText(names.guild($0), limit: 100) }
  }

  /// `all guilds`, beside a figure that has no scope, where the rest of the screen has one; empty else.
  package var unscoped: PlainText { scope.isAll ? "" : "all guilds" }

  /// The live voice sessions.
  package var liveSessions: [VoiceSession] {
    scope.isAll ? voice.sessions : voice.sessions.filter { scope.holds($0.guildID) }
  }

  /// Number of live voice sessions. Every voice state brings new ages; with all guilds this does not depend on
  /// them.
  package var liveSessionCount: Int { scope.isAll ? voice.sessionCount : liveSessions.count }

  /// The past voice sessions, newest end first.
  package var pastSessions: [HistorySession] {
    scope.isAll ? voice.history : voice.history.filter { scope.holds($0.guildID) }
  }

  /// The model calls of the rows.
  package var calls: LlmCallTable { activity.calls(in: scope) }

  /// Actions per minute.
  func rates(atMs nowMs: Int64) -> MinuteRates { activity.rates(in: scope, nowMs: nowMs) }

  /// The time from which every row of these kinds is here, as `LogCoverage` tells it.
  func coverageBegin(kinds: Set<String>?) -> Int64? {
    activity.coverage.beginMs(kinds: kinds, guild: scope.guild)
  }
}
