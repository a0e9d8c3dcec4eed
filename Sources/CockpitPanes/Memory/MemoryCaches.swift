import ClankyWire
import CockpitStores
import TerminalCore

/// Counts and comparisons over all facts, made once per change of the table and not per frame:
/// `prepare…` stores them; reads outside it compute the value without storing it.
struct MemoryCaches: Sendable {
  private struct Key: Hashable {
    var revision: Int
    var guild: String?
  }

  private struct NearKey: Hashable {
    var revision: Int
    var id: Int
  }

  private var counted = Prepared<Key, [String: Int]>()
  private var doubles = Prepared<Int, Set<Int>>()
  /// The words of facts that were compared, for the next comparison.
  private var words: (revision: Int, byFact: [Int: Set<Substring>]) = (-1, [:])
  private var near = Prepared<NearKey, [NearFact]>()
  private var texts = Prepared<Int, [String: Int]>()
  private var trace: (key: TraceKey, end: RowID, madeNs: UInt64, found: Provenance)?
  private var markdown = Prepared<String, [MemoryLine]>()

  /// A fact that says nearly the same as another.
  struct NearFact: Hashable {
    var id: Int
    /// Shared words, 0 to 1 (Jaccard); 1 is the same text.
    var share: Double
  }

  /// Number of loaded facts by subject.
  func counts(of table: FactTable, guild: String?) -> [String: Int] {
    counted.value(Key(revision: table.revision, guild: guild)) { Self.counts(table, guild) }
  }

  mutating func prepareCounts(of table: FactTable, guild: String?) {
    counted.prepare(Key(revision: table.revision, guild: guild)) { Self.counts(table, guild) }
  }

  private static func counts(_ table: FactTable, _ guild: String?) -> [String: Int] {
    var counts: [String: Int] = [:]
    for entry in table.entries.values {
      if let guild, !entry.guilds.contains(guild) { continue }
      if let subject = entry.fact.subject { counts[subject, default: 0] += 1 }
    }
    return counts
  }

  /// Facts that say the same about the same subject as another one.
  func duplicates(in table: FactTable) -> Set<Int> {
    doubles.value(table.revision) { Self.duplicates(table) }
  }

  mutating func prepareDuplicates(in table: FactTable) {
    doubles.prepare(table.revision) { Self.duplicates(table) }
  }

  private static func duplicates(_ table: FactTable) -> Set<Int> {
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
    return ids
  }

  /// Facts about the same subject that share most words with this one, the nearest first.
  func near(to fact: Fact, in table: FactTable) -> [NearFact] {
    guard let id = fact.id else { return [] }
    return near.value(NearKey(revision: table.revision, id: id)) {
      var words: [Int: Set<Substring>] = [:]
      return Self.near(to: fact, id: id, table, &words)
    }
  }

  mutating func prepareNear(to fact: Fact, in table: FactTable) {
    guard let id = fact.id else { return }
    var known = words.revision == table.revision ? words.byFact : [:]
    words.byFact = [:]  // a second owner would make the change a copy
    near.prepare(NearKey(revision: table.revision, id: id)) {
      Self.near(to: fact, id: id, table, &known)
    }
    words = (table.revision, known)
  }

  private static func near(
    to fact: Fact, id: Int, _ table: FactTable, _ words: inout [Int: Set<Substring>]
  ) -> [NearFact] {
    let own = tokens(of: fact, id: id, &words)
    var found: [NearFact] = []
    var looked = 0
    if own.count > 1 {
      for (other, entry) in table.entries where other != id && entry.fact.subject == fact.subject {
        looked += 1
        // A person has some hundred facts; a hostile list does not hold up a frame.
        guard looked <= 1000 else { break }
        let theirs = tokens(of: entry.fact, id: other, &words)
        let shared = own.intersection(theirs).count
        var share = Double(shared) / Double(max(1, own.count + theirs.count - shared))
        // The whole is for the same words only, to their end.
        if own != theirs || isLong(fact) || isLong(entry.fact) {
          share = min(share, fact.fact == entry.fact.fact ? 1 : 0.99)
        }
        if share >= 0.5 { found.append(NearFact(id: other, share: share)) }
      }
    }
    found.sort { $0.share != $1.share ? $0.share > $1.share : $0.id < $1.id }
    return found
  }

