internal import ClankyWire
internal import LenientJSON
internal import Networking

/// Deletion of a guild's memory or of a reflection run: counted, held, at most one request, read again.
extension MemoryService {
  /// A purge waits for running ingestion, some 16 s; in ms.
  nonisolated static let purgeTotalMs = 60_000

  // MARK: Counting

  func count(_ part: MemoryPart) {
    let number = begin(.count)
    store.countedPart = part
    store.partCount = .loading(nil)
    count(part) { [weak self] result in
      guard let self, questions[.count] == number else { return }
      switch result {
      case .success(let count): store.partCount = .loaded(count, atMs: clock.wallMs)
      case .failure(let failure): store.partCount = .failed(failure, nil)
      }
    }
  }

  /// Reads how much of a part the backend lists now.
  private func count(
    _ part: MemoryPart,
    then done: @escaping @MainActor (Result<MemoryPartCount, RequestFailure>) -> Void
  ) {
    switch part {
    case .run(let id, _):
      send(.reflections(guild: nil)) { result in
        done(
          MemoryAnswer<ReflectionPage>(result).result.map { page in
            let run = page.runs.first { $0.runID == id }
            return MemoryPartCount(
              staying: max(0, run?.factsSaved ?? 0), runs: run == nil ? 0 : 1,
              isAtLeast: page.omitted > 0)
          })
      }
    case .guild(let guild, _):
      send(.subjects(guild: guild)) { [weak self] result in
        switch MemoryAnswer<SubjectPage>(result).result {
        case .failure(let failure): done(.failure(failure))
        case .success(let page): self?.countRuns(of: guild, page, then: done)
        }
      }
    }
  }

  private func countRuns(
    of guild: String, _ page: SubjectPage,
    then done: @escaping @MainActor (Result<MemoryPartCount, RequestFailure>) -> Void
  ) {
    let own = SubjectPage(subjects: page.subjects.filter { $0.guildID == guild }).factCount
    let base = MemoryPartCount(
      facts: own, staying: max(0, page.factCount - own),
      isAtLeast: page.subjects.count + page.omitted >= RestRequest.factLimit || page.omitted > 0)
    send(.reflections(guild: guild)) { result in
      var count = base
      switch MemoryAnswer<ReflectionPage>(result) {
      case .value(let runs):
        count.runs = runs.runs.count
        if runs.runs.count >= RestRequest.reflectionLimit || runs.omitted > 0 {
          count.isAtLeast = true
        }
        done(.success(count))
      // A backend without reflections has no runs.
      case .notServed, .noRoute: done(.success(count))
      case .failed(let failure): done(.failure(failure))
      }
    }
  }

  // MARK: Deleting

  func delete(_ part: MemoryPart, _ counted: MemoryPartCount) {
    guard !store.deletions.contains(where: { $0.isPending && $0.whole?.part == part }) else {
      store.undoProblem = "Nothing more is deleted: this deletion is held or under way already."
      return
    }
    hold(facts: [], whole: WholeDeletion(part: part, counted: counted))
  }

  /// Sends the one request of a deletion that was held.
  func startWhole(_ id: Int, _ whole: WholeDeletion) {
    let part = whole.part
    var entry = JournalEntry(
      write: newWrite(0), atMs: clock.wallMs, backend: backend, guild: guild(of: part),
      verb: part.verb, factID: 0, before: nil, after: nil, outcome: .sending, subject: part.word)
    if case .run(let run, _) = part { entry.subject = run }
    let turn = part.turnName + "@" + backend
    let finish: @MainActor (WholeOutcome) -> Void = { [weak self] outcome in
      guard let self else { return }
      entry.atMs = clock.wallMs
      entry.outcome = outcome.journal
      entry.detail = outcome.sentence
      // The words are in the line before the request.
      entry.facts = []
      if outcome.wasSent { _ = record(entry) }
      storage?.endTurn(turn)
      end(id, outcome)
    }
    do {
      guard try storage?.takeTurn(turn) ?? true else {
        return end(
          id,
          .init(
            .refused, "Another clanky-cockpit is deleting it at the moment, so nothing was sent.",
            wasSent: false))
      }
    } catch {
      return end(
        id,
        .init(
          .failed,
          "The journal and its lock could not be written: \(error) Without a journal nothing is sent.",
          wasSent: false))
    }
    entry.facts = words(of: part)
    if let problem = record(entry) {
      return finish(
        .init(.failed, problem + " Without a journal nothing is sent.", wasSent: false))
    }
    send(.deletion(of: part)) { [weak self] result in
      self?.readAgain(whole, ChangeAnswer(result), then: finish)
    }
  }

  private func guild(of part: MemoryPart) -> String {
    switch part {
    case .guild(let id, _): id
    case .run(let id, _):
      store.reflections.value?.runs.first { $0.runID == id }?.guildID ?? ""
    }
  }

  /// The facts that a purge takes, as far as they are here: their words stay in the journal.
  private func words(of part: MemoryPart) -> [Fact] {
    guard case .guild(let id, _) = part else { return [] }
    var facts = store.facts.entries.values.map(\.fact).filter { $0.guildID == id }
    facts.sort { ($0.id ?? 0) < ($1.id ?? 0) }
    // One line of the journal has room for this many.
    var room = JournalEntry.factsLimit
    return facts.prefix { fact in
      room -= fact.json.serialized().utf8.count
      return room > 0
    }
  }

