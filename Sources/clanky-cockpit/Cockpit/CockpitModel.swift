import ClankyHTTP
import ClankyLink
import ClankyWire
import CockpitPanes
import CockpitStores
import Foundation

/// The four stores, what fills them, and the filtered view that the feed shows: what the cockpit
/// and `snapshot` have in common.
@MainActor
final class CockpitModel {
  let activity: ActivityStore
  let voice = VoiceStore()
  let memory = MemoryStore()
  let connection: ConnectionStore
  let actions = ActionCache()
  let sink: StoreSink
  let link: Link
  let desk: MemoryDesk
  let command = CommandStore()
  let commandDesk: CommandDesk
  let history: HistoryKeeper
  let voiceHistory: VoiceHistoryLoader
  let clock: DispatchClock
  /// Profiles, themes, where the token is.
  var setup: SetupFacts
  /// How a verb of this program reaches the same backend.
  let invocation: VerbInvocation
  private let clockFormat: ClockFormat
  private let settings: Settings
  private var feed = FilteredLog()
  private var factView = FactView()
  private let ledger = CostLedger()
  private var costs = CostBook()
  private var meter = ClientMeter()
  /// Bytes that went to the terminal since the start.
  var writtenBytes: () -> Int = { 0 }
  private var hasAskedForNames = false
  private var openNameRequests = 0
  private var nameWaiter: CheckedContinuation<Void, Never>?
  private var memoryWaiter: CheckedContinuation<Void, Never>?
  /// Who waits for news of what CMD fetches.
  var commandWaiter: CheckedContinuation<Void, Never>?

  init(backend: Backend) {
    settings = backend.settings
    setup = SetupFactsSource.facts(backend.settings)
    invocation = VerbInvocation(backend)
    clock = backend.clock
    clockFormat = ClockFormat(zone: settings.zone)
    activity = ActivityStore(memory: settings.memory)
    connection = ConnectionStore(address: backend.url.description)
    history = HistoryKeeper(store: command, clock: clock)
    sink = StoreSink(
      activity: activity, voice: voice, memory: memory, connection: connection, actions: actions,
      clock: clock, history: history)
    link = backend.link(to: sink)
    let requester = NotedRequester(link, history: history, clock: clock)
    desk = MemoryDesk(
      store: memory, requester: requester, clock: clock,
      storage: StateStorage(settings.paths) { [clock] in clock.wallMs },
      backend: backend.url.description)
    commandDesk = CommandDesk(
      store: command, requester: requester, clock: clock, isReadOnly: settings.isReadOnly)
    voiceHistory = VoiceHistoryLoader(
      voice: voice, connection: connection, link: link, clock: clock)
  }

  var nowNs: UInt64 { clock.nowNs }

  func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer {
    clock.schedule(afterNs: delayNs, body)
  }

  /// The guild that was asked for with `--guild` or in the profile.
  var guild: String? { settings.guild }

