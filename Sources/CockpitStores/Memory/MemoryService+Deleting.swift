internal import LenientJSON
internal import Networking
internal import ClankyWire

/// Deletions: held for a while, then sent one after the other.
extension MemoryService {
  /// Maximum number of finished deletions still shown.
  static let endedLimit = 20

  func delete(_ factIDs: [Int]) {
    var seen: Set<Int> = []
    let facts = factIDs.compactMap { id in
      isBusy(id) || !seen.insert(id).inserted ? nil : store.fact(id)
    }
    guard !facts.isEmpty else {
      store.undoProblem = "Nothing is deleted: the facts are gone, or being changed already."
      return
    }
    hold(facts: facts)
  }

  /// Holds a deletion; its requests go out when the time is over.
  func hold(facts: [Fact], whole: WholeDeletion? = nil) {
    store.undoProblem = nil
    deletionCount += 1
    let id = deletionCount
    store.deletions.append(
      HeldDeletion(id: id, facts: facts, dueNs: clock.nowNs &+ holdNs, whole: whole))
    deletionTimers[id] = clock.schedule(afterNs: holdNs) { [weak self] in self?.start(id) }
    let ended = store.deletions.filter { !$0.isPending }.dropLast(Self.endedLimit).map(\.id)
    store.deletions.removeAll { ended.contains($0.id) }
  }

  func undoDeletion() {
    guard let newest = store.deletions.last(where: { $0.state == .held }) else {
      store.undoProblem =
        store.deletions.isEmpty
        ? "There is no deletion to take back." : HeldDeletion.cannotRestore
      return
    }
    deletionTimers.removeValue(forKey: newest.id)?.cancel()
    store.deletions.removeAll { $0.id == newest.id }
    store.undoProblem = nil
  }

  func deleteNow() {
    for deletion in store.deletions where deletion.state == .held { start(deletion.id) }
  }

  private func start(_ id: Int) {
    deletionTimers.removeValue(forKey: id)?.cancel()
    guard let at = index(id), store.deletions[at].state == .held else { return }
    store.deletions[at].state = .sending
    if let whole = store.deletions[at].whole { return startWhole(id, whole) }
    next(id, from: 0)
  }

  private func index(_ id: Int) -> Int? { store.deletions.firstIndex { $0.id == id } }

  private func next(_ id: Int, from position: Int) {
    guard let at = index(id) else { return }
    guard position < store.deletions[at].facts.count else {
      store.deletions[at].end()
      checkIdle()
      return
    }
    let fact = store.deletions[at].facts[position]
    deleteInTurn(fact) { [weak self] ending in
      guard let self, let at = index(id), let factID = fact.id else { return }
      switch ending {
      case .deleted: store.deletions[at].deleted.insert(factID)
      case .gone: store.deletions[at].goneAlready.insert(factID)
      case .failed(let problem, let cause):
        store.deletions[at].problems[factID] = problem
        store.deletions[at].failures[factID] = cause
      }
      if store.deletions[at].problems[factID] == nil {
        touched[factID] = clock.nowNs
        store.facts.remove(factID)
      }
      next(id, from: position + 1)
    }
  }

  private enum Ending {
    case deleted, gone
    /// One sentence or two, and the failure on the wire if that is the reason.
    case failed(String, cause: RequestFailure? = nil)
  }

  /// Waits until no other run of the program is changing the fact.
  private func deleteInTurn(_ fact: Fact, then done: @escaping @MainActor (Ending) -> Void) {
    guard let id = fact.id else { return deleteOne(fact, then: done) }
    takeTurn(id) { [weak self] problem in
      guard let self else { return }
      if let problem { return done(.failed(problem)) }
      deleteOne(fact) { [weak self] ending in
        self?.endTurn(id)
        done(ending)
      }
    }
  }

