import ClankySource
import CockpitDomain
import CockpitSession
import CockpitText
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON

/// One run of a `facts` verb: the desk of MEMORY on a backend, without a screen.
@MainActor
final class FactsSession {
  let settings: Settings
  let store = MemoryStore()
  let memoryService: MemoryService
  private(set) var names = NameTable()
  private let clock: any LinkClock
  private let requests: any RequestChannel
  /// A demo ends with it; nil in the past.
  private let backend: Backend?
  private let takesOwnerPrivate: Bool
  /// Facts of the owner that the last query would have found.
  private var hiddenCount = 0
  /// Only the owner's facts are here: the backend named no guild to ask for others.
  private var lacksGuilds = false
  private let areNamesHere = ObservableFlag()

  /// Names may take this long; a fact without the name of its subject is still one.
  private static let namesTotalMs = 2000

  init(_ settings: Settings, takesOwnerPrivate: Bool) async throws {
    self.takesOwnerPrivate = takesOwnerPrivate
    let backend = try await Backend.open(settings)
    self.backend = backend
    self.settings = backend.settings
    clock = backend.clock
    let link = backend.link(streams: [])
    requests = link
    memoryService = MemoryService(
      store: store, requester: link, clock: clock,
      storage: StateStorage(settings.paths) { [clock] in clock.wallMs },
      backend: backend.url.description)
  }

  /// The facts as they were fetched before a moment that was recorded.
  init(_ past: RecordedPast, _ answers: RecordedAnswers, takesOwnerPrivate: Bool) throws(Failure) {
    self.takesOwnerPrivate = takesOwnerPrivate
    var settings = past.settings
    if let guild = try past.guild() { settings.options.guild = guild }
    self.settings = settings
    backend = nil
    clock = answers.clock
    requests = answers
    // Drafts are those of today.
    memoryService = MemoryService(
      store: store, requester: answers, clock: clock, storage: nil, backend: past.name)
  }

  var nowMs: Int64 { clock.wallMs }
  var output: Output { settings.output }

  // MARK: Reading

  /// Fetches the facts of the selected guild, or of all, as far as the backend lists them.
  ///
  /// - Throws: if any list could not be fetched: a partial list would look complete.
  func load() async throws(Failure) {
    let guild = settings.guild
    learnNames()
    memoryService.perform(.load(guild: guild))
    try await wait { [store] in
      guard store.guilds != nil || store.guildsFailure != nil else { return false }
      let guilds = guild.map { [$0] } ?? store.guilds ?? []
      return guilds.allSatisfy { store.coverage[$0]?.isLoading == false }
    }
    lacksGuilds = guild == nil && store.namesNoGuilds
    let failure = store.coverage(of: guild).failure ?? (guild == nil ? store.guildsFailure : nil)
    if let failure, !lacksGuilds { throw Failure(failure) }
    if takesOwnerPrivate { try await loadOwnerPrivate() }
    // The owner's facts belong to no guild.
    if lacksGuilds, store.facts.entries.isEmpty { throw Self.noGuilds }
    try await wait { [areNamesHere] in areNamesHere.isSet }
    warnOfUnknownGuild()
  }

  /// It is a backend, and it answered: Discord is not ready, or the bot is in no guild (contract 9.3).
  private static let noGuilds = Failure(
    .failed,
    "The backend names no guilds; check that the bot is logged in, or give the guild's id with --guild."
  )

  private func loadOwnerPrivate() async throws(Failure) {
    memoryService.perform(.loadOwnerPrivate)
    try await wait { [store] in !store.ownerPrivate.isLoading }
    switch store.ownerPrivate {
    case .notServed: output.complain("This backend has no route for the owner's private facts.")
    case .failed(let failure, _): throw Failure(failure)
    case .none, .loading, .loaded: break
    }
  }

