package import ClankyWire
import Observation

/// The bot's memory as far as it was fetched, and the pending changes.
@MainActor
@Observable
package final class MemoryStore {
  package internal(set) var facts = FactTable()
  /// The backend's guilds, in its order; nil until they arrive.
  package internal(set) var guilds: [String]?
  /// Whether the backend has answered with an empty list of guilds.
  package var namesNoGuilds: Bool { guilds?.isEmpty == true }
  /// Guild names by id.
  package internal(set) var guildNames: [String: String] = [:]
  /// Why the guilds could not be fetched.
  package internal(set) var guildsFailure: RequestFailure?
  /// The subjects of one guild.
  package internal(set) var subjects: [String: [Subject]] = [:]
  /// Coverage of each guild's facts, and of the owner's under `ownerKey`.
  package internal(set) var coverage: [String: FactCoverage] = [:]
  /// The ids of the owner's private facts; the facts are in `facts`.
  package internal(set) var ownerPrivate = Fetched<[Int]>.none
  /// The last semantic search.
  package internal(set) var search = Fetched<SearchResult>.none
  package internal(set) var reflections = Fetched<ReflectionPage>.none
  package internal(set) var markdown = Fetched<MemoryMarkdown>.none
  package internal(set) var profile = Fetched<FactProfile>.none
  package internal(set) var recall = Fetched<RuntimeSnapshot>.none
  /// The part that was counted last, and how much there is of it.
  package internal(set) var countedPart: MemoryPart?
  package internal(set) var partCount = Fetched<MemoryPartCount>.none

  /// Unfinished edits, by fact.
  package internal(set) var drafts: [Int: FactDraft] = [:]
  /// Facts whose current draft is not on disk and would be lost at exit.
  package internal(set) var unsavedDrafts: Set<Int> = []
  /// Facts of which another run of the program, or an earlier one, has another draft on the disk.
  package internal(set) var otherDrafts: Set<Int> = []
  /// Changes in flight, and outcomes not yet acknowledged, by fact.
  package internal(set) var changes: [Int: FactChange] = [:]
  /// The last journal line about an edit with an unknown outcome: the program ended while sending
  /// it, or could not find out. By fact; kept for facts with a draft only.
  package internal(set) var doubtfulEdits: [Int: JournalEntry] = [:]
  /// Newest last.
  package internal(set) var deletions: [HeldDeletion] = []
  /// A bulk change that is under way or has just ended.
  package internal(set) var bulk: BulkChange?
  /// The newest lines of the journal, oldest first.
  package internal(set) var journal = Fetched<[JournalEntry]>.none
  /// Lines of the journal that cannot be read and are left out.
  package internal(set) var unreadableJournalLines = 0
  /// Why the last deletion, or taking one back, did nothing, as one sentence.
  package internal(set) var undoProblem: String?
  /// A failed write to disk, as one sentence that says what to do.
  package internal(set) var diskProblem: String?

  /// Stands for the owner's private facts where guilds have their ids.
  package nonisolated static let ownerKey = "owner"

  package init() {}

  /// Coverage of a guild, or of all guilds together. Facts of users, which May lists under every
  /// guild, count once.
  package func coverage(of guild: String?) -> FactCoverage {
    if let guild { return coverage[guild] ?? FactCoverage() }
    let guilds = guilds ?? coverage.keys.filter { $0 != Self.ownerKey }
    let parts = guilds.map { coverage[$0] ?? FactCoverage() }
    var all = FactCoverage()
    all.loaded = facts.entries.values.reduce(0) { $0 + ($1.guilds.isEmpty ? 0 : 1) }
    all.isLoading = parts.contains(where: \.isLoading)
    all.isComplete = !parts.isEmpty && parts.allSatisfy(\.isComplete)
    all.failure = guildsFailure ?? parts.compactMap(\.failure).first
    all.unreadable = parts.reduce(0) { $0 + $1.unreadable }
    all.fetchedAtMs = parts.compactMap(\.fetchedAtMs).min()
    var cut: [String: FactCoverage.Cut] = [:]
    for part in parts.flatMap(\.cut)
    where cut[part.subject].map({ $0.counted < part.counted }) ?? true {
      cut[part.subject] = part
    }
    all.cut = cut.values.sorted { $0.subject < $1.subject }
    if all.isComplete {
      all.expected = all.loaded
    } else if !parts.isEmpty, parts.allSatisfy({ $0.expected != nil }) {
      all.expected = max(all.loaded, expectedInAll(guilds))
    }
    return all
  }

  /// Facts of a guild count there, facts without a guild once.
  private func expectedInAll(_ guilds: [String]) -> Int {
    var own = 0
    var shared = 0
    for guild in guilds {
      let page = SubjectPage(subjects: subjects[guild] ?? [])
      let common = SubjectPage(subjects: page.subjects.filter(\.isShared))
      own += max(0, min(Int.max / 1000, page.factCount) - common.factCount)
      shared = max(shared, common.factCount)
    }
    return own + shared
  }
}

extension Subject {
  /// Whether its facts are listed under every guild.
  fileprivate var isShared: Bool { scope == .user || scope == .owner }
}

/// Many facts that are changed one after the other.
package struct BulkChange: Hashable, Sendable {
  package var verb: JournalEntry.Verb
  package var total: Int
  package var done = 0
  /// Facts that were not changed as they should be, and why.
  package var failures: [Int: String] = [:]
  /// How many of `failures` the backend stored differently than sent.
  package var storedOtherwise = 0
  /// How many of `failures` may or may not have been stored.
  package var unknown = 0
  package var isRunning = true

  package init(verb: JournalEntry.Verb, total: Int) {
    self.verb = verb
    self.total = total
  }
}
