package import ClankyWire
package import CockpitStores
internal import LenientJSON

/// The rows that exchanges are made of: each is read once, and found by the ids that it names.
@MainActor
package final class ExchangeRows {
  package let log: ActionLog
  /// Voice sessions, up to date with the log; nil leaves voice out.
  package let voice: VoiceStore?
  package let names: any NameDirectory
  /// Now on the backend's clock, in ms since 1970.
  package let nowMs: Int64
  /// What is known of the completeness of the rows; nil counts ids alone.
  package let coverage: LogCoverage?
  /// Whether the newest row of the log was the backend's newest at `nowMs`.
  package let hasNewest: Bool
  /// Facts of the guilds, for prompts.
  package let facts: [Fact]

  private var parsed: [RowID: ExchangeRow] = [:]
  /// Rows by the messages that they name; nil until many exchanges are wanted.
  private var byTrigger: [String: [RowID]]?
  private var writtenFacts: [Fact]?

  /// Rows that are looked at for one exchange, newest first.
  private static let reach = 20_000

  package init(
    _ log: ActionLog, voice: VoiceStore? = nil, names: any NameDirectory = NoNames(),
    facts: [Fact] = [], coverage: LogCoverage? = nil, hasNewest: Bool = false, nowMs: Int64
  ) {
    self.log = log
    self.voice = voice
    self.names = names
    self.facts = facts
    self.coverage = coverage
    self.hasNewest = hasNewest
    self.nowMs = nowMs
  }

  /// A row; nil for a gap, a row of a former log, and one that is no longer kept.
  package func row(_ id: RowID) -> ExchangeRow? {
    if let known = parsed[id] { return known }
    guard let view = log.row(id), !view.isGap, !view.isOfFormerLog else { return nil }
    let row = ExchangeRow(view)
    parsed[id] = row
    return row
  }

  /// Reads every row once, for those who want many exchanges.
  package func indexAll() {
    guard byTrigger == nil else { return }
    var index: [String: [RowID]] = [:]
    for place in 0..<log.count {
      let id = log.rowID(at: place)
      guard let row = row(id) else { continue }
      for trigger in row.triggers { index[trigger, default: []].append(id) }
      if let message = row.messageID, !row.triggers.contains(message) {
        index[message, default: []].append(id)
      }
    }
    byTrigger = index
  }

  /// The rows that name a message, oldest first; actions that were logged twice once.
  func rows(naming message: String) -> [ExchangeRow] {
    let ids = byTrigger.map { $0[message] ?? [] } ?? log.rows(holding: message, limit: Self.reach)
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
    var last = from
    var hasLater = hasNewest
    // Rows with an id on both sides of the end.
    if index > 0 {
      var later = index
      while later > 0 {
        later -= 1
        if let id = log.row(at: later).actionID {
          last = max(last, id)
          hasLater = true
          break
        }
      }
    }
    while index < log.count, log.row(at: index).timeMs >= first.timeMs {
      if let id = log.row(at: index).actionID { last = max(last, id) }
      index += 1
    }
    guard hasLater, last - from < Self.reach else { return false }
    return (from...last).allSatisfy(ids.contains)
  }

  /// The ids of the rows that are here.
  private lazy var ids: Set<Int> = Set((0..<log.count).compactMap { log.row(at: $0).actionID })

  // MARK: Facts

  /// The facts that are known: those that were fetched, and those that rows of the log wrote.
  func knownFacts() -> [Fact] {
    if let writtenFacts { return writtenFacts }
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
    writtenFacts = known
    return known
  }
}
