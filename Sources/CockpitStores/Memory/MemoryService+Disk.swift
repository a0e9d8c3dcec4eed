internal import CockpitDomain
internal import Networking
internal import ClankyWire

/// The journal, and messages about the disk.
extension MemoryService {
  /// Lines of the journal that are shown; older ones stay in the file.
  static let journalLimit = 500

  static let noJournal =
    "There is no state directory: drafts are kept in memory only and no journal is written; set "
    + "XDG_STATE_HOME to a directory of yours."

  /// A draft that is not on the disk stays worth a word when something else could be written.
  func diskIsFine() {
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

  /// Finds sent drafts whose outcome an earlier run did not learn; called once at the start.
  func findDoubtfulEdits() {
    guard let storage, !store.drafts.isEmpty else { return }
    do {
      for line in try storage.journal(last: Self.journalLimit) {
        if let entry = JournalEntry(line: line), entry.backend == backend { follow(entry) }
      }
    } catch {
      store.diskProblem =
        "The journal could not be read, so what became of earlier changes is not known: \(error)"
    }
  }

  /// Tracks whether the newest journal line about a fact leaves its outcome open.
  private func follow(_ entry: JournalEntry) {
    let isOpen = entry.outcome == .sending || entry.outcome == .unknown
    let isEdit = entry.verb == .edit && store.drafts[entry.factID] != nil
    store.doubtfulEdits[entry.factID] = isOpen && isEdit ? entry : nil
  }

  /// The journal on the screen follows.
  private func note(_ entry: JournalEntry) {
    follow(entry)
    guard case .loaded(var entries, _) = store.journal else { return }
    entries.append(entry)
    if entries.count > Self.journalLimit { entries.removeFirst(entries.count - Self.journalLimit) }
    store.journal = .loaded(entries, atMs: clock.wallMs)
  }

  func loadJournal() {
    guard let storage else {
      store.journal = .failed(.other(Self.noJournal), nil)
      return
    }
    do {
      let lines = try storage.journal(last: Self.journalLimit)
      let entries = lines.compactMap(JournalEntry.init(line:))
      store.unreadableJournalLines = lines.count - entries.count
      store.journal = .loaded(entries, atMs: clock.wallMs)
    } catch {
      store.journal = .failed(
        .other("The journal could not be read: \(error)"), store.journal.value)
    }
  }
}
