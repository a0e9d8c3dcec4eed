package import ClankyWire
import Observation

/// What the bot remembers, as far as it was fetched, and what is being done to it.
@MainActor
@Observable
package final class MemoryStore {
  package internal(set) var facts = FactTable()
  /// The guilds of the backend, in its order; nil before they came.
  package internal(set) var guilds: [String]?
  /// The subjects of one guild.
  package internal(set) var subjects: [String: [Subject]] = [:]
  /// How much of each guild's facts is here.
  package internal(set) var coverage: [String: FactCoverage] = [:]
  /// The ids of the owner's private facts; the facts are in `facts`.
  package internal(set) var ownerPrivate = MemoryLoad<[Int]>.none
  /// The last semantic search.
  package internal(set) var search = MemoryLoad<SearchResult>.none
  package internal(set) var reflections = MemoryLoad<ReflectionPage>.none
  package internal(set) var markdown = MemoryLoad<MemoryMarkdown>.none
  package internal(set) var profile = MemoryLoad<FactProfile>.none
  package internal(set) var recall = MemoryLoad<RuntimeSnapshot>.none

  /// What was begun and not finished, by fact.
  package internal(set) var drafts: [Int: FactDraft] = [:]
  /// What is on its way, and outcomes that were not read yet, by fact.
  package internal(set) var changes: [Int: FactChange] = [:]
  /// Newest last.
  package internal(set) var deletions: [HeldDeletion] = []
  /// A bulk change that is under way or has just ended.
  package internal(set) var bulk: BulkChange?
  /// The newest lines of the journal, oldest first.
  package internal(set) var journal = MemoryLoad<[JournalEntry]>.none
  /// What could not be written to the disk, as one sentence that says what to do.
  package internal(set) var diskProblem: String?

  package init() {}
}

/// Many facts that are changed one after the other.
package struct BulkChange: Hashable, Sendable {
  package var verb: JournalEntry.Verb
  package var total: Int
  package var done = 0
  /// Facts that were not changed, and why.
  package var failures: [Int: String] = [:]
  package var isRunning = true

  package init(verb: JournalEntry.Verb, total: Int) {
    self.verb = verb
    self.total = total
  }
}