  /// Searches by meaning in the selected guild, or in each; best match first.
  func search(_ text: String, limit: Int) async throws(Failure) -> [FactRecord] {
    learnNames()
    var guilds = settings.guild.map { [$0] } ?? []
    memoryService.perform(.load(guild: settings.guild))
    try await wait { [store] in store.guilds != nil || store.guildsFailure != nil }
    warnOfUnknownGuild()
    if guilds.isEmpty {
      if store.namesNoGuilds { throw Self.noGuilds }
      if let failure = store.guildsFailure { throw Failure(failure) }
      guilds = store.guilds ?? []
    }
    var hits: [Int: SearchFact] = [:]
    for guild in guilds {
      memoryService.perform(.search(text: text, guild: guild))
      try await wait { [store] in !store.search.isLoading }
      if let failure = store.search.failure { throw Failure(failure) }
      for hit in store.search.value?.results ?? [] where !isHidden(hit.fact) {
        guard let id = hit.fact.id else { continue }
        // A fact of no guild may be found in several.
        if let known = hits[id], Self.rank(known) >= Self.rank(hit) { continue }
        hits[id] = hit
      }
    }
    try await wait { [areNamesHere] in areNamesHere.isSet }
    let best = hits.values.sorted {
      (Self.rank($0), $0.fact.id ?? 0) > (Self.rank($1), $1.fact.id ?? 0)
    }
    return best.prefix(limit).map { hit in
      record(
        hit.fact,
        scores: .init(score: hit.score, semantic: hit.semanticScore, lexical: hit.lexicalScore))
    }
  }

  private static func rank(_ hit: SearchFact) -> Double {
    hit.score.flatMap { $0.isFinite ? $0 : nil } ?? -.infinity
  }

  /// The facts that match a query, in its order; the owner's only if requested.
  func facts(_ query: FactViewQuery) -> [Fact] {
    var query = query
    // The owner's own facts belong to no guild's list.
    query.guild = nil
    var view = FactView()
    view.sync(
      with: store, query: query, names: names, nowMs: clock.wallMs, zone: settings.clock.queryZone)
    let facts = view.rows.map(\.fact)
    let shown = facts.filter { !isHidden($0) }
    hiddenCount = facts.count - shown.count
    return shown
  }

  /// A fact by its number.
  ///
  /// - Throws: exit code 1 when it is not there.
  func fact(_ id: Int) throws(Failure) -> Fact {
    guard let fact = store.facts[id]?.fact else {
      if lacksGuilds { throw Self.noGuilds }
      let place = settings.guild.map { "in guild \($0)" } ?? "in any guild"
      let isWhole = store.coverage(of: settings.guild).isComplete
      throw Failure(
        .failed,
        isWhole
          ? "There is no fact \(id) \(place); 'facts list' shows what there is."
          : "Fact \(id) is not among the facts that could be listed \(place). \(Self.listLimits)"
      )
    }
    guard !isHidden(fact) else {
      throw Failure(
        .failed, "Fact \(id) is one of the owner's private facts; add --owner-private to use it.")
    }
    return fact
  }

  /// The guilds under which a fact can be addressed: its own, or those whose lists contain it.
  func guilds(of fact: Fact) -> [String] {
    if let guild = fact.guildID { return [guild] }
    return fact.id.flatMap { store.facts[$0]?.guilds.sorted() } ?? []
  }

  /// `Den (100000000000000001)`, or the id alone.
  func guildWords(_ id: String) -> String { names.guildName(id).map { "\($0) (\(id))" } ?? id }

  func isHidden(_ fact: Fact) -> Bool {
    !takesOwnerPrivate && (fact.scope == .owner || fact.specialSubject == .owner)
  }

  // MARK: Names

  func record(_ fact: Fact, scores: FactRecord.Scores? = nil) -> FactRecord {
    FactRecord(
      fact: fact, subjectName: fact.subject.flatMap(name),
      guildName: fact.guildID.flatMap(names.guildName),
      scores: scores)
  }

  /// The display name of a subject; nil if the user's name is unknown.
  func name(of subject: String) -> String? {
    FactSubject(special: subject) != nil
      ? Names(names).subject(subject) : names.userName(subject)
  }

