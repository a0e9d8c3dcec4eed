internal import ClankyWire
package import CockpitStores
internal import CockpitText

/// Counts the rows of the watches, each row once. The same rows give the same troubles.
@MainActor
package struct WatchBoard {
  /// Rows read per call.
  private static let rowBudget = 4_000
  /// Rows that are named as evidence.
  fileprivate nonisolated static let cited = 5

  fileprivate struct Hit: Hashable {
    var ms: Int64
    var row: RowID
  }

  fileprivate struct State {
    let rule: WatchRule
    /// Matching rows within the time of the rule, oldest first.
    var hits: [Hit] = []
    var sinceMs: Int64?
    /// Rows since it began.
    var count = 0
    /// The last of them.
    var last: [Hit] = []
  }

  package let rules: [WatchRule]
  package let scope: GuildScope
  private var states: [State]
  private var cursor = LogCursor(.newest)
  package private(set) var open: [TriageTrouble] = []
  /// Those that ended within the last hour.
  package private(set) var over: [TriageTrouble] = []

  package init(_ rules: [WatchRule], scope: GuildScope = .all) {
    self.rules = rules
    self.scope = scope
    states = rules.map { State(rule: $0) }
  }

  /// Reads new rows, and judges the watches.
  ///
  /// - Returns: whether all rows were read.
  @discardableResult
  package mutating func judge(
    _ log: ActionLog, names: any NameDirectory, freshness: RowFreshness, nowMs: Int64
  ) -> Bool {
    guard !states.isEmpty else { return true }
    let changes = cursor.changes(in: log, budget: Self.rowBudget)
    for id in Array(changes.newer) + Array(changes.older) {
      guard let row = log.row(id), freshness.isLive(row, nowMs: nowMs),
        scope.isAll || scope.holds(row.guildID)
      else { continue }
      for index in states.indices
      where states[index].rule.query.matches(row, names: names, nowMs: nowMs) {
        states[index].take(Hit(ms: row.timeMs, row: id))
      }
    }
    let before = open
    open = states.indices.compactMap { states[$0].trouble(nowMs: nowMs, log) }
    for var trouble in before where !open.contains(where: { $0.id == trouble.id }) {
      trouble.endedMs = nowMs
      over.append(trouble)
    }
    over.removeAll { nowMs - ($0.endedMs ?? nowMs) > TriageBoard.keptMs }
    if over.count > 200 { over.removeFirst(over.count - 200) }
    return cursor.isComplete(in: log)
  }
}

extension WatchBoard.State {
  /// More matching rows within the time are counted, not kept.
  private static let mostHits = 20_000

  fileprivate mutating func take(_ hit: WatchBoard.Hit) {
    var place = hits.count
    while place > 0, hits[place - 1].ms > hit.ms { place -= 1 }
    hits.insert(hit, at: place)
    if hits.count > Self.mostHits { hits.removeFirst(hits.count - Self.mostHits) }
    if sinceMs != nil { count += 1 }
    last.append(hit)
    if last.count > WatchBoard.cited { last.removeFirst() }
  }

  /// It begins with as many rows as the condition says, and is over when fewer than half of them are within its
  /// time: a rate at the limit does not begin and end all the time.
  @MainActor fileprivate mutating func trouble(nowMs: Int64, _ log: ActionLog) -> TriageTrouble? {
    let beginMs = nowMs - rule.withinMs
    let old = hits.prefix { $0.ms < beginMs }.count
    if old > 0 { hits.removeFirst(old) }
    if sinceMs == nil, hits.count >= rule.least {
      sinceMs = hits.first?.ms
      count = hits.count
    } else if sinceMs != nil, hits.count < max(1, (rule.least + 1) / 2) {
      sinceMs = nil
      last = []
    }
    guard let sinceMs else { return nil }
    let sentence =
      "Watch \(rule.name): \(count) \(count == 1 ? "row matches" : "rows match") "
      + "\(rule.text)\(rule.least > 1 ? " (\(rule.least) within \(rule.within) are an alarm)" : "")."
    return TriageTrouble(
      id: .init(rule: rule.rule), level: rule.level, word: "watch", sinceMs: sinceMs, count: count,
      answer: Answer(
        sentence, state: .observed,
        evidence: last.reversed().compactMap { hit in
          log.row(hit.row).map { Answer.Evidence($0, $0.label.title) }
        },
        coverage: .init(fromMs: sinceMs, toMs: nowMs, isComplete: true),
        next: .init("See the rows.", target: .filter(rule.query.filterText))),
      recovery: "Watch \(rule.name) is over.")
  }
}
