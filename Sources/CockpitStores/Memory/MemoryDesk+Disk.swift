internal import ClankyLink
internal import ClankyWire

/// Drafts and the journal.
extension MemoryDesk {
  /// Lines of the journal that are shown; older ones stay in the file.
  static let journalLimit = 500

  static let noJournal =
    "There is no state directory: drafts are kept in memory only and no journal is written; set "
    + "XDG_STATE_HOME to a directory of yours."

  // MARK: Drafts

  /// Takes the drafts that an earlier run has left; called once at the start.
  func loadDrafts() {
    guard let storage else { return }
    do {
      for (name, bytes) in try storage.drafts() {
        do {
          let draft = try DraftFile.read(bytes, backend: backend)
          store.drafts[draft.factID] = draft
        } catch DraftFile.Problem.otherBackend {
          continue
        } catch {
          try storage.setDraftAside(name: name)
          store.diskProblem =
            "A draft could not be read and was set aside as it is; look into the state directory."
        }
      }
    } catch {
      store.diskProblem = "The drafts could not be read: \(error)"
    }
  }

  func keep(_ draft: FactDraft) {
    guard store.drafts[draft.factID] != draft || store.unsavedDrafts.contains(draft.factID)
    else { return }
    store.drafts[draft.factID] = draft
    save(draft)
  }

  private func save(_ draft: FactDraft) {
    guard let storage else {
      store.unsavedDrafts.insert(draft.factID)
      store.diskProblem = Self.noJournal
      return
    }
    do {
      try storage.saveDraft(
        DraftFile.bytes(draft, backend: backend),
        name: DraftFile.name(factID: draft.factID, backend: backend))
      store.unsavedDrafts.remove(draft.factID)
      diskIsFine()
    } catch {
      store.unsavedDrafts.insert(draft.factID)
      store.diskProblem = "The draft could not be saved and is in memory only: \(error)"
    }
  }

  func dropDraft(_ factID: Int) {
    store.unsavedDrafts.remove(factID)
    guard store.drafts.removeValue(forKey: factID) != nil, let storage else { return }
    do {
      try storage.removeDraft(name: DraftFile.name(factID: factID, backend: backend))
      diskIsFine()
    } catch {
      store.diskProblem =
        "A draft could not be removed and will be back at the next start: \(error)"
    }
  }

  /// A draft that is not on the disk stays worth a word when something else could be written.
  private func diskIsFine() {
    if storage != nil, store.unsavedDrafts.isEmpty { store.diskProblem = nil }
  }

  // MARK: The journal

  /// A name for a write, that no other one has.
  func newWrite(_ factID: Int) -> String {
    writes += 1
    return "\(clock.wallMs)-\(clock.nowNs)-\(writes)-\(factID)"
  }

  /// Appends a line; the problem when it could not be written.
  func record(_ entry: JournalEntry) -> String? {
    note(entry)
    guard let storage else {
      store.diskProblem = Self.noJournal
      return nil
    }
    do {
      try storage.appendToJournal(entry.line)
      diskIsFine()
      return nil
    } catch {
      let problem = "The journal could not be written: \(error)"
      store.diskProblem = problem
      return problem
    }
  }

  /// The journal on the screen follows.
  private func note(_ entry: JournalEntry) {
    guard case .loaded(var entries, _) = store.journal else { return }
    entries.append(entry)
    if entries.count > Self.journalLimit { entries.removeFirst(entries.count - Self.journalLimit) }
    store.journal = .loaded(entries, atMs: clock.wallMs)
  }

  func loadJournal() {
    guard let storage else {
      store.journal = .failed(Self.noJournal, nil)
      return
    }
    do {
      let lines = try storage.journal(last: Self.journalLimit)
      let entries = lines.compactMap(JournalEntry.init(line:))
      store.unreadableJournalLines = lines.count - entries.count
      store.journal = .loaded(entries, atMs: clock.wallMs)
    } catch {
      store.journal = .failed("The journal could not be read: \(error)", store.journal.value)
    }
  }
}
