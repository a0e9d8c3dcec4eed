internal import LenientJSON
internal import Networking
internal import ClankyWire

extension MemoryService {
  /// Kinds of questions of which only the newest matters.
  enum Question: Hashable { case search, owner, reflections, markdown, profile, recall, count }

  /// Requests for lists that are under way at the same time; more would slow down the bot.
  static let listLimit = 3
  /// Most that may be waited for an answer that needs embeddings, in ms: as long as for a reply.
  static let recallTotalMs = 60_000

  // MARK: Facts

  func load(_ guild: String?) {
    if guild == nil || store.guilds == nil { loadGuilds(thenAll: guild == nil) }
    if let guild { begin(guild) }
  }

  private func loadGuilds(thenAll: Bool) {
    guard !isLoadingGuilds else { return }
    isLoadingGuilds = true
    send(.guilds) { [weak self] result in
      guard let self else { return }
      isLoadingGuilds = false
      switch MemoryAnswer<WireList<Guild>>(result) {
      case .noRoute(let failure), .notServed(let failure), .failed(let failure):
        store.guildsFailure = failure
      case .value(let list):
        let ids = list.rows.compactMap(\.id)
        guard !ids.isEmpty else {
          // This is also how the backend answers when it cannot tell (contract 3.2).
          store.guildsFailure = .other(
            "The backend names no guilds; check that the bot is logged in, then reload.")
          if store.guilds == nil { store.guilds = [] }
          break
        }
        store.guildsFailure = nil
        forget(Set(store.guilds ?? []).subtracting(ids))
        store.guilds = ids
        for guild in list.rows {
          if let id = guild.id, let name = guild.name { store.guildNames[id] = name }
        }
      }
      if thenAll { for id in store.guilds ?? [] { begin(id) } }
    }
  }

  private func forget(_ guilds: Set<String>) {
    for guild in guilds {
      store.facts.keepOnly([], of: guild, isAlone: true)
      store.coverage[guild] = nil
      store.subjects[guild] = nil
    }
  }

  private func begin(_ guild: String) {
    guard loaders[guild] == nil else { return }
    loaders[guild] = FactLoader(guild: guild)
    loadStarts[guild] = clock.nowNs
    loadOrder.append(guild)
    var coverage = store.coverage[guild] ?? FactCoverage()
    coverage.isLoading = true
    coverage.failure = nil
    store.coverage[guild] = coverage
    pump()
  }

  private func pump() {
    for guild in loadOrder {
      while listsUnderWay < Self.listLimit, let loader = loaders[guild],
        let step = loaders[guild]?.next()
      {
        listsUnderWay += 1
        send(loader.request(step)) { [weak self] result in
          guard let self else { return }
          listsUnderWay -= 1
          take(result, step, guild)
          pump()
        }
      }
    }
  }

  private func take(
    _ result: Result<RestAnswer, RestFailure>, _ step: FactLoader.Step, _ guild: String
  ) {
    guard var loader = loaders[guild] else { return }
    if step == .subjects {
      switch MemoryAnswer<SubjectPage>(result).result {
      case .success(let page):
        loader.take(page)
        store.subjects[guild] = page.subjects
      case .failure(let failure): loader.fail(step, failure)
      }
    } else {
      switch MemoryAnswer<FactPage>(result).result {
      case .success(let page):
        loader.take(page, of: step)
        let start = loadStarts[guild] ?? 0
        merge(page.facts, guild: guild, since: start)
      case .failure(let failure): loader.fail(step, failure)
      }
    }
    var coverage = loader.coverage
    let before = store.coverage[guild]
    coverage.fetchedAtMs = before?.fetchedAtMs
    if coverage.isLoading {
      // While a list is re-fetched, the previous one is still shown.
      coverage.loaded = max(coverage.loaded, before?.loaded ?? 0)
      coverage.expected = coverage.expected ?? before?.expected
    }
    loaders[guild] = loader
    if loader.isDone {
      coverage.fetchedAtMs = result.serverTimeMs ?? clock.wallMs
      if coverage.failure != nil {
        coverage.loaded = max(coverage.loaded, before?.loaded ?? 0)
        coverage.fetchedAtMs = before?.fetchedAtMs
      }
      finish(loader)
    }
    store.coverage[guild] = coverage
  }