  /// The subject that is meant by an id, one of the special words, or a name.
  ///
  /// - Throws: exit code 2 when several people have this name.
  func subject(_ text: String) throws(Failure) -> String {
    switch text.lowercased() {
    case "self", "__self__": return FactSubject.bot.rawValue
    case "lore", "__lore__": return FactSubject.lore.rawValue
    case "owner", "__owner__": return FactSubject.owner.rawValue
    default: break
    }
    let subjects = Set(store.facts.entries.values.compactMap(\.fact.subject))
    guard !subjects.contains(text) else { return text }
    let meant = subjects.filter { name(of: $0)?.lowercased() == text.lowercased() }.sorted()
    if meant.count > 1 {
      throw Failure(
        .usage, "several subjects are called '\(text)': \(meant.joined(separator: ", "))")
    }
    return meant.first ?? text
  }

  /// Only live voice sessions report user names (contract 6.1).
  private func learnNames() {
    let request = RestRequest(
      .get, RequestTarget(["api", "voice", "state"]), totalMs: Self.namesTotalMs)
    requests.request(request) { [weak self] result in
      guard let self else { return }
      if case .success(let answer) = result, answer.isSuccess,
        let state = (try? JSONValue.parse(answer.body)).flatMap(VoiceState.init)
      {
        let people = ConnectionStore(address: "")
        people.learn(state)
        names.users = people.names.users
      }
      areNamesHere.set()
    }
  }

  // MARK: Words

  /// A backend that names guilds lists facts for another one too: those that belong to no guild. So it is
  /// said, and no failure.
  private func warnOfUnknownGuild() {
    for (id, name) in store.guildNames { names.guilds[id] = name }
    guard let guild = settings.guild, let guilds = store.guilds, !guilds.isEmpty,
      !guilds.contains(guild)
    else { return }
    let known = guilds.map { id in names.guildName(id).map { "\(id) (\($0))" } ?? id }
    output.complain(
      "The backend names no guild \(guild); it has \(known.joined(separator: ", ")).")
  }

  /// Advice about unlisted facts. A search covers facts of guilds only (contract 6.2).
  private static let listLimits =
    "The backend lists at most 500 of one subject; 'facts search' finds more about the bot and lore, and nothing finds more about users."

  /// Reports on stderr what a list lacks.
  func sayWhatIsMissing() {
    if lacksGuilds {
      output.complain("Only the owner's private facts. \(Self.noGuilds.description)")
    }
    let coverage = store.coverage(of: settings.guild)
    sayUnreadable(coverage.unreadable, "the facts")
    if !coverage.isComplete, !lacksGuilds, coverage.unreadable == 0 || !coverage.cut.isEmpty {
      let total = coverage.expected.map { " of about \(Figures.count($0))" } ?? ""
      let cut = coverage.cut.prefix(5).map { cut in
        "\(Figures.count(cut.loaded)) of \(Figures.count(cut.counted)) about \(name(of: cut.subject) ?? cut.subject)"
      }
      let detail = cut.isEmpty ? "" : " (\(cut.joined(separator: ", ")))"
      output.complain(
        "Not all facts: \(Figures.count(coverage.loaded))\(total)\(detail). \(Self.listLimits)")
    }
    if takesOwnerPrivate, let coverage = store.coverage[MemoryStore.ownerKey] {
      sayUnreadable(coverage.unreadable, "the owner's private facts")
      if !coverage.isComplete, coverage.unreadable == 0 {
        output.complain("Not all of the owner's private facts: the backend lists at most 500.")
      }
    }
    if hiddenCount > 0 {
      output.complain(
        "\(hiddenCount) of the owner's private facts left out; --owner-private shows them.")
    }
  }

  private func sayUnreadable(_ count: Int, _ what: String) {
    guard count > 0 else { return }
    output.complain("\(Figures.count(count)) of \(what) could not be read and are left out.")
  }

  // MARK: Waiting

  /// Waits until something holds about the stores.
  func wait(until condition: @escaping @MainActor () -> Bool) async throws(Failure) {
    try await waitUnlessInterrupted(until: condition)
  }
}
