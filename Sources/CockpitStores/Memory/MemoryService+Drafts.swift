internal import Networking
internal import ClankyWire

/// Drafts: saved as they are typed, and shared with other runs of the program.
///
/// Two cockpits, or one and `facts edit`, may edit the same fact. Neither overwrites or removes the
/// other's file: a file that changed since this run wrote it belongs to the other, and this run's
/// draft gets a separate file (promise P8).
extension MemoryService {
  /// Minimum interval between two reads of the draft directory, in ns: 1 s.
  private static let lookNs = Nanoseconds.seconds(1)

  /// Loads drafts that other runs have left or written. The newest draft of a fact counts; older
  /// ones stay on disk until it is sent or dropped. Call only while no draft is being edited.
  package func lookForDrafts() {
    guard clock.nowNs >= draftsReadNs &+ Self.lookNs else { return }
    loadDrafts()
    // A disk that was full may have room again.
    for id in store.unsavedDrafts { if let draft = store.drafts[id] { save(draft) } }
  }

  func loadDrafts() {
    guard let storage else { return }
    draftsReadNs = clock.nowNs
    var found: [Int: [(file: DraftOnDisk, draft: FactDraft)]] = [:]
    do {
      for (name, bytes) in try storage.drafts() {
        do {
          let draft = try DraftFile.read(bytes, backend: backend)
          found[draft.factID, default: []].append((DraftOnDisk(name: name, bytes: bytes), draft))
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
    // Most runs find none, and a first observed access is slow.
    guard !found.isEmpty || hasOtherDrafts else { return }
    let others = Set(found.filter { $0.value.count > 1 }.keys)
    hasOtherDrafts = !others.isEmpty
    if store.otherDrafts != others { store.otherDrafts = others }
    for (id, drafts) in found {
      // Do not replace a draft that is only in memory, or one being sent.
      guard !store.unsavedDrafts.contains(id), store.changes[id] == nil,
        let newest = drafts.max(by: { $0.draft.changedAtMs < $1.draft.changedAtMs })
      else { continue }
      draftFiles[id] = newest.file
      if store.drafts[id] != newest.draft { store.drafts[id] = newest.draft }
    }
  }

  func keep(_ draft: FactDraft) {
    guard store.drafts[draft.factID] != draft || store.unsavedDrafts.contains(draft.factID)
    else { return }
    store.drafts[draft.factID] = draft
    save(draft)
  }

  private func save(_ draft: FactDraft) {
    let id = draft.factID
    guard let storage else {
      store.unsavedDrafts.insert(id)
      store.diskProblem = Self.noJournal
      return
    }
    do {
      let bytes = DraftFile.bytes(draft, backend: backend)
      let name = try freeName(id, storage)
      try storage.saveDraft(bytes, name: name)
      draftFiles[id] = DraftOnDisk(name: name, bytes: bytes)
      store.unsavedDrafts.remove(id)
      diskIsFine()
    } catch {
      store.unsavedDrafts.insert(id)
      store.diskProblem = "The draft could not be saved and is in memory only: \(error)"
    }
  }

  /// The file of this run's draft, or a new one where another run has written to that.
  private func freeName(_ id: Int, _ storage: any MemoryStorage) throws -> String {
    let own = DraftFile.name(factID: id, backend: backend)
    let name = draftFiles[id]?.name ?? own
    guard let there = try storage.draft(name: name), there != draftFiles[id]?.bytes else {
      return name
    }
    store.otherDrafts.insert(id)
    hasOtherDrafts = true
    return "\(own)-\(clock.wallMs)-\(clock.nowNs)"
  }

  func dropDraft(_ factID: Int) {
    store.unsavedDrafts.remove(factID)
    let file = draftFiles.removeValue(forKey: factID)
    guard store.drafts.removeValue(forKey: factID) != nil, let storage, let file else { return }
    do {
      // A file replaced by another run is left to that run.
      if try storage.draft(name: file.name) == file.bytes {
        try storage.removeDraft(name: file.name)
      }
      diskIsFine()
    } catch {
      store.diskProblem =
        "A draft could not be removed and will be back at the next start: \(error)"
    }
  }

  /// Abandons the draft's file: later drafts of the fact get a new file beside it.
  package func leaveDraft(_ factID: Int) {
    draftFiles[factID] = nil
    store.drafts[factID] = nil
  }
}

/// The file of a draft as this run has read or written it last.
struct DraftOnDisk {
  var name: String
  var bytes: [UInt8]
}