  /// The provenance of a fact; while rows stream in it is recomputed only after a while.
  @MainActor func provenance(of fact: Fact, _ facts: ViewContext, rowLimit: Int) -> Provenance {
    kept(TraceKey(fact, facts, rowLimit), facts) ?? Self.provenance(fact, facts, rowLimit)
  }

  @MainActor mutating func prepareProvenance(of fact: Fact, _ facts: ViewContext, rowLimit: Int) {
    let key = TraceKey(fact, facts, rowLimit)
    guard kept(key, facts) == nil else { return }
    trace = (
      key, facts.activity.log.endRow, facts.monotonicNs, Self.provenance(fact, facts, rowLimit)
    )
  }

  @MainActor private func kept(_ key: TraceKey, _ facts: ViewContext) -> Provenance? {
    guard let trace, trace.key == key else { return nil }
    let age = facts.monotonicNs > trace.madeNs ? facts.monotonicNs - trace.madeNs : 0
    return trace.end == facts.activity.log.endRow || age < Self.traceNs ? trace.found : nil
  }

  @MainActor private static func provenance(
    _ fact: Fact, _ facts: ViewContext, _ rowLimit: Int
  ) -> Provenance {
    Provenance(
      of: fact, in: facts.activity.log, reflections: facts.memory.reflections.value?.runs,
      voice: facts.voice.state, rowLimit: rowLimit)
  }

  /// How long a trace stays valid while new rows arrive, in ns: 5 s.
  private static let traceNs: UInt64 = 5_000_000_000

  private struct TraceKey: Equatable {
    var fact: Fact
    var runs: Int?
    var rowLimit: Int

    @MainActor init(_ fact: Fact, _ facts: ViewContext, _ rowLimit: Int) {
      self.fact = fact
      runs = facts.memory.reflections.value?.runs.count
      self.rowLimit = rowLimit
    }
  }

  /// A fact with exactly these words.
  func fact(saying text: String, in table: FactTable) -> Int? {
    texts.value(table.revision) { Self.texts(table) }[text]
  }

  mutating func prepareTexts(of table: FactTable) {
    texts.prepare(table.revision) { Self.texts(table) }
  }

  private static func texts(_ table: FactTable) -> [String: Int] {
    var ids: [String: Int] = [:]
    for (id, entry) in table.entries {
      if let fact = entry.fact.fact { ids[fact] = min(ids[fact] ?? id, id) }
    }
    return ids
  }

  /// The lines of the markdown dump; `key` says which and how wide.
  func markdown(_ key: String, _ make: () -> [MemoryLine]) -> [MemoryLine] {
    markdown.value(key, make)
  }

  mutating func prepareMarkdown(_ key: String, _ make: () -> [MemoryLine]) {
    markdown.prepare(key, make)
  }

  private static func tokens(
    of fact: Fact, id: Int, _ words: inout [Int: Set<Substring>]
  ) -> Set<Substring> {
    if let known = words[id] { return known }
    let text = folded(String((fact.fact ?? "").prefix(comparedLength)))
    // Short words and digits too: "wakes at 6" is not "wakes at 8".
    let tokens = Set<Substring>(
      text.split(separator: " ").map { word in
        let end = word.lastIndex { !punctuation.contains($0) } ?? word.startIndex
        return word[...end].drop { punctuation.contains($0) }
      }.filter { !$0.isEmpty })
    words[id] = tokens
    return tokens
  }

  /// Punctuation stripped from the ends of words; `C++` and `-5` stay intact.
  private static let punctuation: Set<Character> = Set(".,;:!?\"'()[]{}…“”„’‘«»")

  /// Only the start of a longer text is compared.
  private static let comparedLength = 400

  private static func isLong(_ fact: Fact) -> Bool {
    (fact.fact ?? "").utf8.count > comparedLength
  }

  /// Lower case, white space collapsed.
  private static func folded(_ text: String) -> String { text.collapsingWhitespace.lowercased() }
}