  /// One request and, when its outcome is not known, a look whether the fact is still there.
  private func deleteOne(_ fact: Fact, then done: @escaping @MainActor (Ending) -> Void) {
    guard let id = fact.id, let target = store.target(of: fact) else {
      return done(.failed("No guild is known for it; reload, then delete it again."))
    }
    let deletion = FactDeletion(factID: id, target: target)
    var entry = JournalEntry(
      write: newWrite(id), atMs: clock.wallMs, backend: backend, guild: target.journalName,
      verb: .delete, factID: id, before: fact, after: nil, outcome: .sending)
    if let problem = record(entry) {
      return done(.failed(problem + " Without a journal nothing is sent."))
    }
    let finish: @MainActor (Ending, JournalEntry.Outcome?) -> Void = {
      [weak self] ending, outcome in
      guard let self else { return }
      entry.atMs = clock.wallMs
      switch ending {
      case .deleted: entry.outcome = .deleted
      case .gone: entry.outcome = .gone
      case .failed(let problem, _):
        entry.outcome = outcome ?? .failed
        entry.detail = problem
      }
      _ = record(entry)
      done(ending)
    }
    let request = RestRequest(
      .delete, RequestTarget(deletion.path.split(separator: "/").map(String.init)),
      body: Array(deletion.body.serialized().utf8))
    send(request) { [weak self] result in
      switch DeletionAnswer(result) {
      case .deleted: finish(.deleted, nil)
      case .gone: finish(.gone, nil)
      case .refused(let problem): finish(.failed(problem), .refused)
      case .notSent(let failure):
        finish(.failed(failure.description, cause: .unanswered(failure)), .failed)
      case .unknown(let doubt, let failure):
        let cause = failure.map(RequestFailure.unanswered)
        let lookup = FactRefetch(
          factID: id, target: target, subjects: [fact.subject ?? ""], texts: [fact.fact ?? ""])
        self?.look(lookup) { outcome in
          switch outcome {
          case .absent: finish(.deleted, nil)
          case .found:
            finish(
              .failed(doubt + " The fact is still there; delete it again.", cause: cause), .failed)
          case .lost:
            finish(
              .failed(
                doubt + " Whether it was deleted is unknown; reload to see.", cause: cause),
              .unknown)
          case .failed(let failure):
            finish(
              .failed(
                doubt + " Whether it was deleted is unknown; reload to see. " + failure.sentence,
                cause: cause),
              .unknown)
          }
        }
      }
    }
  }

  /// Reads a fact again, request by request.
  private func look(
    _ lookup: FactRefetch, then done: @escaping @MainActor (FactRefetch.Outcome) -> Void
  ) {
    guard let request = lookup.request else { return done(.lost) }
    send(request) { [weak self] result in
      var lookup = lookup
      if let outcome = lookup.take(result) { return done(outcome) }
      self?.look(lookup, then: done)
    }
  }
}

/// The meaning of an answer to a deletion.
enum DeletionAnswer: Equatable {
  case deleted
  case gone
  case refused(String)
  /// It certainly did not happen.
  case notSent(RestFailure)
  /// The deletion may have happened: one sentence, and why there was no answer.
  case unknown(String, RestFailure?)

  init(_ result: Result<RestAnswer, RestFailure>) {
    switch result {
    case .success(let answer) where answer.isSuccess:
      let reply = (try? JSONValue.parse(answer.body)).flatMap(DeleteReply.init)
      self =
        reply?.ok == true && reply?.deleted != 0
        ? .deleted : .unknown("The backend answered with something that cannot be understood.", nil)
    case .success(let answer):
      let refusal = FactRefusal(status: answer.status, body: ErrorBody(body: answer.body))
      switch refusal {
      case .notFound: self = .gone
      case .other(let status) where status >= 500 || status == 408:
        self = .unknown("The backend failed (\(status)).", nil)
      case .invalid(let words): self = .refused("The backend refused the deletion: \(words).")
      default: self = .refused("The backend refused the deletion (\(answer.status)).")
      }
    case .failure(let failure):
      self =
        !failure.mayHaveArrived || failure.failure.isRefusal
        ? .notSent(failure) : .unknown(failure.failure.sentence, failure)
    }
  }
}