  /// Only a look afterwards tells what is gone.
  private func readAgain(
    _ whole: WholeDeletion, _ answer: ChangeAnswer,
    then finish: @escaping @MainActor (WholeOutcome) -> Void
  ) {
    switch answer {
    case .refused(let status, let words):
      finish(.refused(whole.part, status: status, words: words))
    case .notSent(let failure):
      finish(
        .init(
          .failed, "Nothing was deleted: \(failure.description)", wasSent: true,
          failure: .unanswered(failure)))
    case .answered, .unknown:
      count(whole.part) { result in
        finish(WholeOutcome(whole, answer, after: result))
      }
    }
  }

  private func end(_ id: Int, _ outcome: WholeOutcome) {
    guard let at = store.deletions.firstIndex(where: { $0.id == id }),
      let part = store.deletions[at].whole?.part
    else { return }
    store.deletions[at].whole?.outcome = outcome.sentence
    store.deletions[at].whole?.isSeenGone = outcome.isSeenGone
    store.deletions[at].whole?.failure = outcome.failure
    store.deletions[at].state = outcome.isDone ? .done : .failed(outcome.sentence)
    if outcome.wasSent { refresh(part, isGone: outcome.isSeenGone) }
    checkIdle()
  }

  /// Lists on the screen follow.
  private func refresh(_ part: MemoryPart, isGone: Bool) {
    if case .loaded(var page, let atMs) = store.reflections, isGone {
      page.runs.removeAll { run in
        switch part {
        case .guild(let id, _): run.guildID == id
        case .run(let id, _): run.runID == id
        }
      }
      store.reflections = .loaded(page, atMs: atMs)
    }
    if case .guild(let id, _) = part { load(id) }
  }
}

/// What came of the deletion of a part, in words.
struct WholeOutcome {
  var journal: JournalEntry.Outcome
  var sentence: String
  var wasSent: Bool
  var isSeenGone = false
  var failure: RequestFailure?

  init(
    _ journal: JournalEntry.Outcome, _ sentence: String, wasSent: Bool = true,
    isSeenGone: Bool = false, failure: RequestFailure? = nil
  ) {
    self.journal = journal
    self.sentence = sentence
    self.wasSent = wasSent
    self.isSeenGone = isSeenGone
    self.failure = failure
  }

  /// Whether the screen shows it as done.
  var isDone: Bool { journal == .deleted || journal == .gone }

  static func refused(_ part: MemoryPart, status: Int, words: String?) -> WholeOutcome {
    let why =
      switch words {
      case "guild_name_confirmation_mismatch": "the guild has another name by now; load anew"
      case "guild_not_found": "the bot is not in this guild any more"
      default: "\(words ?? "no reason given") (\(status))"
      }
    return WholeOutcome(
      .refused, "The backend refused it, so nothing was deleted: \(why).",
      failure: .refused(status: status, words: words))
  }

  /// - Parameter after: what is listed now.
  init(
    _ whole: WholeDeletion, _ answer: ChangeAnswer, after: Result<MemoryPartCount, RequestFailure>
  ) {
    let title = whole.part.title
    var said: String?
    var doubt = ""
    var cause: RequestFailure?
    switch answer {
    case .answered(let json, _) where json["ok"]?.bool == true:
      if case .guild = whole.part {
        said = PurgeReply(json).words
      } else {
        said = json["deleted"]?.int.map { MemoryPartCount.count($0, "row") } ?? "its record"
      }
    case .unknown(let words, let failure):
      doubt = words + " "
      cause = failure
    default: doubt = "The backend answered with something that cannot be understood. "
    }
    switch (said, after) {
    case (let said?, .success(let now)) where now.isEmpty:
      self.init(
        said == "0 rows" ? .gone : .deleted,
        "\(title.capitalizedFirst) is gone, as read again: the backend deleted \(said).",
        isSeenGone: true)
    case (let said?, .success(let now)):
      self.init(
        .deleted,
        "The backend says that it deleted \(said) of \(title), but lists \(now.words) when read again."
      )
    case (let said?, .failure(let failure)):
      self.init(
        .deleted,
        "The backend says that it deleted \(said) of \(title); it could not be read again: "
          + failure.sentence)
    case (nil, .success(let now)) where now.isEmpty && !whole.counted.isEmpty:
      self.init(
        .deleted, doubt + "Read again, \(title) is gone.", isSeenGone: true)
    case (nil, .success(let now)):
      self.init(
        .unknown,
        doubt
          + "Read again, it lists \(now.words) of \(title). The request may still be under way: "
          + "read again before you delete once more.", failure: cause)
    case (nil, .failure(let failure)):
      self.init(
        .unknown,
        doubt + "Whether \(title) was deleted is unknown, since it could not be read again: "
          + failure.sentence, failure: cause ?? failure)
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension RestRequest {
  static func deletion(of part: MemoryPart) -> RestRequest {
    switch part {
    case .guild(let id, let name):
      RestRequest(
        .delete, RequestTarget(["api", "memory", "guild"]),
        body: Array(
          JSONValue.body([
            ("guildId", .string(id)), ("confirmGuildName", .string(name)),
          ]).serialized().utf8), totalMs: MemoryService.purgeTotalMs)
    case .run(let id, _):
      RestRequest(.delete, RequestTarget(["api", "memory", "reflections", id]))
    }
  }
}
