package import CockpitDomain
package import Networking
internal import ClankyWire

/// Performs the operations of CMD and stores their results in the `OperationsStore`. The shell
/// verbs use it too.
///
/// A request is never in flight twice, changes run one at a time, and nothing is repeated
/// automatically.
@MainActor
package final class OperationsService {
  package let store: OperationsStore
  let requester: any RequestChannel
  let clock: any LinkClock
  let isReadOnly: Bool

  private var underWay: Set<OperationsRequest> = []
  private var whenIdle: [@MainActor () -> Void] = []
  /// Whether a route has answered as a Clanky backend does: then a 404 of another one means that
  /// this one is missing. A tunnel hides everything behind 404 when the token is wrong (contract
  /// 1.4).
  private var hasBeenAnswered = false

  /// - Parameter isReadOnly: whatever changes something on the backend is refused.
  package init(
    store: OperationsStore, requester: any RequestChannel, clock: any LinkClock,
    isReadOnly: Bool = false
  ) {
    self.store = store
    self.requester = requester
    self.clock = clock
    self.isReadOnly = isReadOnly
  }

  /// Starts an operation; the store shows its progress.
  package func perform(_ request: OperationsRequest) {
    let store = store
    switch request {
    case .loadGuilds:
      fetch(request, .guilds, before: store.guilds.value) { (list: WireList<Guild>) in
        list.rows
      } keep: {
        store.guilds = $0
      }
    case .loadChannels(let guild):
      fetch(request, .channels(guild: guild), before: store.channels[guild]?.value) {
        (list: WireList<Channel>) in
        list.rows
      } keep: {
        store.channels[guild] = $0
      }
    case .loadAutomations(let guild):
      fetch(request, .automations(guild: guild), before: store.automations[guild]?.value) {
        $0
      } keep: {
        store.automations[guild] = $0
      }
    case .loadRuns(let guild, let automation):
      let route = RestRequest.automationRuns(guild: guild, automation: automation)
      fetch(request, route, before: store.runs[automation]?.value) {
        $0
      } keep: {
        store.runs[automation] = $0
      }
    case .loadBrowserSessions:
      fetch(request, .browserSessions, before: store.browserSessions.value) {
        $0
      } keep: {
        store.browserSessions = $0
      }
    case .loadAccounts: loadAccounts(request)
    case .join(let join): self.join(join)
    case .leave(let guild): leave(guild)
    case .refreshMemory(let guild): refreshMemory(guild)
    }
  }

  // MARK: Reading

  /// Requests connected accounts after the settings: the route exists only in May, and a 404 proves
  /// its absence only once another route has answered.
  private func loadAccounts(_ request: OperationsRequest) {
    let store = store
    fetch(request, .settings, before: store.settings.value) { (envelope: SettingsEnvelope) in
      // Drop the rest, such as instructions and ids, which no view shows.
      SettingsEnvelope(bindings: envelope.bindings, meta: envelope.meta)
    } keep: { [weak self] settings in
      store.settings = settings
      guard let self, !settings.isLoading else { return }
      fetch(request, .oauthStatus, before: store.accounts.value) {
        $0
      } keep: {
        store.accounts = $0
      }
    }
  }

  /// Sends a request unless it is in flight, and reports its progress.
  ///
  /// - Parameters:
  ///   - before: the previous value, shown meanwhile.
  ///   - read: extracts the value to keep from an answer.
  ///   - keep: called at once, and again with the outcome.
  private func fetch<Answer: WireReadable, Value>(
    _ request: OperationsRequest, _ route: RestRequest, before: Value?,
    read: @escaping @MainActor (Answer) -> Value,
    keep: @escaping @MainActor (Fetched<Value>) -> Void
  ) {
    guard underWay.insert(request).inserted else { return }
    keep(.loading(before))
    requester.request(route) { [weak self] result in
      guard let self else { return }
      underWay.remove(request)
      switch MemoryAnswer<Answer>(result) {
      case .value(let answer):
        hasBeenAnswered = true
        keep(.loaded(read(answer), atMs: result.serverTimeMs ?? clock.wallMs))
      case .noRoute(let failure): keep(hasBeenAnswered ? .notServed : .failed(failure, before))
      case .notServed: keep(.notServed)
      case .failed(let failure): keep(.failed(failure, before))
      }
      checkIdle()
    }
  }

  /// Calls back when no request is in flight, possibly at once.
  package func onIdle(_ done: @escaping @MainActor () -> Void) {
    whenIdle.append(done)
    checkIdle()
  }

  private func checkIdle() {
    guard underWay.isEmpty else { return }
    let waiting = whenIdle
    whenIdle = []
    for done in waiting { done() }
  }

  /// Whether a 404 of one route is about this route alone.
  var isKnownBackend: Bool { hasBeenAnswered }
}
