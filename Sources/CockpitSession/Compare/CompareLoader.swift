import CockpitAnswers
import CockpitDomain
import CockpitHistory
import CockpitRules
import CockpitStores
import CockpitText
import Networking

/// Gets the units of one bot for a comparison: from the recording, from the bot what the recording lacks, and says
/// what neither has.
@MainActor
package final class CompareLoader {
  private let recorded: RecordedPast?
  private let bot: DigestLoader.Bot?
  private let guild: String?
  private let rules: RuleSettings
  private let say: @MainActor (DigestLoader.Step) -> Void
  /// The present of it, on the backend's clock, in ms since 1970.
  package let nowMs: Int64
  package let clock: ClockFormat
  /// Known once units are loaded.
  package private(set) var names = NameTable()

  /// Rows before and after a time that may belong to what began in it, in ms.
  private static let beforeMs: Int64 = 5 * 60_000
  private static let afterMs: Int64 = 2 * 60_000
  /// How far back a bot is asked. A recording is read as far as it goes.
  private static let botReachMs: Int64 = 8 * 86_400_000
  private static let memory = 256 << 20
  private static let rowBudget = 200

  /// - Parameters:
  ///   - recorded: nil if nothing is recorded.
  ///   - bot: nil where it must not be asked, in the past.
  ///   - guild: by its id; nil for all.
  package init(
    recorded: RecordedPast?, bot: DigestLoader.Bot?, guild: String?, nowMs: Int64,
    rules: RuleSettings, clock: ClockFormat,
    progress: @escaping @MainActor (DigestLoader.Step) -> Void = { _ in }
  ) {
    self.recorded = recorded
    self.bot = bot
    self.guild = guild
    self.nowMs = nowMs
    self.rules = rules
    self.clock = clock
    say = progress
  }

  /// All that a file has, in ms since 1970; nil without a recording.
  package var span: Range<Int64>? {
    recorded.map { $0.span.lowerBound..<min($0.span.upperBound, nowMs) + 1 }
  }

  /// The units of some times, each in ms since 1970.
  package func units(_ wanted: [Range<Int64>]) async throws(Failure) -> CompareUnits {
    let (store, missing) = try await load(wanted)
    var reader = CompareReader(try await rows(store))
    var breaths = Breaths()
    while reader.read(exchanges: 4) { try await breaths.take() }
    var units = reader.finish()
    units.missing = missing
    units.incidents = try await incidents(store.log)
    return units
  }

  /// The rows of a time, in ms since 1970.
  package func rows(of range: Range<Int64>) async throws(Failure) -> LoadedRows {
    let (store, missing) = try await load([range])
    return LoadedRows(store, range, GuildScope(guild), missing: missing)
  }

  /// The rows of some times and of some minutes around them, and what is missing.
  private func load(
    _ wanted: [Range<Int64>]
  ) async throws(Failure) -> (ActivityStore, [MissingStretch]) {
    let ranges = Self.merged(wanted.map { $0.lowerBound..<min($0.upperBound, nowMs + 1) })
    let store = ActivityStore(memory: Self.memory)
    var missing =
      ranges.flatMap { range in
        recorded?.missing(fromMs: range.lowerBound, toMs: range.upperBound - 1)
          ?? [
            MissingStretch(
              fromMs: range.lowerBound, toMs: range.upperBound, reason: "nothing recorded")
          ]
      }
    if let bot, let oldest = missing.map(\.fromMs).min() {
      say(.bot)
      do throws(Failure) {
        let fromMs = max(oldest, nowMs - Self.botReachMs)
        let sinceMs = try await ask(bot, fromMs: fromMs, into: store)
        missing = missing.compactMap { $0.unless(since: sinceMs) }
      } catch {
        // Without a recording there is nothing to compare.
        if Task.isCancelled || recorded == nil { throw error }
      }
    }
    if let recorded {
      say(.recording)
      let known = KnownRowsOfLog(store.log)
      for range in ranges {
        try await recorded.read(
          into: store.log, after: range.lowerBound - Self.beforeMs - 1,
          through: range.upperBound + Self.afterMs
        ) { !known.contains($0) }
      }
    }
    if store.log.totals.evicted > 0, let ms = store.log.newestEvictedMs {
      let from = ranges.first?.lowerBound ?? ms
      if ms >= from {
        missing.append(
          MissingStretch(fromMs: from, toMs: ms, reason: "too many rows for the memory"))
      }
    }
    if missing.isEmpty, let from = ranges.first?.lowerBound, ranges.count == 1 {
      store.apply(RowClaim(kinds: nil, guild: nil, fromMs: from - Self.beforeMs))
    }
    return (store, missing)
  }

  /// What the rules find in the rows.
  private func incidents(_ log: ActionLog) async throws(Failure) -> [CompareUnits.Incident] {
    var follower = RuleFollower(rules)
    var breaths = Breaths()
    while !follower.follow(log, nowMs: nowMs) { try await breaths.take() }
    return follower.report(sinceMs: log.oldestMs).incidents.compactMap { incident in
      guard let cite = incident.evidence.first else { return nil }
      return CompareUnits.Incident(
        timeMs: incident.fromMs, rule: incident.rule.rawValue, guildID: incident.guildID,
        sessionID: incident.sessionID,
        evidence: Answer.Evidence(
          rowID: cite.rowID, actionID: cite.actionID, timeMs: cite.timeMs, kind: cite.name,
          claim: incident.rule.rawValue))
    }
  }

  private func ask(
    _ bot: DigestLoader.Bot, fromMs: Int64, into store: ActivityStore
  ) async throws(Failure) -> Int64 {
    let nowMs = nowMs
    let past = PastActions(into: store, guild: guild, nowMs: { nowMs }, request: bot.request)
    let beginMs = fromMs - Self.beforeMs
    try await past.load(
      since: HistoryDuration(milliseconds: max(60_000, nowMs - beginMs)), kinds: []
    ) { false }
    return past.wholeSinceMs(beginMs)
  }

  private func rows(_ store: ActivityStore) async throws(Failure) -> ExchangeRows {
    let log = store.log
    let voice = VoiceStore()
    var breaths = Breaths()
    while !voice.follow(log, rowBudget: Self.rowBudget) {
      say(.reading(rows: log.count - voice.unreadRows(in: log)))
      try await breaths.take()
    }
    names = await bot?.names(log) ?? NameTable()
    if let recorded {
      let own = await recorded.names(in: log)
      names.users.merge(own.users) { live, _ in live }
      names.channels.merge(own.channels) { live, _ in live }
      names.guilds.merge(own.guilds) { live, _ in live }
    }
    var rows = ExchangeRows(
      log, voice: voice, names: names, coverage: store.coverage, hasNewest: bot != nil,
      nowMs: nowMs)
    rows.scope = GuildScope(guild)
    return try await rows.indexed { () throws(Failure) in try await breaths.take() }
  }

  /// In order, those that meet as one.
  private static func merged(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound + beforeMs + afterMs {
        result[result.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}

extension MissingStretch {
  /// What is left of it where everything since a time is there; nil if nothing is.
  fileprivate func unless(since ms: Int64) -> MissingStretch? {
    guard fromMs < ms else { return nil }
    var left = self
    left.toMs = min(toMs, ms)
    return left.toMs > left.fromMs ? left : nil
  }
}
