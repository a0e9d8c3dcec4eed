import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The subjects of the shown guilds with their counts, the largest first.
struct SubjectList {
  struct Entry: Hashable {
    /// As on the wire: a user id, or one of `FactSubject`.
    var subject: String
    var name: PlainText
    var count: Int
    var isSpecial: Bool
  }

  var entries: [Entry] = []
  /// Facts of all subjects.
  var total = 0
  /// Whether counts are known: until then a missing one is not 0.
  var isKnown: Bool

  /// - Parameter guild: nil for all guilds. Facts of users and owners are listed under each of them
  ///   (contract 6.1) and count once.
  @MainActor init(_ facts: ViewContext, guild: String?, caches: MemoryCaches) {
    var counts: [String: (own: Int, shared: Int)] = [:]
    let lists = facts.memory.subjects.filter { guild == nil || $0.key == guild }
    for subject in lists.values.joined() {
      guard let name = subject.subject, let count = subject.factCount, count > 0 else { continue }
      let isShared = subject.scope == .user || subject.scope == .owner
      if isShared {
        counts[name, default: (0, 0)].shared = max(counts[name]?.shared ?? 0, count)
      } else {
        counts[name, default: (0, 0)].own &+= min(count, 1 << 40)
      }
    }
    var totals = counts.mapValues { $0.own &+ min($0.shared, 1 << 40) }
    let isWhole = Self.isWhole(facts, guild: guild)
    if lists.isEmpty || isWhole {
      totals = caches.counts(of: facts.memory.facts, guild: guild)
    }
    // The owner's facts have a separate route.
    if let ids = facts.memory.ownerPrivate.value, !ids.isEmpty {
      totals[FactSubject.owner.rawValue] = max(totals[FactSubject.owner.rawValue] ?? 0, ids.count)
    }
    entries = totals.map { subject, count in
      Entry(
        subject: subject, name: PlainText(facts.names.subject(subject), limit: 60), count: count,
        isSpecial: FactSubject(special: subject) != nil)
    }
    entries.sort {
      $0.count != $1.count ? $0.count > $1.count : $0.subject < $1.subject
    }
    isKnown = !lists.isEmpty || isWhole || !totals.isEmpty
    total = totals.values.reduce(0, &+)
  }

  /// Counts the facts for the next frames, if the counts come from the facts.
  @MainActor static func prepare(_ facts: ViewContext, guild: String?, _ caches: inout MemoryCaches)
  {
    let hasLists = facts.memory.subjects.contains { guild == nil || $0.key == guild }
    guard !hasLists || isWhole(facts, guild: guild) else { return }
    caches.prepareCounts(of: facts.memory.facts, guild: guild)
  }

  /// Whether all facts are loaded: then counts come from them, and include deletions and moves.
  @MainActor private static func isWhole(_ facts: ViewContext, guild: String?) -> Bool {
    let shown = guild.map { [$0] } ?? facts.memory.guilds ?? []
    return !shown.isEmpty && shown.allSatisfy { facts.memory.coverage[$0]?.isComplete == true }
  }

  /// The place of a subject among the lines: 0 is that of all.
  func line(of subject: String?) -> Int {
    guard let subject else { return 0 }
    return entries.firstIndex { $0.subject == subject }.map { $0 + 1 } ?? 0
  }

  /// The subject of a line.
  func subject(at line: Int) -> String? {
    entries.indices.contains(line - 1) ? entries[line - 1].subject : nil
  }
}
