package import CockpitDomain
package import CockpitHistory

/// The history of one bot in a team's database.
///
/// Rows are ordered as in a local history: by time and, within a millisecond, in the order in which the recorder that sent
/// them had them.
package final class SharedHistory: HistoryReading {
  let database: any SharedDatabase
  let dialect: SharedDialect
  /// The SQL that means the bot.
  let bot: String
  private let name: String

  /// Rows of one statement.
  static let pageRows = 2000
  /// More rows than asked for: those that stand at the same place as the last one, of other recorders, belong to the page.
  private static let slack = 8

  /// - Parameter name: what it is called on the screen, such as `team history`.
  package init(_ database: any SharedDatabase, bot: SharedBot, name: String) {
    self.database = database
    dialect = database.dialect
    self.bot = bot.condition
    self.name = name
  }

  package var damage: HistoryDamage { HistoryDamage() }

  package func origin(atMs: Int64) -> String? { name }

  package func cancel() { database.cancel() }

  // MARK: rows

  private var columns: String {
    "seq, \(dialect.ms("at")), \(dialect.ms(dialect.arrived)), action_id, origins, body"
  }

  func select(_ rest: String) throws(HistoryError) -> [RecordedRow] {
    try database.rows("SELECT \(columns) FROM \(dialect.action) WHERE \(bot) AND \(rest)")
      .map { row in
        RecordedRow(
          seq: row.int(0), atMs: row.int(1), receivedMs: row.int(2),
          actionID: row.number(3).flatMap { Int(exactly: $0) },
          channels: RowOrigins(rawValue: UInt8(truncatingIfNeeded: row.int(4))),
          json: row[5] ?? [])
      }
  }

  package func span() throws(HistoryError) -> ClosedRange<Int64>? {
    let row = try database.rows(
      """
      SELECT \(dialect.ms("min(at)")), \(dialect.ms("max(at)")), count(*) FROM \(dialect.action)
      WHERE \(bot)
      """
    ).first
    guard let row, row.int(2) > 0, let first = row.number(0), let last = row.number(1),
      first <= last
    else { return nil }
    return first...last
  }

  package func rows(before place: HistoryPlace, limit: Int) throws(HistoryError) -> [RecordedRow] {
    var (rows, from) = ([RecordedRow](), place)
    while rows.count < limit {
      let page = try page(before: from, limit: min(limit - rows.count, Self.pageRows))
      rows += page.rows
      guard !page.isLast, let last = page.rows.last else { break }
      from = last.place
    }
    return rows
  }

  /// The newest rows before a place that meet a condition.
  ///
  /// - Returns: them, and whether there are no older ones.
  func page(
    before place: HistoryPlace, limit: Int, _ condition: String? = nil
  ) throws(HistoryError) -> (rows: [RecordedRow], isLast: Bool) {
    let at = dialect.time(place.atMs)
    let wanted = condition.map { "\($0) AND " } ?? ""
    let count = limit + Self.slack
    func read(_ bound: String) throws(HistoryError) -> [RecordedRow] {
      try select(
        """
        \(wanted)at <= \(at) AND (at < \(at) OR seq < \(place.seq))\(bound)
        ORDER BY at DESC, seq DESC, key DESC LIMIT \(count)
        """)
    }
    var found: [RecordedRow] = []
    if dialect == .clickHouse {
      // `FINAL` would read the bodies of all older rows: where the page begins is found without them. A row may be
      // there twice, and more often only until parts are merged.
      found = try read(
        """
         AND at >= (SELECT min(at) FROM (SELECT at FROM clanky.action WHERE \(bot) AND \(wanted)at <= \(at)
          ORDER BY at DESC LIMIT \(count * 2)))
        """)
    }
    if found.count < count { found = try read("") }
    guard found.count > limit else { return (found, found.count < limit + Self.slack) }
    let last = found[limit - 1].place
    return (Array(found.prefix(limit) + found.dropFirst(limit).prefix { $0.place == last }), false)
  }

  package func rows(
    after: Int64, through: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] {
    guard limit > 0, through > after else { return [] }
    let found = try select(
      """
      at > \(dialect.time(after)) AND at <= \(dialect.time(through))
      ORDER BY at, seq, key LIMIT \(limit + Self.slack)
      """)
    guard found.count > limit else { return found }
    let lastMs = found[limit - 1].atMs
    if found.count < limit + Self.slack || found.last?.atMs != lastMs {
      return found.filter { $0.atMs <= lastMs }
    }
    // More rows have the time of the last one than were read.
    return found.filter { $0.atMs < lastMs }
      + (try select("at = \(dialect.time(lastMs)) ORDER BY seq, key"))
  }

  package func rows(
    after: Int64, through: Int64, limit: Int, named isWanted: (RowName) -> Bool
  ) throws(HistoryError) -> (rows: [RecordedRow], throughMs: Int64) {
    guard limit > 0, through > after else { return ([], through) }
    let from = "at > \(dialect.time(after)) AND at <= "
    let last = try database.rows(
      """
      SELECT \(dialect.ms("at")) FROM \(dialect.action) WHERE \(bot) AND \(from)\(dialect.time(through))
      ORDER BY at LIMIT 1 OFFSET \(limit - 1)
      """
    ).first?.number(0)
    let endMs = last ?? through
    let stretch = from + dialect.time(endMs)
    let names = try database.rows(
      """
      SELECT DISTINCT kind, \(dialect.event), CASE WHEN \(dialect.isFailure) THEN 1 ELSE 0 END
      FROM \(dialect.action) WHERE \(bot) AND \(stretch)
      """)
    let wanted = names.filter { name in
      let event = name.text(1)
      return isWanted(
        RowName(
          kind: name.text(0), event: event.isEmpty ? nil : event, isFailure: name.int(2) == 1))
    }.map { name in
      "(kind = \(dialect.text(name.text(0))) AND \(dialect.event) = \(dialect.text(name.text(1)))"
        + " AND \(name.int(2) == 1 ? "" : "NOT ")(\(dialect.isFailure)))"
    }
    guard !wanted.isEmpty else { return ([], endMs) }
    return (
      try select("\(stretch) AND (\(wanted.joined(separator: " OR "))) ORDER BY at, seq, key"),
      endMs
    )
  }

  package func sessionRows(
    _ session: String, notAfterMs: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] {
    guard limit > 0 else { return [] }
    let place = HistoryPlace(atMs: notAfterMs, seq: .max)
    return Array(
      try page(before: place, limit: limit, "session = \(dialect.text(session))").rows
        .prefix(limit))
  }

  package func row(actionID: Int) throws(HistoryError) -> RecordedRow? {
    try select("action_id = \(actionID) ORDER BY at DESC, seq DESC LIMIT 1").first
  }

  // MARK: figures

  package func density(
    after: Int64, through: Int64, buckets: Int
  ) throws(HistoryError) -> [DensityBucket] {
    var answer = [DensityBucket](repeating: DensityBucket(), count: max(0, buckets))
    let (length, isOver) = through.subtractingReportingOverflow(after)
    guard buckets > 0, length > 0, !isOver, length < 1 << 50 else { return answer }
    let part = dialect.quotient("(\(dialect.ms("at")) - \(after) - 1) * \(buckets)", length)
    let found = try database.rows(
      """
      SELECT \(part), count(*), sum(CASE WHEN \(dialect.isFailure) THEN 1 ELSE 0 END),
        sum(CASE WHEN \(dialect.isVoice) THEN 1 ELSE 0 END)
      FROM \(dialect.action)
      WHERE \(bot) AND at > \(dialect.time(after)) AND at <= \(dialect.time(through)) GROUP BY 1
      """)
    for row in found where answer.indices.contains(Int(clamping: row.int(0))) {
      answer[Int(row.int(0))] = DensityBucket(
        rows: Int(clamping: row.int(1)), failures: Int(clamping: row.int(2)),
        voice: Int(clamping: row.int(3)))
    }
    return answer
  }

  package func costNanos(after: Int64, through: Int64) throws(HistoryError) -> Int64 {
    try database.rows(
      """
      SELECT sum(cost_nanos) FROM \(dialect.action)
      WHERE \(bot) AND at > \(dialect.time(after)) AND at <= \(dialect.time(through))
      """
    ).first?.int(0) ?? 0
  }

  package func next(
    _ what: HistoryMark, from: Int64, isOlder: Bool
  ) throws(HistoryError) -> Int64? {
    switch what {
    case .error: return try nearest(dialect.isFailure, from, isOlder)
    case .turn:
      func list(_ names: Set<String>) -> String {
        names.sorted().map(dialect.text).joined(separator: ", ")
      }
      return try nearest(
        "(kind IN (\(list(TurnRow.kinds))) OR event IN (\(list(TurnRow.events))))", from, isOlder)
    case .mark: return nil
    case .gap:
      let links = try links(after: .min, through: .max)
      let times =
        try outages(after: .min, through: .max).map(\.fromMs)
        + links.filter { $0.what == .gap }.map(\.atMs)
      return isOlder ? times.filter { $0 < from }.max() : times.filter { $0 > from }.min()
    case .day: return try span().flatMap { HistoryMark.day(in: $0, from: from, isOlder: isOlder) }
    }
  }

  private func nearest(
    _ condition: String, _ from: Int64, _ isOlder: Bool
  ) throws(HistoryError) -> Int64? {
    try database.rows(
      """
      SELECT \(dialect.ms("at")) FROM \(dialect.action)
      WHERE \(bot) AND \(condition) AND at \(isOlder ? "<" : ">") \(dialect.time(from))
      ORDER BY at \(isOlder ? "DESC" : "ASC") LIMIT 1
      """
    ).first?.number(0)
  }

  /// Marks are notes of one machine.
  package func marks() throws(HistoryError) -> [HistoryNotes.Mark] { [] }

  package func pins() throws(HistoryError) -> [HistoryNotes.Pin] { [] }

  // MARK: search

  package func search(_ query: HistorySearch, limit: Int) throws(HistoryError) -> HistoryHits {
    var hits = HistoryHits()
    guard limit > 0 else { return hits }
    var conditions = query.terms.filter { !$0.isExcluded }.map(dialect.holds)
    if !query.labels.isEmpty {
      let labels = query.labels.sorted().map(dialect.text).joined(separator: ", ")
      conditions.append("(kind IN (\(labels)) OR event IN (\(labels)))")
    }
    if query.afterMs > .min { conditions.append("at > \(dialect.time(query.afterMs))") }
    let condition = conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    var place = HistoryPlace(atMs: query.throughMs, seq: .max)
    if let before = query.before { place = min(place, before) }
    while true {
      // What an index finds is a candidate: phrases and exclusions are looked at here.
      let page = try page(before: place, limit: max(limit, 100), condition)
      for row in page.rows {
        hits.readRows += 1
        guard query.holds(row) else { continue }
        hits.rows.append(row)
        if hits.rows.count >= limit {
          hits.next = row.place
          return hits
        }
      }
      guard !page.isLast, let last = page.rows.last else { return hits }
      place = last.place
    }
  }
}