  /// Facts that this guild's list no longer contains are gone.
  private func finish(_ loader: FactLoader) {
    let guild = loader.guild
    let start = loadStarts[guild] ?? 0
    loaders[guild] = nil
    loadStarts[guild] = nil
    loadOrder.removeAll { $0 == guild }
    guard loader.isConclusive else { return }
    let changed = touched.filter { $0.value >= start }.keys
    store.facts.keepOnly(
      loader.listed.union(changed), of: guild, sparing: loader.cutSubjects)
  }

  /// Merges listed facts requested at `start`; facts changed from here since then are left as they
  /// are.
  func merge(_ facts: [Fact], guild: String?, since start: UInt64) {
    store.facts.merge(
      facts.filter { fact in
        guard let id = fact.id, let at = touched[id] else { return true }
        return at < start
      }, guild: guild)
  }

  func loadOwnerPrivate() {
    let start = clock.nowNs
    let before = store.ownerPrivate.value
    let number = begin(.owner)
    store.ownerPrivate = .loading(before)
    send(.ownerFacts()) { [weak self] result in
      guard let self, questions[.owner] == number else { return }
      switch MemoryAnswer<FactPage>(result) {
      case .failed(let failure): store.ownerPrivate = .failed(failure, before)
      case .notServed: store.ownerPrivate = .notServed
      case .noRoute(let failure):
        store.ownerPrivate = othersAnswer ? .notServed : .failed(failure, before)
      case .value(let page):
        merge(page.facts, guild: nil, since: start)
        let ids = page.facts.compactMap(\.id)
        let isFull = page.facts.count + page.omitted >= RestRequest.factLimit
        let isWhole = !isFull && page.unreadable == 0
        for id in before ?? [] where isWhole && !ids.contains(id) {
          if store.facts[id]?.guilds.isEmpty == true { store.facts.remove(id) }
        }
        var coverage = FactCoverage()
        coverage.loaded = ids.count
        coverage.unreadable = page.unreadable
        coverage.isComplete = isWhole
        coverage.expected = isWhole ? ids.count : nil
        coverage.fetchedAtMs = result.serverTimeMs ?? clock.wallMs
        store.coverage[MemoryStore.ownerKey] = coverage
        store.ownerPrivate = .loaded(ids, atMs: coverage.fetchedAtMs ?? clock.wallMs)
      }
    }
  }

  /// A tunnel hides everything behind 404 when the token is wrong: only where other routes answer, one is
  /// missing.
  private var othersAnswer: Bool {
    store.guilds != nil || store.coverage.values.contains { $0.fetchedAtMs != nil }
  }

  // MARK: Questions

  func search(_ text: String, _ guild: String) {
    ask(.search, .search(text, guild: guild), \.search)
  }

  func recall(_ question: SnapshotRequest) {
    do {
      let body = try question.body()
      ask(
        .recall,
        RestRequest(
          .post, RequestTarget(["api", "memory", "runtime-snapshot"]),
          body: Array(body.serialized().utf8), totalMs: Self.recallTotalMs), \.recall)
    } catch {
      _ = begin(.recall)
      store.recall = .failed(.other(error.description), store.recall.value)
    }
  }

  func begin(_ question: Question) -> Int {
    let number = (questions[question] ?? 0) + 1
    questions[question] = number
    return number
  }

  func ask<Value: WireReadable>(
    _ question: Question, _ request: RestRequest,
    _ place: ReferenceWritableKeyPath<MemoryStore, Fetched<Value>>
  ) {
    let number = begin(question)
    let before = store[keyPath: place].value
    store[keyPath: place] = .loading(before)
    send(request) { [weak self] result in
      guard let self, questions[question] == number else { return }
      switch MemoryAnswer<Value>(result) {
      case .value(let value):
        store[keyPath: place] = .loaded(value, atMs: result.serverTimeMs ?? clock.wallMs)
      case .notServed: store[keyPath: place] = .notServed
      case .noRoute where othersAnswer: store[keyPath: place] = .notServed
      case .noRoute(let failure), .failed(let failure):
        store[keyPath: place] = .failed(failure, before)
      }
    }
  }
}

extension Result where Success == RestAnswer {
  /// The `Date` of the answer, in ms since 1970.
  var serverTimeMs: Int64? {
    guard case .success(let answer) = self else { return nil }
    return answer.headers.first { $0.name.lowercased() == "date" }
      .flatMap { HTTPDate.milliseconds($0.value) }
  }
}
