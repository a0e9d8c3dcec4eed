package import ClankyWire

/// What is derived of one guild's rows while a screen is about it. The log keeps the rows of all guilds.
@MainActor
final class GuildFigures {
  let scope: GuildScope
  let windowCounter: WindowCounter
  let calls: LlmCallTable
  private var guildRates: GuildRates

  init(_ scope: GuildScope) {
    self.scope = scope
    windowCounter = WindowCounter(scope)
    calls = LlmCallTable(scope)
    guildRates = GuildRates(scope)
  }

  func rates(of log: ActionLog, nowMs: Int64) -> MinuteRates {
    guildRates.rates(of: log, nowMs: nowMs)
  }
}

/// The backend's own figures of one guild. The stream brings those of all guilds only: these are asked for.
package struct GuildStats: Equatable, Sendable {
  package var guild: String
  package var stats: Stats
  /// When they were received, in ms since 1970 on the backend's clock.
  package var atMs: Int64
  /// The answer as the backend gave it, for JSON output.
  package var payload: [UInt8] = []
  /// Costs since the first of them, from the backend's daily sums.
  package var costTotals = CostTotals()

  package init(guild: String, stats: Stats, atMs: Int64) {
    self.guild = guild
    self.stats = stats
    self.atMs = atMs
    costTotals.take(stats.dailyCost, atMs: atMs)
  }

  /// Takes newer figures of the same guild.
  mutating func take(_ new: Stats, _ payload: [UInt8], atMs nowMs: Int64) {
    self.payload = payload
    if new == stats {
      costTotals.repeats(atMs: nowMs)
    } else {
      costTotals.take(new.dailyCost, atMs: nowMs)
    }
    stats = new
    atMs = nowMs
  }
}

extension ActivityStore {
  /// Row counts of a scope; see `windowCounts(minuteMs:)`.
  package func windowCounts(minuteMs: Int64, in scope: GuildScope) -> WindowCounts {
    scope.isAll
      ? windowCounts(minuteMs: minuteMs)
      : figures(of: scope).windowCounter.counts(of: log, coverage, minuteMs: minuteMs)
  }

  /// The model calls of a scope.
  package func calls(in scope: GuildScope) -> LlmCallTable {
    scope.isAll ? calls : figures(of: scope).calls
  }

  /// Actions per minute of a scope.
  ///
  /// - Parameter nowMs: on the backend's clock, in ms since 1970.
  package func rates(in scope: GuildScope, nowMs: Int64) -> MinuteRates {
    scope.isAll ? log.rate : figures(of: scope).rates(of: log, nowMs: nowMs)
  }

  /// From when on the rates cover all rows of a scope, in ms since 1970; nil if unknown. Those of one guild do not
  /// include rows that were evicted before they were asked for.
  package func rateBeginMs(in scope: GuildScope) -> Int64? {
    scope.isAll ? rateBeginMs : coverage.beginMs(guild: scope.guild)
  }

  /// The backend's figures of a scope; nil before the first.
  package func stats(in scope: GuildScope) -> Stats? {
    guard let guild = scope.guild else { return stats?.stats }
    return guildStats?.guild == guild ? guildStats?.stats : nil
  }

  /// Costs of a scope from the backend's daily sums.
  package func costTotals(in scope: GuildScope) -> CostTotals {
    guard let guild = scope.guild else { return costTotals }
    return guildStats.flatMap { $0.guild == guild ? $0.costTotals : nil } ?? CostTotals()
  }
}
