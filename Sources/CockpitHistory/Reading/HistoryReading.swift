internal import ClankyWire
package import CockpitDomain

/// Reads a recorded history: the folder of a bot, or one bundle.
///
/// Calls may come from several threads at once: each uses a connection of its own. None waits for the recorder, and
/// each sees what was committed before it. Times are milliseconds since 1970 on the backend's clock. Rows are in the
/// order of `HistoryPlace`; their ids and bytes are the last known ones. Damaged records are left out: once read,
/// they appear in `outages` and are counted in `damage`.
package protocol HistoryReading: Sendable {
  /// The times of the oldest and the newest row; nil if there is none.
  func span() throws(HistoryError) -> ClosedRange<Int64>?

  /// The newest rows that are not after a time, newest first.
  ///
  /// - Parameter skipping: how many of the newest ones to leave out: a feed pages back with it.
  func rows(notAfterMs: Int64, limit: Int, skipping: Int) throws(HistoryError) -> [RecordedRow]

  /// The newest rows before a place, newest first: paging back without counting.
  func rows(before: HistoryPlace, limit: Int) throws(HistoryError) -> [RecordedRow]

  /// The rows after one time and not after another, oldest first. The rows of the last millisecond are all there,
  /// even beyond the limit: the next call begins after the time of the last row.
  func rows(after: Int64, through: Int64, limit: Int) throws(HistoryError) -> [RecordedRow]

  /// The same of rows with certain names, without reading the others.
  ///
  /// - Parameter limit: of all rows, with or without such a name.
  /// - Returns: the rows, and up to when they were read: the next call begins after that time.
  func rows(
    after: Int64, through: Int64, limit: Int, named isWanted: (RowName) -> Bool
  ) throws(HistoryError) -> (rows: [RecordedRow], throughMs: Int64)

  /// The newest rows of a voice session that are not after a time, newest first.
  func sessionRows(_ session: String, notAfterMs: Int64, limit: Int) throws(HistoryError)
    -> [RecordedRow]

  /// The row with an id of the backend, the newest one if its log was replaced.
  func row(actionID: Int) throws(HistoryError) -> RecordedRow?

  /// The last document of a name that is not after a time.
  func document(_ name: String, notAfterMs: Int64) throws(HistoryError) -> RecordedDocument?

  /// The names of all documents that are not after a time, sorted.
  func documentNames(notAfterMs: Int64) throws(HistoryError) -> [String]

  /// The documents after one time and not after another, in order of arrival.
  func documents(after: Int64, through: Int64) throws(HistoryError) -> [RecordedDocument]

  /// The link records after one time and not after another, in order of arrival.
  func links(after: Int64, through: Int64) throws(HistoryError) -> [RecordedLink]

  /// The last link record of one type that is not after a time.
  func link(_ what: RecordedLink.What, notAfterMs: Int64) throws(HistoryError) -> RecordedLink?

  /// The stretches without records that touch a stretch of time, by their beginning. They may overlap.
  func outages(after: Int64, through: Int64) throws(HistoryError) -> [RecordedOutage]

  /// The stretches in which a recorder ran and rows are missing, that touch a stretch of time, by their beginning. They
  /// may overlap.
  func gaps(after: Int64, through: Int64) throws(HistoryError) -> [RecordedGap]

  /// The counts of rows in equal parts of a stretch of time.
  func density(after: Int64, through: Int64, buckets: Int) throws(HistoryError) -> [DensityBucket]

  /// What the rows after one time and not after another cost, in 10⁻⁹ US dollars.
  func costNanos(after: Int64, through: Int64) throws(HistoryError) -> Int64

  /// The time of the nearest thing of a sort before (older) or after (newer) a time; nil if there is none.
  func next(_ what: HistoryMark, from: Int64, isOlder: Bool) throws(HistoryError) -> Int64?

  /// The user's marks, oldest first.
  func marks() throws(HistoryError) -> [HistoryNotes.Mark]

  /// The stretches that the user keeps, by their beginning.
  func pins() throws(HistoryError) -> [HistoryNotes.Pin]

  /// Searches the words of all rows, newest first.
  func search(_ query: HistorySearch, limit: Int) throws(HistoryError) -> HistoryHits

  /// The records that could not be read so far.
  var damage: HistoryDamage { get }

  /// What the history is called from which the rows of a time come, such as `team history`; nil for the one of this
  /// machine.
  func origin(atMs: Int64) -> String?

  /// What is wrong with the way to a part of the history, such as `team history down 4 min`; nil while all is well.
  var trouble: String? { get }

  /// Ends calls that wait for another machine, on other threads, with `HistoryError.Reason.cancelled`.
  func cancel()
}

/// What a row is called.
package struct RowName: Hashable, Sendable {
  package var kind: String
  /// The event that the content of a container names (`ActionLabel.event`).
  package var event: String?
  /// Whether it reports an error, in its kind or its metadata.
  package var isFailure: Bool

  package init(kind: String, event: String?, isFailure: Bool) {
    (self.kind, self.event, self.isFailure) = (kind, event, isFailure)
  }
}

extension HistoryReading {
  /// Pages from the end of the millisecond.
  package func rows(
    notAfterMs: Int64, limit: Int, skipping: Int
  ) throws(HistoryError) -> [RecordedRow] {
    guard limit > 0, skipping >= 0 else { return [] }
    let place = HistoryPlace(atMs: notAfterMs, seq: .max)
    return Array(try rows(before: place, limit: limit + skipping).dropFirst(skipping))
  }

  package func origin(atMs: Int64) -> String? { nil }

  package var trouble: String? { nil }

  package func cancel() {}

  /// Reads each link record.
  package func gaps(after: Int64, through: Int64) throws(HistoryError) -> [RecordedGap] {
    try RecordedGap.open(
      try links(after: after, through: .max), self, after: after, through: through)
  }

  /// Reads each row.
  package func rows(
    after: Int64, through: Int64, limit: Int, named isWanted: (RowName) -> Bool
  ) throws(HistoryError) -> (rows: [RecordedRow], throughMs: Int64) {
    let all = try rows(after: after, through: through, limit: limit)
    let wanted = all.filter { row in
      guard let columns = row.json.withUnsafeBytes({ RowColumns($0) }) else { return false }
      return isWanted(
        RowName(
          kind: columns.kind, event: columns.event,
          isFailure: columns.flags & DayFormat.failedFlag != 0))
    }
    return (wanted, all.count < limit ? through : all.last?.atMs ?? through)
  }

  /// Reads each row.
  package func costNanos(after: Int64, through: Int64) throws(HistoryError) -> Int64 {
    var (sum, fromMs) = (Int64(0), after)
    while fromMs < through {
      let rows = try rows(after: fromMs, through: through, limit: 5000)
      for row in rows {
        let scan = row.json.withUnsafeBytes { try? ActionScanner.scan($0) }
        sum = sum.addingReportingOverflow(scan?.costNanos ?? 0).partialValue
      }
      guard rows.count >= 5000, let last = rows.last else { break }
      fromMs = last.atMs
    }
    return sum
  }
}

/// Records that cannot be read.
package struct HistoryDamage: Hashable, Sendable {
  /// Damaged rows.
  package var rows = 0
  /// Damaged documents and link records.
  package var records = 0
  /// Files that cannot be read at all, or only in part, with the reason.
  package var files: [String: String] = [:]

  package init() {}
}
