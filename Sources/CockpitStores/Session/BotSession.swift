package import CockpitDomain
package import Networking
internal import ClankyWire

/// The state of one bot: its stores, the services that fill them, the source they follow, and
/// derived data. `catchUp` is the only place that updates derived data.
///
/// Sessions share nothing.
@MainActor
package final class BotSession {
  /// Options of a session.
  package struct Options {
    /// The backend's address, for display; drafts and the journal belong to it.
    package var address: String
    /// Bytes of rows that are kept.
    package var memory: Int
    /// Whether requests that change something on the backend are refused.
    package var isReadOnly: Bool
    /// The zone of times in filters.
    package var zone: QueryZone

    package init(address: String, memory: Int, isReadOnly: Bool, zone: QueryZone) {
      self.address = address
      self.memory = memory
      self.isReadOnly = isReadOnly
      self.zone = zone
    }
  }

  package let activity: ActivityStore
  package let voice = VoiceStore()
  package let memory = MemoryStore()
  package let command = OperationsStore()
  package let settings = SettingsStore()
  package let control = ControlStore()
  package let connection: ConnectionStore
  /// Parsed rows that were drawn lately.
  package let actions = ActionCache()

  /// The bot: a live backend, or a recording of one.
  package let source: any Source
  package let clock: any LinkClock
  package let sink: StoreSink
  package let memoryService: MemoryService
  package let commandDesk: OperationsService
  package let settingsService: SettingsService
  package let history: ClientLogRecorder
  package let voiceHistory: VoiceHistoryLoader
  package let names: NameLearner

  /// The rows that pass the filter, as of the last `catchUp`.
  package private(set) var feed = FilteredLog()
  /// The lines of the feed at its level, as of the last `catchUp` that showed it.
  package let outline = FeedOutline()
  /// When turns of voice sessions are taken over next, monotonic.
  private var nextTurnsNs: UInt64 = 0
  /// The facts that pass the query, as of the last `catchUp` that had one.
  package private(set) var factView = FactView()
  /// The bot's costs, as of the last `catchUp` with costs.
  package private(set) var costs = CostSummary()

  /// What the bot costs an hour, as of the last `catchUpCostRate`; nil if that is unknown.
  package private(set) var costRate: CostSummary.Rate?
  private var costRateEndMs: Int64 = .min

  private var costAccumulator = CostAccumulator()
  private var costScope = GuildScope.all
  let guildStats: GuildStatsRequests
  private let zone: QueryZone
  /// The requests made for the screen, and on which connection.
  private var fetcher = Fetcher()

  /// - Parameter storage: where drafts and the journals are stored; nil if there is no such place.
  package init(
    _ options: Options, source: any Source, storage: (any MemoryStorage & SettingsStorage)?,
    clock: any LinkClock
  ) {
    self.source = source
    self.clock = clock
    zone = options.zone
    activity = ActivityStore(memory: options.memory)
    connection = ConnectionStore(address: options.address)
    history = ClientLogRecorder(store: command, clock: clock)
    sink = StoreSink(
      activity: activity, voice: voice, memory: memory, connection: connection, actions: actions,
      control: control, history: history)
    let requester = RecordingRequester(
      source, history: history, clock: clock, connection: connection)
    memoryService = MemoryService(
      store: memory, requester: requester, clock: clock, storage: storage,
      backend: options.address)
    commandDesk = OperationsService(
      store: command, requester: requester, clock: clock, isReadOnly: options.isReadOnly)
    settingsService = SettingsService(
      store: settings, requester: requester, clock: clock, storage: storage,
      backend: options.address, isReadOnly: options.isReadOnly)
    voiceHistory = VoiceHistoryLoader(
      voice: voice, connection: connection, channel: requester, clock: clock)
    guildStats = GuildStatsRequests(
      activity, connection: connection, channel: source, clock: clock)
    names = NameLearner(
      connection, voice: voice, memory: memory, command: command, channel: requester, clock: clock)
  }

  /// The sink with who records what it receives; the source holds it weakly.
  private var tee: TeeSink?

  /// Has everything recorded that the bot says from now on; to be called before `start`.
  package func record(with observers: [any SourceObserver], rows: any ActionLogObserver) {
    activity.log.observer = rows
    tee = TeeSink(sink, observers)
  }

  /// Starts following the bot.
  package func start() { source.start(into: tee ?? sink) }

  /// Now on the backend's clock, in ms since 1970.
  package var serverNowMs: Int64 { connection.status.serverMs(clock.wallMs) }

  // MARK: Catching up

  /// Rows of voice sessions that are parsed for one frame that shows them: some 50 ms at most.
  private static let shownVoiceRows = 1500
  /// The same for the turns in PULSE, for a key too: some 3 ms at most.
  private static let feedVoiceRows = 100
  /// The same while VOICE is hidden: enough to keep up with a bot, and too little to be noticeable
  /// when rows flood in.
  private static let hiddenVoiceRows = 50
  /// How long at most the feed goes without new turns of voice sessions.
  private static let longestTurnPauseNs: UInt64 = 1_000_000_000

  /// Updates the derived data on screen; call before a frame.
  ///
  /// - Parameter isPaced: false reads everything, however long that takes.
  /// - Returns: true if rows are left to read: call it again with the next frame.
  @discardableResult
  package func catchUp(_ shown: ShownData, isPaced: Bool = true) -> Bool {
    _ = activity.revision  // read, so that observation asks for a frame when rows come
    var isBehind = false
    if shown.feed != feed.query { feed.setQuery(shown.feed) }
    feed.setScope(shown.scope)
    feed.setContext(shown.context)
    _ = feed.sync(with: activity.log, names: connection.names, nowMs: serverNowMs)
    if !feed.isComplete { isBehind = true }
    if let folding = shown.folding, catchUp(folding, shown.scope, isPaced: isPaced) {
      isBehind = true
    }
    if shown.hasVoice, !voice.follow(activity.log, rowBudget: Self.shownVoiceRows) {
      isBehind = true
    }
    if let query = shown.facts {
      factView.sync(
        with: memory, query: query, strays: memory.strayDrafts, names: connection.names,
        nowMs: serverNowMs, zone: zone)
    }
    if shown.hasCosts {
      let scope = shown.scope
      if scope != costScope { (costScope, costAccumulator) = (scope, CostAccumulator(scope)) }
      costs = costAccumulator.summary(
        of: activity.log,
        coveredFromMs: activity.coverage.beginMs(kinds: CostAccumulator.kinds, guild: scope.guild),
        totals: activity.costTotals(in: scope), stats: activity.stats(in: scope),
        nowMs: activityEndMs ?? serverNowMs)
      if !costAccumulator.isComplete { isBehind = true }
    }
    return isBehind
  }

  /// Updates `costRate`, once a second at most.
  ///
  /// - Parameter scope: that of the screen.
  package func catchUpCostRate(_ scope: GuildScope) {
    let nowMs = activityEndMs ?? serverNowMs
    if scope != costScope {
      (costScope, costAccumulator) = (scope, CostAccumulator(scope))
    } else if costRateEndMs / 1000 == nowMs / 1000 {
      return
    }
    costRateEndMs = nowMs
    costRate = costAccumulator.recentRate(
      of: activity.log,
      coveredFromMs: activity.coverage.beginMs(kinds: CostAccumulator.kinds, guild: scope.guild),
      totals: activity.costTotals(in: scope), nowMs: nowMs)
  }

  /// Updates the lines of the feed; true if rows are left to read. The first frame does not wait for the
  /// turns of voice sessions.
  private func catchUp(_ folding: FeedFolding, _ scope: GuildScope, isPaced: Bool) -> Bool {
    let isFirst = !outline.hasRead
    let hasVoice = !isFirst && voice.follow(activity.log, rowBudget: Self.feedVoiceRows)
    let isBehind = syncOutline(folding, scope, isPaced: isPaced)
    return isBehind || !hasVoice && !activity.log.isEmpty
  }

  /// Takes over the turns of changed voice sessions for at most one percent of the time: a late event has those
  /// of a long session built again.
  private func syncOutline(_ folding: FeedFolding, _ scope: GuildScope, isPaced: Bool) -> Bool {
    let startNs = clock.nowNs
    let followsVoice = !isPaced || startNs >= nextTurnsNs
    let isBehind = outline.sync(
      with: activity.log, voice: voice, folding: folding, scope: scope, followsVoice: followsVoice)
    if followsVoice {
      let endNs = clock.nowNs
      nextTurnsNs = endNs + min(100 * endNs.since(startNs), Self.longestTurnPauseNs)
    }
    return isBehind
  }

  /// Updates the other derived data, a few rows at a time; call after a frame. Names learned here
  /// appear in the next one.
  ///
  /// - Parameter isFirst: whether this was the first frame with rows, and the next one should come
  ///   soon.
  package func catchUpBehind(_ shown: ShownData, isFirst: Bool = false) {
    if !shown.hasVoice, !isFirst {
      voice.follow(activity.log, rowBudget: Self.hiddenVoiceRows)
    }
    names.catchUp(with: activity.log)
    guildStats.follow(shown.scope)
  }

  /// Brings everything up to date at once, for a single look.
  package func catchUpFully(_ shown: ShownData) {
    voice.follow(activity.log)
    names.catchUp(with: activity.log, rowBudget: .max)
    while catchUp(shown, isPaced: false) {}
  }

  /// When the backend's activity data ended, in ms since 1970 on its clock; nil while they flow.
  private var activityEndMs: Int64? {
    let ageNs = source.status.dataAgeNs(
      .activity, receivedNs: activity.receivedNs, nowNs: clock.nowNs)
    return ageNs.map { serverNowMs - Int64(clamping: $0 / 1_000_000) }
  }

  // MARK: Fetching

  /// Requests the needs that were not requested on this connection yet.
  package func fetch(_ needs: [Need]) {
    for need in fetcher.due(needs, connection: source.status.returns) {
      switch need {
      case .memory(let request): memoryService.perform(request)
      case .command(let request): commandDesk.perform(request)
      case .settings(let request): settingsService.perform(request)
      case .history(let request): source.fetchHistory(request)
      case .voiceSessions: voiceHistory.loadList()
      case .earlierEvents(let id):
        voiceHistory.loadEarlier(
          of: id, rowsBeginMs: voice.rowsBeginMs(of: id, in: activity.coverage))
      case .summaries(let ids): voiceHistory.keepSummaries(ids)
      case .gateway(let lookup): look(up: lookup)
      }
    }
  }

  private func look(up lookup: GatewayLookup) {
    guard let gateway = source as? any ControlledSource else {
      return control.apply(
        lookup, .failure(LookupFailure("A recording does not have this.")), atMs: serverNowMs)
    }
    control.note(asked: lookup)
    gateway.look(up: lookup)
  }

  /// Sends what is held, and calls back once every change of facts and settings has an outcome, possibly at once.
  package func finishForQuit(_ done: @escaping @MainActor () -> Void) {
    memoryService.finishForQuit { [settingsService] in settingsService.onSettled(done) }
  }

  /// Forgets past requests, so that they are repeated.
  package func refetch() { fetcher.forget() }

  /// Fetches the rows of the last 24 hours, as far as that is cheap for the backend.
  package func fetchDay() {
    // Somewhat more, so that a day is whole while the requests are made.
    source.fetchHistory(
      HistoryRequest(sinceMs: serverNowMs - 86_400_000 - 600_000, isUserRequested: false))
  }
}

extension VoiceStore {
  /// From when on all rows of a voice session are in the log, in ms since 1970; nil if unknown.
  package func rowsBeginMs(of id: String?, in coverage: LogCoverage) -> Int64? {
    coverage.beginMs(
      kinds: ["voice_runtime", "voice_turn_in", "voice_turn_out", "voice_error"],
      guild: id.flatMap { log.records[$0]?.guildID })
  }
}
