/// A recorded row in the order of arrival.
package struct SequencedRow: Hashable, Sendable {
  package var row: RecordedRow
  /// The UTC day of its file, as in `2026-11-24`.
  package var day: String
  /// The number of rows with the same time that arrived before it and are equal to it in `identity`.
  package var ordinal: Int
  /// The same of all rows with the same time.
  package var ordinalInMs: Int

  package init(row: RecordedRow, day: String, ordinal: Int, ordinalInMs: Int) {
    self.row = row
    self.day = day
    self.ordinal = ordinal
    self.ordinalInMs = ordinalInMs
  }
}

/// Reads a history in the order of arrival, for readers that keep a place in it. Not thread-safe.
package final class RowSequence {
  let history: HistoryFolder
  /// What makes two rows of one time equal.
  let identity: ([UInt8]) -> [UInt8]
  /// The counts of equal rows by time, for the times of the last page: a burst within one millisecond is not read
  /// again for each page.
  private var counts: [Int64: [[UInt8]: Int]] = [:]
  /// The sums of these counts.
  private var totals: [Int64: Int] = [:]
  private var lastSeq: Int64 = 0
  /// The files whose learned ids were all given: only the newest file gets more.
  var exhausted: Set<String> = []

  /// - Parameters:
  ///   - folder: of the day files.
  ///   - identity: what makes two rows of one time equal, from the bytes of a row.
  package init(
    _ folder: String, identity: @escaping ([UInt8]) -> [UInt8]
  ) throws(HistoryError) {
    history = try HistoryFolder(folder)
    self.identity = identity
  }

  /// The rows after a place, in the order of arrival.
  ///
  /// - Parameters:
  ///   - limit: the number of rows.
  ///   - bytes: the limit on their JSON; the first row is returned even if it is longer.
  /// - Returns: the rows, and whether one of the limits ended them.
  package func rows(
    after place: SequencePlace, limit: Int, bytes: Int
  ) throws(HistoryError) -> (rows: [SequencedRow], isFull: Bool) {
    let files = try history.pool.files()
    var page: [SequencedRow] = []
    var sum = 0
    for (index, file) in files.enumerated() {
      let day = Self.day(of: file)
      var after = max(place.seq, page.last?.row.seq ?? 0)
      while page.count < limit {
        let wanted = limit - page.count
        // Lengths come first, so that rows beyond the limit of bytes are not unpacked.
        let keys = try history.pool.with(file) { reader throws(DatabaseFailure) in
          try reader.keys("WHERE seq > ? ORDER BY seq LIMIT ?", [after, Int64(wanted)])
        }
        guard let keys, !keys.isEmpty else { break }
        var taken: [HistoryFolder.Found] = []
        var isFull = false
        for key in keys {
          if sum > 0, sum + Int(clamping: key.length) > bytes {
            isFull = true
            break
          }
          sum += Int(clamping: key.length)
          taken.append(HistoryFolder.Found(key: key, file: index))
        }
        let rows = try history.load(taken)
        page += try numbered(rows, day: day, after: after)
        after = taken.last?.key.seq ?? after
        lastSeq = after
        if isFull { return (page, true) }
        if keys.count < wanted { break }
      }
      if page.count >= limit { return (page, true) }
    }
    return (page, false)
  }

  /// The place before the first row that arrived at a time or later.
  ///
  /// - Parameter ms: our time, in ms since 1970.
  package func place(beforeReceivedMs ms: Int64) throws(HistoryError) -> SequencePlace {
    var place = SequencePlace()
    for file in try history.pool.files() {
      let day = Self.day(of: file)
      let found = try history.pool.with(file) { reader throws(DatabaseFailure) in
        (
          try reader.database.number(
            "SELECT min(seq) FROM row WHERE at_ms + delay_ms >= ?", ms),
          try reader.database.number("SELECT max(seq) FROM row")
        )
      }
      guard let found else { continue }
      if let first = found.0 { return SequencePlace(day: day, seq: first - 1) }
      if let last = found.1 { place = SequencePlace(day: day, seq: last) }
    }
    return place
  }

  /// The newest row, whether it can be read or not: its place and when it arrived.
  package func newest() throws(HistoryError) -> (place: SequencePlace, receivedMs: Int64)? {
    for file in try history.pool.files().reversed() {
      let found = try history.pool.with(file) { reader throws(DatabaseFailure) in
        try reader.keys("ORDER BY seq DESC LIMIT 1", [])
      }
      if let key = found?.first {
        return (
          SequencePlace(day: Self.day(of: file), seq: key.seq), key.atMs &+ key.delayMs
        )
      }
    }
    return nil
  }

  static func day(of file: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    return String(name.prefix(10))
  }

  // MARK: equal rows

  private func numbered(
    _ rows: [RecordedRow], day: String, after: Int64
  ) throws(HistoryError) -> [SequencedRow] {
    let times = Set(rows.map(\.atMs))
    if after != lastSeq { counts = [:] }
    counts = counts.filter { times.contains($0.key) }
    totals = totals.filter { times.contains($0.key) }
    for time in times where counts[time] == nil {
      let found = try earlier(time, through: after)
      counts[time] = found
      totals[time] = found.values.reduce(0, +)
    }
    return rows.map { row in
      let same = identity(row.json)
      let ordinal = counts[row.atMs, default: [:]][same, default: 0]
      counts[row.atMs, default: [:]][same] = ordinal + 1
      totals[row.atMs, default: 0] += 1
      return SequencedRow(
        row: row, day: day, ordinal: ordinal, ordinalInMs: totals[row.atMs, default: 1] - 1)
    }
  }

  /// The counts of rows of one time, by what makes them equal, up to a number.
  func earlier(_ atMs: Int64, through seq: Int64) throws(HistoryError) -> [[UInt8]: Int] {
    var counts: [[UInt8]: Int] = [:]
    for (index, file) in try history.pool.files().enumerated() {
      let keys = try history.pool.with(file) { reader throws(DatabaseFailure) in
        try reader.keys("WHERE at_ms = ? AND seq <= ?", [atMs, seq]) { $0.atMs == atMs }
      }
      guard let keys, !keys.isEmpty else { continue }
      let found = keys.map { HistoryFolder.Found(key: $0, file: index) }
      for row in try history.load(found) { counts[identity(row.json), default: 0] += 1 }
    }
    return counts
  }
}