  /// Brings the filtered view up to date.
  ///
  /// - Returns: true while rows are still to be looked at: ask again with the next frame.
  @discardableResult
  func syncFeed(_ query: Query) -> Bool {
    _ = activity.revision  // read, so that observation asks for a frame when rows come
    if query != feed.query { feed.setQuery(query) }
    _ = feed.sync(with: activity.log, names: connection.names, nowMs: serverNowMs)
    return !feed.isComplete
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
  func syncVoice(isShown: Bool) -> Bool {
    !voice.follow(
      activity.log, rowBudget: isShown ? Self.shownVoiceRows : Self.hiddenVoiceRows)
  }

  /// Brings the list of facts up to date.
  func syncFacts(_ query: FactViewQuery) {
    factView.sync(with: memory, query: query, names: connection.names, nowMs: serverNowMs)
  }

  /// Brings the costs up to date.
  ///
  /// - Returns: true while rows are still to be read: ask again with the next frame.
  @discardableResult
  func syncCosts() -> Bool {
    _ = activity.revision  // read, so that observation asks for a frame when rows come
    costs = ledger.book(of: activity.log, stats: activity.stats?.stats, nowMs: serverNowMs)
    return !ledger.isComplete
  }

  /// Now on the backend's clock, so that ages are right when the two clocks differ by more than
  /// 5 s (promise P10).
  private var serverNowMs: Int64 {
    let skew = connection.status.skewMs ?? 0
    return clock.wallMs + Int64(abs(skew) > 5000 ? skew : 0)
  }

  /// What a frame may show, as of now.
  func facts(isMouseOn: Bool = true) -> Facts {
    let status = link.status
    meter.measure(status, written: writtenBytes(), nowNs: clock.nowNs)
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
  func learnNames() {
    for (id, name) in voice.log.takeNames() { connection.learn(user: id, name: name) }
    learnPeopleOfMemory()
    guard !hasAskedForNames,
      connection.status.overall == .live || connection.status.overall == .polling
    else { return }
    hasAskedForNames = true
    learnBotName()
    openNameRequests += 1
    link.request(RestRequest(.get, RequestTarget(["api", "guilds"]))) { [weak self] result in
      guard let self else { return }
      let guilds = (Self.list(result) ?? []).compactMap(Guild.init)
      connection.learn(guilds: guilds)
      // A bot is in a handful of guilds; a hostile list does not become a flood of requests.
      for id in guilds.compactMap(\.id).prefix(50) { learnChannels(of: id) }
      nameRequestEnded()
    }
  }

  /// The answers about a person name people too (contract 6.6, 6.7).
  private func learnPeopleOfMemory() {
    guard memory.profile.value != nil || memory.recall.value != nil else { return }
    for person in memory.profile.value?.activeVoiceSession?.participants ?? [] {
      if let id = person.userID, let name = person.displayName {
        connection.learn(user: id, name: name)
      }
    }
    for person in memory.recall.value?.participants ?? [] {
      if let id = person.userID, let name = person.displayName {
        connection.learn(user: id, name: name)
      }
    }
  }

  /// The bot says its own name when it logs in, and nowhere else together with its id.
  private func learnBotName() {
    for index in 0..<min(activity.log.count, 2000) {
      let row = activity.log.row(at: index)
      guard row.kind == "bot_lifecycle", let id = row.userID,
        let tag = row.metadata()["tag"]?.string
      else { continue }
      connection.learn(user: id, name: String(tag.prefix { $0 != "#" }))
      return
    }
  }

  private func learnChannels(of guild: String) {
    let target = RequestTarget(["api", "guilds", guild, "channels"])
    openNameRequests += 1
    link.request(RestRequest(.get, target)) { [weak self] result in
      guard let self else { return }
      if let list = Self.list(result) { connection.learn(channels: list.compactMap(Channel.init)) }
      nameRequestEnded()
    }
  }

  private func nameRequestEnded() {
    openNameRequests -= 1
    guard openNameRequests == 0 else { return }
    nameWaiter?.resume()
    nameWaiter = nil
  }

  // MARK: Memory

  /// Asks for what MEMORY shows and waits for it, five seconds at most.
  func waitForMemory() async {
    desk.perform(.load(guild: guild))
    desk.perform(.loadReflections(guild: guild))
    let patience = clock.schedule(afterNs: 5_000_000_000) { [weak self] in self?.memoryIsThere() }
    await withCheckedContinuation { continuation in
      memoryWaiter = continuation
      desk.onIdle { [weak self] in self?.memoryIsThere() }
    }
    patience.cancel()
  }

  private func memoryIsThere() {
    memoryWaiter?.resume()
    memoryWaiter = nil
  }

  /// Asks for the names and waits for them, a second at most: a screen without names is still one.
  func waitForNames() async {
    learnNames()
    guard openNameRequests > 0 else { return }
    let patience = clock.schedule(afterNs: 1_000_000_000) { [weak self] in
      self?.nameWaiter?.resume()
      self?.nameWaiter = nil
    }
    await withCheckedContinuation { nameWaiter = $0 }
    patience.cancel()
  }

  private static func list(_ result: Result<RestAnswer, RestFailure>) -> [JSONValue]? {
    guard case .success(let answer) = result, answer.isSuccess else { return nil }
    return (try? JSONValue.parse(answer.body))?.array
  }

  /// Starts the link and waits for the first rows and, for a moment, the first voice state.
  ///
  /// - Returns: why nothing could be heard; nil when there is something to show.
  func firstFacts() async -> LinkFailure? {
    await withCheckedContinuation { continuation in
      var isDone = false
      @MainActor func finish(_ failure: LinkFailure?) {
        guard !isDone else { return }
        isDone = true
        sink.onChange = nil
        continuation.resume(returning: failure)
      }
      var patience: (any LinkTimer)?
      sink.onChange = { [unowned self] in
        if sink.hasRows, activity.stats != nil {
          if voice.state != nil { return finish(nil) }
          if patience == nil {
            patience = clock.schedule(afterNs: 1_500_000_000) { finish(nil) }
          }
        } else if let failure = connection.status.failure, connection.status.overall != .polling {
          finish(failure)
        }
      }
      link.start()
    }
  }
}

extension CockpitModel {
  /// What a frame may show, as of now, with the mouse on.
  var facts: Facts { facts() }
}
