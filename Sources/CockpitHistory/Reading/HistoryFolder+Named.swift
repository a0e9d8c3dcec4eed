/// Rows with certain names, without reading the bytes of the others.
extension HistoryFolder {
  package func rows(
    after: Int64, through: Int64, limit: Int, named isWanted: (RowName) -> Bool
  ) throws(HistoryError) -> (rows: [RecordedRow], throughMs: Int64) {
    guard limit > 0, through > after else { return ([], through) }
    let files = try filesWithRows().files.filter {
      $0.span.upperBound > after && $0.span.lowerBound <= through
    }
    var found: [Found] = []
    var throughMs = through
    for file in files {
      let more = try pool.with(file.path) { reader throws(DatabaseFailure) in
        let first = try reader.database.number(
          "SELECT at_ms FROM row WHERE at_ms > ? AND at_ms <= ? ORDER BY at_ms LIMIT 1 OFFSET ?",
          after, through, Int64(limit - 1))
        let end = min(first ?? through, throughMs)
        return (try reader.keys(after: after, through: end, named: isWanted), end)
      }
      guard let (keys, end) = more else { continue }
      throughMs = min(throughMs, end)
      found += keys.map { Found(key: $0, file: file.index) }
    }
    found.removeAll { $0.key.atMs > throughMs }
    found.sort { $0.key.place < $1.key.place }
    return (try load(found), throughMs)
  }
}

extension DayReader {
  /// The columns of the rows with certain names after one time and not after another, by time.
  func keys(
    after: Int64, through: Int64, named isWanted: (RowName) -> Bool
  ) throws(DatabaseFailure) -> [RowKey] {
    let names = try database.statement("SELECT id, text FROM name WHERE sort IN ('kind', 'event')")
    var texts: [Int64: String] = [:]
    while try names.step() { texts[names.int(0)] = names.text(1) }
    names.reset()
    let rows = try database.statement(
      """
      SELECT \(RowKey.columns), kind, event, flags FROM row
      WHERE at_ms > ? AND at_ms <= ? ORDER BY at_ms, seq
      """)
    rows.bind(after, at: 1)
    rows.bind(through, at: 2)
    defer { rows.reset() }
    var known: [[Int64]: Bool] = [:]
    var keys: [RowKey] = []
    do throws(DatabaseFailure) {
      while try rows.step() {
        let isFailure = rows.int(9) & DayFormat.failedFlag
        let name = [rows.int(7), rows.isNull(8) ? -1 : rows.int(8), isFailure]
        let isMeant: Bool
        if let decided = known[name] {
          isMeant = decided
        } else {
          isMeant = isWanted(
            RowName(
              kind: texts[name[0]] ?? "", event: texts[name[1]], isFailure: isFailure != 0))
          known[name] = isMeant
        }
        if isMeant { keys.append(RowKey(rows)) }
      }
    } catch {
      // The rows before the damaged page are good.
      guard error.isDamage else { throw error }
      damage.note(file: path, "a page of it is damaged")
    }
    return keys
  }
}
