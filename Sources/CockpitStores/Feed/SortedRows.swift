/// Rows in display order, oldest first.
struct SortedRows {
  private(set) var rows: [RowID] = []

  var count: Int { rows.count }

  subscript(index: Int) -> RowID { rows[index] }

  mutating func removeAll() { rows = [] }

  /// - Parameter start: none before this index is removed.
  mutating func removeAll(from start: Int = 0, where isGone: (RowID) -> Bool) {
    rows.replaceSubrange(start..., with: rows[start...].filter { !isGone($0) })
  }

  mutating func removeFirst(_ count: Int) { rows.removeFirst(count) }

  /// Adds rows that are not among them. In order: appended. Else: one merge for all.
  ///
  /// - Parameter start: none is added before this index.
  mutating func insert(_ found: [RowID], from start: Int = 0, _ log: ActionLog) {
    guard !found.isEmpty else { return }
    let sorted = found.sorted { log.key($0) < log.key($1) }
    guard let last = rows.last, log.key(sorted[0]) < log.key(last) else {
      rows += sorted
      return
    }
    let later = rows[start...]
    var merged: [RowID] = []
    merged.reserveCapacity(later.count + sorted.count)
    var next = 0
    for row in later {
      let key = log.key(row)
      while next < sorted.count, log.key(sorted[next]) < key {
        merged.append(sorted[next])
        next += 1
      }
      merged.append(row)
    }
    rows.replaceSubrange(start..., with: merged + sorted[next...])
  }

  /// The first index whose row is not before `key`; evicted rows are before everything.
  func lowerBound(_ key: RowKey, _ log: ActionLog) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      let row = rows[middle]
      if row < log.firstRow || log.key(row) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The index of a retained row; nil if it is not among them.
  func index(of row: RowID, _ log: ActionLog) -> Int? {
    guard row >= log.firstRow, row < log.endRow else { return nil }
    let place = lowerBound(log.key(row), log)
    return place < rows.count && rows[place] == row ? place : nil
  }
}
