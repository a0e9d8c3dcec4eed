package import ClankyWire
package import CockpitStores
internal import LenientJSON

/// The rows that exchanges are made of, found by the ids that they name. A look at the log: good until it changes.
@MainActor
package struct ExchangeRows {
  package let log: ActionLog
  /// Voice sessions, up to date with the log; nil leaves voice out.
  package let voice: VoiceStore?
  package let names: any NameDirectory
  /// Now on the backend's clock, in ms since 1970.
  package let nowMs: Int64
  /// Known completeness of the log; if nil, completeness follows from row ids alone.
  package let coverage: LogCoverage?
  /// Whether the newest row of the log was the backend's newest at `nowMs`.
  package let hasNewest: Bool
  /// Facts of the guilds, for prompts.
  package let facts: [Fact]
  /// Whether the connection is lost: then `nowMs` is when the rows ended.
  package let isLost: Bool

  /// Whose exchanges are looked for where none is named.
  package var scope = GuildScope.all

  /// Parsed rows for bulk lookups; nil for single lookups.
  var index: Index?

  struct Index {
    var rows: [RowID: ExchangeRow] = [:]
    /// Rows by the messages that they name.
    var byMessage: [String: [RowID]] = [:]
    /// Rows of voice by the thoughts that they name.
    var byThought: [String: [RowID]] = [:]
    var facts: [Fact] = []
  }

  /// Rows that are looked at for one exchange behind the last that belongs to it, newest first.
  static let reach = 20_000

  package init(
    _ log: ActionLog, voice: VoiceStore? = nil, names: any NameDirectory = NoNames(),
    facts: [Fact] = [], coverage: LogCoverage? = nil, hasNewest: Bool = false,
    isLost: Bool = false, nowMs: Int64
  ) {
    self.log = log
    self.voice = voice
    self.names = names
    self.facts = facts
    self.coverage = coverage
    self.hasNewest = hasNewest
    self.isLost = isLost
    self.nowMs = nowMs
  }

  /// A row; nil for a gap, a row of a former log, and one that is no longer kept.
  package func row(_ id: RowID) -> ExchangeRow? {
    if let index { return index.rows[id] }
    guard let view = log.row(id), !view.isGap, !view.isOfFormerLog else { return nil }
    return ExchangeRow(view)
  }

  /// A copy that has parsed every row once, for bulk lookups.
  package func indexed() -> ExchangeRows {
    guard index == nil else { return self }
    var read = Index()
    for place in 0..<log.count { take(place, into: &read) }
    return with(read)
  }

  /// The same with a pause after each row.
  ///
  /// - Parameter pause: may end the work by throwing.
  package func indexed<Problem: Error>(
    pause: @MainActor () async throws(Problem) -> Void
  ) async throws(Problem) -> ExchangeRows {
    guard index == nil else { return self }
    var read = Index()
    for place in 0..<log.count {
      take(place, into: &read)
      try await pause()
    }
    return with(read)
  }

  private func take(_ place: Int, into read: inout Index) {
    let id = log.rowID(at: place)
    guard let row = row(id) else { return }
    read.rows[id] = row
    for trigger in row.triggers { read.byMessage[trigger, default: []].append(id) }
    if let message = row.messageID, !row.triggers.contains(message) {
      read.byMessage[message, default: []].append(id)
    }
    if row.kind == "voice_runtime", let thought = row.thoughtID {
      read.byThought[thought, default: []].append(id)
    }
  }

  private func with(_ read: consuming Index) -> ExchangeRows {
    var read = read
    read.facts = knownFacts()
    var copy = self
    copy.index = read
    return copy
  }

  /// The rows that name a message, oldest first; actions that were logged twice once.
  func rows(naming message: String) -> [ExchangeRow] {
    let ids =
      index.map { $0.byMessage[message] ?? [] } ?? log.rows(holding: message, limit: Self.reach)
    return Self.unique(
      ids.compactMap(row).filter { $0.triggers.contains(message) || $0.messageID == message })
  }

  /// Rows between two times (ms since 1970, both included), oldest first; only wanted ones are read.
  func rows(
    from fromMs: Int64, to toMs: Int64, where isWanted: (ActionRowView) -> Bool
  ) -> [ExchangeRow] {
    guard fromMs <= toMs else { return [] }
    var found: [ExchangeRow] = []
    var index = log.firstIndex(notNewerThan: toMs)
    while index < log.count {
      let view = log.row(at: index)
      if view.timeMs < fromMs { break }
      index += 1
      guard !view.isGap, !view.isOfFormerLog, isWanted(view), let row = row(view.id) else {
        continue
      }
      found.append(row)
    }
    return Self.unique(found)
  }

  /// Oldest first; what was logged twice once.
  private static func unique(_ rows: [ExchangeRow]) -> [ExchangeRow] {
    var result: [ExchangeRow] = []
    for row in rows.sorted(by: {
      ($0.timeMs, $0.actionID ?? .max) < ($1.timeMs, $1.actionID ?? .max)
    })
    where !result.contains(where: { $0.isTwin(of: row) }) { result.append(row) }
    return result
  }

  // MARK: Completeness

  /// Whether no row between two times can be missing: the log says so, or every id from that of the first row
  /// on is here, up to one that is newer than the end.
  func isComplete(from first: ExchangeRow, toMs: Int64) -> Bool {
    if let coverage, coverage.isComplete(sinceMs: first.timeMs), nowMs >= toMs { return true }
    guard let from = first.actionID, nowMs >= toMs else { return false }
    var index = log.firstIndex(notNewerThan: toMs)
    var ids: Set<Int> = []
    var hasLater = hasNewest
    // Rows with an id on both sides of the end.
    for later in (0..<index).reversed() {
      guard let id = log.row(at: later).actionID else { continue }
      ids.insert(id)
      hasLater = true
      break
    }
    // Ids of rows that came together need not be in the order of their times.
    while index < log.count, log.row(at: index).timeMs >= first.timeMs - Self.togetherMs {
      if let id = log.row(at: index).actionID { ids.insert(id) }
      index += 1
    }
    guard hasLater, let last = ids.max(), last - from < Self.reach, from <= last else {
      return false
    }
    return (from...last).allSatisfy(ids.contains)
  }

  private static let togetherMs: Int64 = 5000

  // MARK: Facts

  /// The facts that are known: those that were fetched, and those that rows of the log wrote.
  func knownFacts() -> [Fact] {
    if let index { return index.facts }
    var known = facts
    let ids = Set(facts.compactMap(\.id))
    for place in 0..<min(log.count, Self.reach) {
      let view = log.row(at: place)
      guard view.kind == "memory_fact", !view.isGap, let row = row(view.id),
        let id = row.metadata["factId"]?.int, !ids.contains(id)
      else { continue }
      known.append(
        Fact(id: id, guildID: row.guildID, fact: row.string("fact") ?? row.content))
    }
    return known
  }
}
