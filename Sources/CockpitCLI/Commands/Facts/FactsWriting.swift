import CockpitSession
import CockpitDomain
import Networking
import ClankyWire
import CockpitFiles
import CockpitStores
import Foundation
import TerminalCore

/// Shared by `edit` and `delete`.
extension FactsSession {
  /// - Throws: exit code 2 where nothing may be changed.
  static func permitWriting(_ settings: Settings, _ options: FactsOptions) throws(Failure) {
    try permitWriting(settings, isReadOnly: options.readOnly)
  }

  static func permitWriting(_ settings: Settings, isReadOnly: Bool) throws(Failure) {
    if isReadOnly {
      throw Failure(.usage, "--read-only refuses whatever changes something; leave it out")
    }
    if let reason = settings.readOnlyReason { throw Failure(.usage, reason) }
  }

  /// Asks on the terminal; everything but a yes is a no.
  func confirms(_ question: String) -> Bool {
    output.prompt(PlainText(question + " [y/N] "))
    let answer = settings.process.readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes"
  }

  // MARK: Sending

  /// Sends an edit: re-reads the fact, and sends one PUT only if it is unchanged.
  func send(_ draft: FactDraft) async throws(Failure) -> FactChange {
    let id = draft.factID
    // Do not change or drop a draft that was started in the cockpit.
    let isBeside = store.drafts[id].map { $0.edit != draft.edit } ?? false
    if isBeside { memoryService.leaveDraft(id) }
    sayInterruption { [store] in store.changes[id].map { $0.wasSent && $0.isUnderWay } ?? false }
    memoryService.perform(.send(draft, overwriting: nil))
    if let change = store.changes[id], case .waiting = change.state {
      output.complain(change.sentence)
    }
    try await wait { [store] in store.changes[id]?.isUnderWay == false }
    if isBeside {
      output.complain("An older draft of fact \(id) is kept; the cockpit shows it.")
    }
    sayDiskProblem()
    let change = store.changes[id] ?? FactChange(draft)
    if !change.isStoredExactly, store.unsavedDrafts.contains(id) {
      output.complain(DraftRecovery.words(for: draft))
    }
    return change
  }

  /// Sends a deletion at once: the user has already confirmed it.
  func delete(_ id: Int) async throws(Failure) -> HeldDeletion? { try await delete([id]) }

  /// The same of several facts.
  func delete(_ ids: [Int]) async throws(Failure) -> HeldDeletion? {
    sayInterruption { [store] in store.deletions.contains { $0.state == .sending } }
    memoryService.perform(.delete(factIDs: ids))
    memoryService.perform(.deleteNow)
    try await wait { [store] in !store.deletions.contains { $0.isPending } }
    sayDiskProblem()
    return store.deletions.last
  }

  /// How much of a part of the memory the backend lists now.
  func count(_ part: MemoryPart) async throws(Failure) -> MemoryPartCount {
    memoryService.perform(.count(part))
    try await wait { [store] in !store.partCount.isLoading }
    if let failure = store.partCount.failure { throw Failure(failure) }
    guard let count = store.partCount.value else {
      throw Failure(.failed, "It could not be counted, so nothing was sent.")
    }
    return count
  }

  /// Sends the deletion of a part at once: the user has already confirmed it.
  func delete(_ part: MemoryPart, _ counted: MemoryPartCount) async throws(Failure)
    -> WholeDeletion?
  {
    sayInterruption { [store] in store.deletions.contains { $0.state == .sending } }
    memoryService.perform(.deletePart(part, counted: counted))
    memoryService.perform(.deleteNow)
    try await wait { [store] in !store.deletions.contains { $0.isPending } }
    sayDiskProblem()
    return store.deletions.last?.whole
  }

  private func sayDiskProblem() {
    guard let problem = store.diskProblem else { return }
    let why = settings.paths.state == nil ? settings.paths.complaint("XDG_STATE_HOME") : nil
    output.complain(why.map { "\(problem) (\($0).)" } ?? problem)
  }

  /// Says how things stand when the command is interrupted, and ends it.
  private func sayInterruption(_ mayHaveHappened: @escaping @MainActor () -> Bool) {
    Task { @MainActor [process = settings.process] in
      guard let number = await process.interruption() else { return }
      process.output.complain(
        mayHaveHappened()
          ? "Interrupted while a change was under way: its outcome is unknown. What was sent is in 'clanky-cockpit facts journal'."
          : "Interrupted; nothing was sent.")
      process.end(.exit(128 + number))
    }
  }
}
