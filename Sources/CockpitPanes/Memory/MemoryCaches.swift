import ClankyWire
import CockpitStores
import TerminalCore

/// What is counted and compared over all facts, once for each change of the table and not with
/// every frame. A cache and nothing else: whatever it has forgotten it makes again.
@MainActor
final class MemoryCaches {
  private struct Key: Hashable {
    var revision: Int
    var guild: String?
  }

  private var counted: (key: Key, counts: [String: Int])?
  private var doubles: (revision: Int, ids: Set<Int>)?
  private var words: (revision: Int, byFact: [Int: Set<Substring>]) = (-1, [:])
  private var near: (id: Int, revision: Int, found: [NearFact])?
  private var texts: (revision: Int, ids: [String: Int])?
  private var trace: (key: TraceKey, end: RowID, madeNs: UInt64, found: Provenance)?
  private var markdown: (key: String, lines: [MemoryLine])?

  nonisolated init() {}

  /// A fact that says nearly the same as another.
  struct NearFact: Hashable {
    var id: Int
    /// Shared words, 0 to 1 (Jaccard); 1 is the same text.
    var share: Double
  }

  /// Facts by subject, counted from those that are here.
  func counts(of table: FactTable, guild: String?) -> [String: Int] {
    let key = Key(revision: table.revision, guild: guild)
    if let counted, counted.key == key { return counted.counts }
    var counts: [String: Int] = [:]
    for entry in table.entries.values {
      if let guild, !entry.guilds.contains(guild) { continue }
      if let subject = entry.fact.subject { counts[subject, default: 0] += 1 }
    }
    counted = (key, counts)
    return counts
  }

  /// Facts that say the same about the same subject as another one.
  func duplicates(in table: FactTable) -> Set<Int> {
    if let doubles, doubles.revision == table.revision { return doubles.ids }
    var first: [String: Int] = [:]
    var ids: Set<Int> = []
    for (id, entry) in table.entries {
      guard let fact = entry.fact.fact else { continue }
      let key = (entry.fact.subject ?? "") + "\u{0}" + Self.folded(fact)
      if let other = first[key] {
        ids.insert(id)
        ids.insert(other)
      } else {
        first[key] = id
      }
    }
    doubles = (table.revision, ids)
    return ids
  }

  /// Facts about the same subject that share most words with this one, the nearest first.
  func near(to fact: Fact, in table: FactTable) -> [NearFact] {
    guard let id = fact.id else { return [] }
    if let near, near.id == id, near.revision == table.revision { return near.found }
    if words.revision != table.revision { words = (table.revision, [:]) }
    let own = tokens(of: fact, id: id)
    var found: [NearFact] = []
    var looked = 0
    if own.count > 1 {
      for (other, entry) in table.entries where other != id && entry.fact.subject == fact.subject {
        looked += 1
        // A person has some hundred facts; a hostile list does not hold up a frame.
        guard looked <= 1000 else { break }
        let theirs = tokens(of: entry.fact, id: other)
        let shared = own.intersection(theirs).count
        var share = Double(shared) / Double(max(1, own.count + theirs.count - shared))
        // The whole is for the same words only, to their end.
        if own != theirs || Self.isLong(fact) || Self.isLong(entry.fact) {
          share = min(share, fact.fact == entry.fact.fact ? 1 : 0.99)
        }
        if share >= 0.5 { found.append(NearFact(id: other, share: share)) }
      }
    }
    found.sort { $0.share != $1.share ? $0.share > $1.share : $0.id < $1.id }
    near = (id, table.revision, found)
    return found
  }

  /// Where a fact comes from; while rows stream in it is looked for again after a while only.
  func provenance(of fact: Fact, _ facts: Facts, rowLimit: Int) -> Provenance {
    let key = TraceKey(
      fact: fact, runs: facts.memory.reflections.value?.runs.count, rowLimit: rowLimit)
    let end = facts.activity.log.endRow
    if let trace, trace.key == key {
      let age = facts.monotonicNs > trace.madeNs ? facts.monotonicNs - trace.madeNs : 0
      if trace.end == end || age < Self.traceNs { return trace.found }
    }
    let found = Provenance(
      of: fact, in: facts.activity.log, reflections: facts.memory.reflections.value?.runs,
      voice: facts.voice.state, rowLimit: rowLimit)
    trace = (key, end, facts.monotonicNs, found)
    return found
  }

  /// How long a trace holds while new rows come, in ns: 5 s.
  private static let traceNs: UInt64 = 5_000_000_000

  private struct TraceKey: Equatable {
    var fact: Fact
    var runs: Int?
    var rowLimit: Int
  }

  /// A fact with exactly these words.
  func fact(saying text: String, in table: FactTable) -> Int? {
    if let texts, texts.revision == table.revision { return texts.ids[text] }
    var ids: [String: Int] = [:]
    for (id, entry) in table.entries {
      if let fact = entry.fact.fact { ids[fact] = min(ids[fact] ?? id, id) }
    }
    texts = (table.revision, ids)
    return ids[text]
  }

  /// The lines of the markdown dump; `key` says which and how wide.
  func markdown(_ key: String, _ make: () -> [MemoryLine]) -> [MemoryLine] {
    if let markdown, markdown.key == key { return markdown.lines }
    let lines = make()
    markdown = (key, lines)
    return lines
  }

  private func tokens(of fact: Fact, id: Int) -> Set<Substring> {
    if let known = words.byFact[id] { return known }
    let text: String = Self.folded(String((fact.fact ?? "").prefix(Self.comparedLength)))
    // Short words and digits too: "wakes at 6" is not "wakes at 8".
    let tokens = Set<Substring>(
      text.split(separator: " ").map { word in
        let end = word.lastIndex { !Self.punctuation.contains($0) } ?? word.startIndex
        return word[...end].drop { Self.punctuation.contains($0) }
      }.filter { !$0.isEmpty })
    words.byFact[id] = tokens
    return tokens
  }

  /// What stands at the ends of words; `C++` and `-5` are words of their own.
  private static let punctuation: Set<Character> = Set(".,;:!?\"'()[]{}…“”„’‘«»")

  /// Of a longer text only the beginning is compared.
  private static let comparedLength = 400

  private static func isLong(_ fact: Fact) -> Bool {
    (fact.fact ?? "").utf8.count > comparedLength
  }

  /// Lower case, white space collapsed.
  private static func folded(_ text: String) -> String { text.collapsingWhitespace.lowercased() }
}
