internal import Networking
internal import ClankyWire

/// Edits, one request at a time for each fact.
extension MemoryService {
  /// Whether a change of a fact is in flight or queued.
  func isBusy(_ factID: Int) -> Bool {
    store.changes[factID]?.isUnderWay == true || bulkChange?.factID == factID
      || store.deletions.contains { $0.isPending && $0.facts.contains { $0.id == factID } }
  }

  func send(_ draft: FactDraft, _ overwriting: FactOverwrite?) {
    keep(draft)
    let id = draft.factID
    // A confirmed change is already in flight; a second confirmation waits for its outcome.
    guard store.changes[id]?.isUnderWay != true else { return }
    var change = FactChange(
      draft, overwriting: overwriting,
      keeping: store.unsavedDrafts.contains(id) ? .memory : .disk)
    if isBusy(id) {
      change.hold(
        "The fact is about to be changed or deleted already, so nothing was sent; wait for that or "
          + "take it back.")
    }
    guard change.isUnderWay else {
      store.changes[id] = change
      return
    }
    store.changes[id] = change
    writeNames[id] = newWrite(id)
    takeTurn(id, wait: { [store] in store.changes[id]?.wait() }) { [weak self] problem in
      self?.store.changes[id]?.begin()
      if let problem { self?.store.changes[id]?.hold(problem) }
      self?.drive(id)
    }
  }

  func dismiss(_ factID: Int) {
    guard store.changes[factID]?.isUnderWay == false else { return }
    store.changes[factID] = nil
  }

  private func drive(_ id: Int) {
    guard var change = store.changes[id] else { return }
    advance(&change, verb: .edit, write: writeNames[id] ?? newWrite(id)) {
      [weak self] result, step in
      guard let self, var change = store.changes[id] else { return }
      change.take(result, of: step)
      store.changes[id] = change
      drive(id)
    }
    store.changes[id] = change
    guard !change.isUnderWay else { return }
    writeNames[id] = nil
    endTurn(id)
    finish(change)
  }

  /// Sends the next request of a change, with a journal line before a PUT and after the end.
  func advance(
    _ change: inout FactChange, verb: JournalEntry.Verb, write: String,
    then take: @escaping @MainActor (Result<RestAnswer, RestFailure>, FactChange.Step) -> Void
  ) {
    guard let step = change.next else {
      guard !change.isUnderWay, change.hasAsked else { return }
      // The change is done; if the line cannot be written, the store reports it.
      _ = record(entry(change, verb: verb, write: write))
      return
    }
    if step == .put,
      let problem = record(
        entry(change, verb: verb, write: write, outcome: .sending))
    {
      change.hold(problem + " Without a journal nothing is sent.")
      return
    }
    guard let request = change.request(step) else { return }
    send(request) { take($0, step) }
  }

  private func entry(
    _ change: FactChange, verb: JournalEntry.Verb, write: String,
    outcome: JournalEntry.Outcome? = nil
  ) -> JournalEntry {
    let before = change.before ?? change.draft.base
    var after = before
    let requested = change.draft.edit.normalized
    after.subject = requested.subject
    after.fact = requested.fact
    after.factType = FactType(rawValue: requested.factType)
    after.evidenceText = requested.evidenceText.isEmpty ? nil : requested.evidenceText
    after.confidence = requested.confidence
    if case .stored(let fact, _) = change.state { after = fact }
    if case .conflict(let theirs) = change.state { after = theirs }
    let isOver = outcome == nil
    return JournalEntry(
      write: write, atMs: clock.wallMs, backend: backend,
      guild: change.draft.edit.target.journalName, verb: verb, factID: change.factID,
      before: before, after: after, outcome: outcome ?? change.outcome ?? .unknown,
      detail: isOver ? change.sentence : nil)
  }

  /// Updates the store when a change has ended.
  func finish(_ change: FactChange, isBulk: Bool = false) {
    let id = change.factID
    switch change.state {
    case .stored(let fact, _):
      learn(fact, change.draft.edit.target)
      guard !isBulk, var draft = store.drafts[id] else { break }
      if change.isStoredExactly, draft.edit == change.draft.edit {
        dropDraft(id)
      } else {
        // Edited meanwhile, or altered by the backend: the text stays and is based on the stored
        // fact.
        draft.base = fact
        keep(draft)
      }
    case .conflict(let theirs): learn(theirs, change.draft.edit.target)
    case .gone:
      // A 404 to the PUT may mean another guild too: then the next list tells.
      guard !change.wasSent else { break }
      touched[id] = clock.nowNs
      store.facts.remove(id)
    case .failed, .refused, .unknown: break
    case .waiting, .checking, .sending, .verifying: break
    }
  }

  private func learn(_ fact: Fact, _ target: FactTarget) {
    if let id = fact.id { touched[id] = clock.nowNs }
    if case .guild(let guild) = target {
      store.facts.merge([fact], guild: guild)
    } else {
      store.facts.merge([fact], guild: nil)
    }
  }

  // MARK: Many facts

  func retype(_ factIDs: [Int], _ type: String) {
    guard store.bulk?.isRunning != true else { return }
    store.bulk = BulkChange(verb: .retype, total: factIDs.count)
    bulkWaiting = factIDs
    bulkType = type
    nextOfBulk()
  }

  func stopBulk() { bulkWaiting = [] }

  private func nextOfBulk() {
    while let id = bulkWaiting.first {
      bulkWaiting.removeFirst()
      guard let fact = store.fact(id), let target = store.target(of: fact),
        var edit = FactEdit(editing: fact, target: target)
      else {
        store.bulk?.failures[id] = "The fact is not in the list any more; reload."
        continue
      }
      guard !isBusy(id) else {
        store.bulk?.failures[id] = "The fact is being changed or deleted already."
        continue
      }
      edit.factType = bulkType
      let draft = FactDraft(
        edit: edit, confidenceText: edit.confidence.map { "\($0)" } ?? "", base: fact,
        changedAtMs: clock.wallMs)
      bulkChange = FactChange(draft, keeping: .none)
      takeTurn(id) { [weak self] problem in
        guard let self else { return }
        if let problem { bulkChange?.hold(problem) }
        driveBulk(newWrite(id))
      }
      return
    }
    store.bulk?.isRunning = false
    checkIdle()
  }

  private func driveBulk(_ write: String) {
    guard var change = bulkChange else { return }
    advance(&change, verb: .retype, write: write) { [weak self] result, step in
      self?.bulkChange?.take(result, of: step)
      self?.driveBulk(write)
    }
    bulkChange = change
    guard !change.isUnderWay else { return }
    bulkChange = nil
    endTurn(change.factID)
    finish(change, isBulk: true)
    if change.isStoredExactly {
      store.bulk?.done += 1
    } else {
      store.bulk?.failures[change.factID] = change.sentence
      switch change.outcome {
      case .stored: store.bulk?.storedOtherwise += 1
      case .unknown: store.bulk?.unknown += 1
      default: break
      }
    }
    nextOfBulk()
  }
}
