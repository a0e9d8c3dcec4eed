import CockpitText
import CurlTransport
import CockpitDomain
import Networking
import ClankyWire
import CockpitPanes
import CockpitStores
import Foundation
import LenientJSON

/// The four stores, what fills them, and the filtered view that the feed shows: what the cockpit
/// and `snapshot` have in common.
@MainActor
package final class CockpitModel {
  package let activity: ActivityStore
  package let voice = VoiceStore()
  package let memory = MemoryStore()
  package let connection: ConnectionStore
  package let actions = ActionCache()
  package let sink: StoreSink
  /// The bot: a live backend.
  package let source: any Source
  package let desk: MemoryDesk
  package let command = CommandStore()
  package let commandDesk: CommandDesk
  package let history: HistoryKeeper
  package let voiceHistory: VoiceHistoryLoader
  /// What was requested for the screen, and on which connection.
  package var fetcher = Fetcher()
  package let clock: any LinkClock
  /// Profiles, themes, where the token is.
  package var setup: SetupFacts
  /// How a verb of this program reaches the same backend.
  package let invocation: VerbInvocation
  private let clockFormat: ClockFormat
  private let settings: Settings
  private var feed = FilteredLog()
  private var factView = FactView()
  private let ledger = CostLedger()
  private var costs = CostBook()
  private var meter = ClientMeter()
  /// Bytes that went to the terminal since the start.
  package var writtenBytes: () -> Int = { 0 }
  private let scout = NameScout()
  private var knownReflection: Int?
  private var hasAskedForNames = false
  private var openNameRequests = 0
  private var nameWaiter: (@MainActor () -> Void)?
  private var memoryWaiter: (@MainActor () -> Void)?
  /// Who waits for news of what CMD fetches.
  package var commandWaiter: (@MainActor () -> Void)?

  package init(backend: Backend) {
    settings = backend.settings
    setup = SetupFactsSource.facts(backend.settings)
    setup.tokenPlace = backend.tokenPlace
    invocation = VerbInvocation(backend)
    clock = backend.clock
    clockFormat = settings.clock
    activity = ActivityStore(memory: settings.memory)
    connection = ConnectionStore(address: backend.url.description)
    history = HistoryKeeper(store: command, clock: clock)
    sink = StoreSink(
      activity: activity, voice: voice, memory: memory, connection: connection, actions: actions,
      history: history)
    source = backend.link()
    let requester = NotedRequester(source, history: history, clock: clock)
    desk = MemoryDesk(
      store: memory, requester: requester, clock: clock,
      storage: StateStorage(settings.paths) { [clock] in clock.wallMs },
      backend: backend.url.description)
    commandDesk = CommandDesk(
      store: command, requester: requester, clock: clock, isReadOnly: settings.isReadOnly)
    voiceHistory = VoiceHistoryLoader(
      voice: voice, connection: connection, channel: source, clock: clock)
  }

  package var nowNs: UInt64 { clock.nowNs }

  /// Begins to follow the bot.
  package func start() { source.start(into: sink) }

  package func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer {
    clock.schedule(afterNs: delayNs, body)
  }

  /// The guild that was asked for with `--guild` or in the profile.
  package var guild: String? { settings.guild }

  /// Brings the filtered view up to date.
  ///
  /// - Returns: true while rows are still to be looked at: ask again with the next frame.
  @discardableResult
  package func syncFeed(_ query: Query) -> Bool {
    _ = activity.revision  // read, so that observation asks for a frame when rows come
    if query != feed.query { feed.setQuery(query) }
    _ = feed.sync(with: activity.log, names: connection.names, nowMs: serverNowMs)
    return !feed.isComplete
  }

  /// Requests what is needed and was not requested on this connection yet.
  package func fetch(_ needs: [Need]) {
    for need in fetcher.due(needs, connection: source.status.returns) {
      switch need {
      case .memory(let request): desk.perform(request)
      case .command(let request): commandDesk.perform(request)
      case .history(let wish): source.fetchHistory(wish)
      case .voiceSessions: voiceHistory.loadList()
      case .earlierEvents(let id):
        voiceHistory.loadEarlier(of: id, rowsBeginMs: facts.voiceRowsBeginMs(of: id))
      case .summaries(let ids): voiceHistory.keepSummaries(ids)
      }
    }
  }

  /// Fetches the rows of the last 24 hours, as far as the backend gives them without much work.
  package func fetchDay() {
    // Somewhat more, so that a day is whole while the requests are made.
    source.fetchHistory(HistoryWish(sinceMs: serverNowMs - 86_400_000 - 600_000, isAsked: false))
  }

  /// Rows of voice sessions that are parsed for one frame that shows them: some 50 ms at most.
  private static let shownVoiceRows = 1500
  /// The same for a frame that does not: enough to keep up with a bot, too little to be felt when
  /// rows flood in.
  private static let hiddenVoiceRows = 50

  /// Brings what is known of voice sessions up to date.
  ///
  /// - Returns: true while rows are still to be read: ask again with the next frame.
  @discardableResult
  package func syncVoice(isShown: Bool) -> Bool {
    !voice.follow(
      activity.log, rowBudget: isShown ? Self.shownVoiceRows : Self.hiddenVoiceRows)
  }

  /// Brings the list of facts up to date.
  package func syncFacts(_ query: FactViewQuery) {
    factView.sync(
      with: memory, query: query, strays: memory.strayDrafts, names: connection.names,
      nowMs: serverNowMs, zone: clockFormat.queryZone)
  }

  /// Brings the costs up to date.
  ///
  /// - Returns: true while rows are still to be read: ask again with the next frame.
  @discardableResult
  package func syncCosts() -> Bool {
    _ = activity.revision  // read, so that observation asks for a frame when rows come
    let endMs = facts().dataEndMs(.activity)
    costs = ledger.book(
      of: activity.log, coveredFromMs: activity.coverage.beginMs(kinds: CostLedger.kinds),
      totals: activity.costTotals, stats: activity.stats?.stats, nowMs: endMs ?? serverNowMs)
    return !ledger.isComplete
  }

  /// Now on the backend's clock.
  private var serverNowMs: Int64 { connection.status.serverMs(clock.wallMs) }

  /// What a frame may show, as of now.
  ///
  /// - Parameter isClientShown: whether the figures of this program are on the screen.
  package func facts(isMouseOn: Bool = true, isClientShown: Bool = false) -> Facts {
    let status = source.status
    meter.measure(status, written: writtenBytes(), nowNs: clock.nowNs, isShown: isClientShown)
    var facts = Facts(
      activity: activity, voice: voice, memory: memory, connection: connection,
      status: status, feed: feed,
      actions: actions, names: Names(connection.names), nowMs: serverNowMs,
      monotonicNs: clock.nowNs, clock: clockFormat, profile: settings.profileName,
      factView: factView, isReadOnly: settings.isReadOnly, isMouseOn: isMouseOn,
      command: command)
    facts.costs = costs
    facts.client = meter.figures
    facts.setup = setup
    return facts
  }

  /// Asks for the names of guilds and channels once the backend is heard; they are needed to read
  /// the feed and change hardly ever.
  package func learnNames() {
    for (id, told) in voice.log.takeNames() {
      connection.learn(user: id, name: told.name, atMs: told.atMs)
    }
    scout.follow(activity.log, into: connection)
    learnPeopleOfMemory()
    learnPeopleOfAutomations()
    guard !hasAskedForNames,
      connection.status.overall == .live || connection.status.overall == .polling
    else { return }
    hasAskedForNames = true
    openNameRequests += 1
    source.request(RestRequest(.get, RequestTarget(["api", "guilds"]))) { [weak self] result in
      guard let self else { return }
      let guilds = (Self.list(result) ?? []).compactMap(Guild.init)
      connection.learn(guilds: guilds)
      // A bot is in a handful of guilds; a hostile list does not become a flood of requests.
      for id in guilds.compactMap(\.id).prefix(50) { learnChannels(of: id) }
      nameRequestEnded()
    }
  }

  /// The answers about a person and the reflections name people too (contract 6.5 to 6.7).
  private func learnPeopleOfMemory() {
    func learn(_ id: String?, _ name: String?, _ time: WireTime? = nil) {
      guard let id, let name, PersonNames.isName(name) else { return }
      connection.learn(user: id, name: name, atMs: time?.milliseconds ?? serverNowMs)
    }
    if let profile = memory.profile.value {
      for person in profile.activeVoiceSession?.participants ?? [] {
        learn(person.userID, person.displayName)
      }
      for window in profile.promptContext.recentConversationHistory {
        learn(window.authorID, window.authorName, window.createdAt)
      }
    }
    for person in memory.recall.value?.participants ?? [] {
      learn(person.userID, person.displayName)
    }
    guard let runs = memory.reflections.value?.runs, knownReflection != runs.count else { return }
    knownReflection = runs.count
    for run in runs {
      for fact in run.savedFacts + run.skippedFacts where fact.subject == .author {
        learn(fact.userID, fact.subjectName, run.startedAt)
      }
    }
  }

  /// An automation names its creator (contract 7.4).
  private func learnPeopleOfAutomations() {
    for page in command.automations.values {
      for automation in page.value?.rows ?? [] {
        guard let id = automation.createdByUserID, let name = automation.createdByName,
          PersonNames.isName(name)
        else { continue }
        connection.learn(
          user: id, name: name,
          atMs: (automation.updatedAt ?? automation.createdAt)?.milliseconds ?? 0)
      }
    }
  }

  private func learnChannels(of guild: String) {
    let target = RequestTarget(["api", "guilds", guild, "channels"])
    openNameRequests += 1
    source.request(RestRequest(.get, target)) { [weak self] result in
      guard let self else { return }
      if let list = Self.list(result) { connection.learn(channels: list.compactMap(Channel.init)) }
      nameRequestEnded()
    }
  }

  private func nameRequestEnded() {
    openNameRequests -= 1
    guard openNameRequests == 0 else { return }
    nameWaiter?()
    nameWaiter = nil
  }

  // MARK: Memory

  /// Asks for what MEMORY shows and waits for it, five seconds at most.
  package func waitForMemory() async {
    desk.perform(.load(guild: guild))
    desk.perform(.loadReflections(guild: guild))
    let patience = clock.schedule(afterNs: 5_000_000_000) { [weak self] in self?.memoryIsThere() }
    await awaitCallback { done in
      memoryWaiter = done
      desk.onIdle { [weak self] in self?.memoryIsThere() }
    }
    patience.cancel()
  }

  private func memoryIsThere() {
    memoryWaiter?()
    memoryWaiter = nil
  }

  /// Asks for the names and waits for them, a second at most: a screen without names is still one.
  package func waitForNames() async {
    learnNames()
    guard openNameRequests > 0 else { return }
    let patience = clock.schedule(afterNs: 1_000_000_000) { [weak self] in
      self?.nameWaiter?()
      self?.nameWaiter = nil
    }
    await awaitCallback { nameWaiter = $0 }
    patience.cancel()
  }

  private static func list(_ result: Result<RestAnswer, RestFailure>) -> [JSONValue]? {
    guard case .success(let answer) = result, answer.isSuccess else { return nil }
    return (try? JSONValue.parse(answer.body, sparesRows: true))?.array
  }

  /// 8 s for a stream that is held back, 10 s and a little for the polls that take its place.
  private static let firstFactsNs: UInt64 = 20_000_000_000

  /// Starts the link and waits for the first rows and, for a moment, statistics and voice state; 20 s
  /// at most.
  ///
  /// - Returns: why nothing could be heard; nil when there is something to show.
  package func firstFacts() async -> LinkFailure? {
    await awaitCallback(ifCancelled: .timedOut(.snapshot)) { answer in
      var isDone = false
      var timers: [any LinkTimer] = []
      @MainActor func finish(_ failure: LinkFailure?) {
        guard !isDone else { return }
        isDone = true
        for timer in timers { timer.cancel() }
        sink.onChange = nil
        answer(failure)
      }
      // A screen can do without what does not come; without rows it would be an empty one.
      let limit = clock.schedule(afterNs: Self.firstFactsNs) { [unowned self] in
        finish(sink.hasRows ? nil : connection.status.failure ?? .timedOut(.snapshot))
      }
      timers.append(limit)
      sink.onChange = { [unowned self] in
        let status = connection.status
        if sink.hasRows {
          guard activity.stats == nil || voice.state == nil else { return finish(nil) }
          guard timers.count == 1 else { return }
          // The statistics come every 3 s, the voice state at once or not at all.
          let patienceNs: UInt64 = activity.stats == nil ? 4_000_000_000 : 1_500_000_000
          timers.append(clock.schedule(afterNs: patienceNs) { finish(nil) })
        } else if let failure = status.failure, status.overall != .polling, !status.isPollPending {
          finish(failure)
        }
      }
      start()
    }
  }
}

extension CockpitModel {
  /// What a frame may show, as of now, with the mouse on.
  package var facts: Facts { facts() }
}
