import TerminalCore
import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitHistory
import CockpitRules
import CockpitStores
import CockpitText
import LenientJSON
import Networking

/// Makes a digest: takes the rows of its time from the recording, asks the bot for what the recording lacks, and says
/// what neither has.
@MainActor
package final class DigestLoader {
  /// How the bot is asked; nil where it must not be, in the past.
  package struct Bot {
    package var request: @MainActor (RestRequest) async -> Result<RestAnswer, RestFailure>
    package var names: @MainActor (ActionLog) async -> NameTable

    package init(
      request: @escaping @MainActor (RestRequest) async -> Result<RestAnswer, RestFailure>,
      names: @escaping @MainActor (ActionLog) async -> NameTable
    ) {
      self.request = request
      self.names = names
    }
  }

  private let recorded: RecordedPast?
  private let bot: Bot?
  private let settings: Settings
  /// The id of the guild that is meant; nil for all.
  private let guild: String?
  private let nowMs: Int64
  private let say: @MainActor (Step) -> Void
  private let store = ActivityStore(memory: 256 << 20)
  private let voice = VoiceStore()

  /// What it is doing.
  package enum Step: Hashable, Sendable {
    case recording, bot, earlierDays
    /// Puts answers together: so many of all rows were read.
    case reading(rows: Int)
  }

  /// Rows before the beginning that may belong to what began in the time, in ms.
  private static let marginMs: Int64 = 30 * 60_000
  /// Earlier days whose costs are compared.
  private static let earlierDays = 7
  private static let dayMs: Int64 = 86_400_000
  /// Rows are read in pieces of so many, so that the screen keeps running.
  private static let rowBudget = 200

  /// - Parameters:
  ///   - recorded: nil if nothing is recorded.
  ///   - nowMs: the end of the time, on the backend's clock.
  ///   - guild: by its id; nil for all.
  package init(
    recorded: RecordedPast?, bot: Bot?, _ settings: Settings, guild: String?, nowMs: Int64,
    progress: @escaping @MainActor (Step) -> Void = { _ in }
  ) {
    self.recorded = recorded
    self.bot = bot
    self.settings = settings
    self.guild = guild
    self.nowMs = nowMs
    say = progress
  }

  /// - Parameter fromMs: the beginning, in ms since 1970.
  package func load(
    fromMs: Int64, beginning: Digest.Beginning
  ) async throws(Failure) -> Digest {
    var missing = recorded?.missing(fromMs: fromMs, toMs: nowMs)
    var problem: Failure?
    let lack = missing ?? [MissingStretch(fromMs: fromMs, toMs: nowMs, reason: "nothing recorded")]
    if let first = lack.first, let bot {
      say(.bot)
      do throws(Failure) {
        let sinceMs = try await ask(bot, fromMs: first.fromMs)
        missing = lack.compactMap { $0.unless(since: sinceMs) }
      } catch {
        // Without a recording there is nothing to say.
        if Task.isCancelled || recorded == nil { throw error }
        problem = error
      }
    }
    if problem != nil || bot == nil { missing = lack.map { unanswered($0, problem) } }
    if let recorded {
      say(.recording)
      let known = KnownRowsOfLog(store.log)
      try await recorded.read(into: store.log, after: fromMs - Self.marginMs - 1) {
        !known.contains($0)
      }
    }
    if store.log.totals.evicted > 0, let ms = store.log.newestEvictedMs, ms >= fromMs {
      missing =
        (missing ?? [])
        + [MissingStretch(fromMs: fromMs, toMs: ms, reason: "too many rows for the memory")]
    }
    if (missing ?? []).isEmpty {
      store.apply(RowClaim(kinds: nil, guild: nil, fromMs: fromMs - Self.marginMs))
    }
    var input = DigestInput(
      try await rows(), fromMs: fromMs, clock: settings.clock)
    input.beginning = beginning
    input.missing = missing ?? []
    input.triage = settings.triage
    input.automations = await automations(problem)
    input.facts = factLists(fromMs: fromMs)
    input.findings = try await findings(fromMs: fromMs, isRecorded: lack.isEmpty)
    say(.earlierDays)
    input.earlierCosts = try await earlierCosts(fromMs: fromMs)
    if let bot, let recorded, guild == nil, problem == nil {
      input.forecast = await SpendForecast(settings, bot: recorded.name)
        .forecast(nowMs: nowMs, usd: await costToday(bot), withinMs: 20_000)
    }
    var builder = DigestBuilder(input)
    var breaths = Breaths()
    while builder.read(exchanges: 4) { try await breaths.take() }
    return builder.digest
  }

  private func unanswered(_ stretch: MissingStretch, _ problem: Failure?) -> MissingStretch {
    guard let problem else { return stretch }
    var stretch = stretch
    stretch.reason +=
      problem.link == nil ? ", and the bot's answer failed" : ", and the bot does not answer"
    return stretch
  }

  // MARK: Rows

  /// Asks the bot for the rows since a time.
  ///
  /// - Returns: from when on it gave all that it has, in ms since 1970.
  private func ask(_ bot: Bot, fromMs: Int64) async throws(Failure) -> Int64 {
    let nowMs = nowMs
    let past = PastActions(
      into: store, guild: guild, nowMs: { nowMs }, request: bot.request)
    let since = HistoryDuration(milliseconds: nowMs - fromMs + Self.marginMs)
    try await past.load(since: since, kinds: []) { false }
    return past.wholeSinceMs(fromMs - Self.marginMs)
  }

  private func rows() async throws(Failure) -> ExchangeRows {
    let log = store.log
    let all = log.count
    var breaths = Breaths()
    while !voice.follow(log, rowBudget: Self.rowBudget) {
      say(.reading(rows: all - voice.unreadRows(in: log)))
      try await breaths.take()
    }
    var names = await bot?.names(log) ?? NameTable()
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

  // MARK: Incidents

  /// What the rules found: in the recording, where it lacks nothing and has the states too, else in the rows.
  private func findings(
    fromMs: Int64, isRecorded: Bool
  ) async throws(Failure) -> [DigestInput.Finding] {
    let incidents: [Incident]
    var recent: RecentIncidents?
    if let recorded, isRecorded {
      let (scan, toMs) = (IncidentScan(settings.rules), nowMs)
      let report = try await recorded.aside { history throws(HistoryError) in
        try scan.reportWithRecent(
          history, fromMs: fromMs, toMs: toMs, threads: OwnThread.count)
      }
      (incidents, recent) = (report.incidents, report.recent)
    } else {
      var follower = RuleFollower(settings.rules)
      var breaths = Breaths()
      while !follower.follow(store.log, nowMs: nowMs) { try await breaths.take() }
      incidents = follower.report(sinceMs: fromMs).incidents
    }
    return incidents.filter { guild == nil || $0.guildID == nil || $0.guildID == guild }
      .reversed().map { incident in
        DigestInput.Finding(
          rule: incident.rule.rawValue, level: incident.level.rawValue, sentence: incident.sentence,
          atMs: incident.fromMs,
          evidence: incident.evidence.map { cite in
            Answer.Evidence(
              rowID: cite.rowID, actionID: cite.actionID, timeMs: cite.timeMs, kind: cite.name,
              claim: incident.rule.rawValue)
          }, often: recent?.words(incident.rule).description)
      }
  }

  // MARK: Documents

  /// The automations at the end: as the bot lists them now, else as they were recorded.
  private func automations(_ problem: Failure?) async -> TriageInput.Heard<[Automation]>? {
    if let bot, problem == nil {
      let guilds = await json(bot, RequestTarget(["api", "guilds"]))
        .flatMap(WireList<Guild>.init)?.rows.compactMap(\.id)
      if let guilds {
        var rows: [Automation] = []
        for id in guilds.prefix(50) where guild == nil || guild == id {
          let target = RequestTarget(
            ["api", "automations"], query: [.init("guildId", id), .init("limit", "120")])
          guard let page = await json(bot, target).flatMap(AutomationPage.init) else {
            return nil
          }
          rows += page.rows
        }
        return .init(rows, atMs: nowMs)
      }
    }
    guard let recorded else { return nil }
    let documents = recorded.documentNames("GET /api/automations?")
      .filter { guild == nil || $0.contains("guildId=\(guild ?? "")") }
      .compactMap { recorded.document($0) }
    guard let oldest = documents.map(\.atMs).min() else { return nil }
    let rows = documents.flatMap { document in
      (try? JSONValue.parse(document.body)).flatMap(AutomationPage.init)?.rows ?? []
    }
    // As of the oldest list: a later due time is not judged by it.
    return .init(rows, atMs: oldest)
  }

  private func json(_ bot: Bot, _ target: RequestTarget) async -> JSONValue? {
    guard case .success(let answer) = await bot.request(RestRequest(.get, target, totalMs: 2000)),
      answer.isSuccess
    else { return nil }
    return try? JSONValue.parse(answer.body, sparesRows: true)
  }

  /// The lists of facts that were recorded last before the beginning, or first in the time, and at its end.
  private func factLists(fromMs: Int64) -> DigestInput.FactLists? {
    guard let recorded else { return nil }
    var lists: DigestInput.FactLists?
    for name in recorded.documentNames("GET /api/memory/facts?") {
      guard guild == nil || name.contains("guildId=\(guild ?? "")"),
        let after = recorded.document(name),
        let before = recorded.document(name, notAfterMs: fromMs)
          ?? recorded.firstDocument(name, after: fromMs),
        before.atMs < after.atMs, let old = Self.facts(before), let new = Self.facts(after)
      else { continue }
      let left = Set(new.compactMap(\.id))
      let lost = old.filter { $0.id.map { !left.contains($0) } ?? false }
      var all = lists ?? DigestInput.FactLists(beforeMs: before.atMs, afterMs: after.atMs, lost: [])
      all.beforeMs = max(all.beforeMs, before.atMs)
      all.afterMs = min(all.afterMs, after.atMs)
      let known = Set(all.lost.map(\.id))
      all.lost += lost.filter { !known.contains($0.id) }
      lists = all
    }
    return lists
  }

  /// nil where the list is cut off at its limit: what is not in it may still be there.
  private static func facts(_ document: RecordedDocument) -> [Fact]? {
    guard let page = (try? JSONValue.parse(document.body, sparesRows: true)).flatMap(FactPage.init),
      page.limit.map({ page.facts.count < $0 }) ?? true
    else { return nil }
    return page.facts
  }

  // MARK: Cost

  /// What the UTC day has cost, as the bot counts it; 0 before its first row.
  private func costToday(_ bot: Bot) async -> Double? {
    let stats = await json(bot, .stats(guild: nil)).flatMap(StatsEnvelope.init)?.stats
    guard let list = stats?.dailyCost else { return nil }
    let today = WireTime(milliseconds: nowMs).utcDay
    guard let entry = list.first(where: { $0.day == today }) else { return 0 }
    return entry.usd
  }

  /// What the same hours of earlier days cost, of those that were recorded wholly.
  private func earlierCosts(fromMs: Int64) async throws(Failure) -> [DigestInput.EarlierCost] {
    // A longer time would be compared with a part of itself. The recording knows no guild of a cost.
    guard let recorded, nowMs - fromMs <= Self.dayMs, guild == nil else { return [] }
    var costs: [DigestInput.EarlierCost] = []
    for days in 1...Self.earlierDays {
      let shift = Int64(days) * Self.dayMs
      let (from, to) = (fromMs - shift, nowMs - shift)
      guard recorded.span.lowerBound <= from, recorded.missing(fromMs: from, toMs: to).isEmpty
      else { continue }
      let nanos = try await recorded.aside { history throws(HistoryError) in
        try history.costNanos(after: from - 1, through: to)
      }
      costs.append(.init(days: days, usd: Double(nanos) / 1e9))
    }
    return costs
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
