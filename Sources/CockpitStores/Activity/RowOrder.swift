/// The sort key of rows: time, then the backend's id, then arrival (contract 4.2). A row without an
/// id sorts as newer than others of the same millisecond.
struct RowKey: Comparable {
  var timeMs: Int64
  var actionID: Int64
  var row: RowID

  @inline(__always)
  init(_ record: ActionRecord, row: RowID) {
    timeMs = record.timeMs
    actionID = record.actionID == ActionRecord.noID ? .max : record.actionID
    self.row = row
  }

  @inline(__always)
  static func < (left: RowKey, right: RowKey) -> Bool {
    if left.timeMs != right.timeMs { return left.timeMs < right.timeMs }
    if left.actionID != right.actionID { return left.actionID < right.actionID }
    return left.row < right.row
  }
}

/// Rows in display order, oldest first, four bytes each. A row in order costs an append.
struct RowOrder {
  /// Low halves of rows; the first `head` are removed.
  private var rows: [UInt32] = []
  private var head = 0

  var count: Int { rows.count - head }
  var bytes: Int { rows.capacity * 4 }

  /// The row at a place counted from the oldest.
  @inline(__always)
  func row(at index: Int, first: RowID) -> RowID {
    first &+ Int(rows[head &+ index] &- UInt32(truncatingIfNeeded: first))
  }

  /// The first index whose key is not below `key`.
  func lowerBound(_ key: RowKey, first: RowID, key keyOf: (RowID) -> RowKey) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if keyOf(row(at: middle, first: first)) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds a row that is newer than all others, as nearly all are; false if it is not.
  @inline(__always)
  mutating func append(_ row: RowID, isNewer: (_ than: RowID) -> Bool, first: RowID) -> Bool {
    guard rows.count == head || isNewer(self.row(at: count - 1, first: first)) else { return false }
    if rows.count == rows.capacity { reserve(1) }
    rows.append(UInt32(truncatingIfNeeded: row))
    return true
  }

  /// Takes in rows that are sorted by their keys. In order: appended. Else: one merge for all.
  mutating func insert(_ sorted: [RowID], first: RowID, key keyOf: (RowID) -> RowKey) {
    guard let lowest = sorted.first else { return }
    reserve(sorted.count)
    if count == 0 || keyOf(row(at: count - 1, first: first)) < keyOf(lowest) {
      for row in sorted { rows.append(UInt32(truncatingIfNeeded: row)) }
      return
    }
    // Where each belongs among the old ones; then whole pieces move up, the last one first.
    let places = sorted.map { lowerBound(keyOf($0), first: first, key: keyOf) + head }
    var end = rows.count
    rows.append(contentsOf: repeatElement(0, count: sorted.count))
    rows.withUnsafeMutableBufferPointer { all in
      guard let base = all.baseAddress else { return }
      for (index, place) in places.enumerated().reversed() {
        (base + place + index + 1).update(from: base + place, count: end - place)
        base[place + index] = UInt32(truncatingIfNeeded: sorted[index])
        end = place
      }
    }
  }

  /// Grows by a quarter instead of by two.
  private mutating func reserve(_ more: Int) {
    let needed = rows.count + more
    if needed > rows.capacity { rows.reserveCapacity(max(1024, needed + needed / 4)) }
  }

  /// Re-sorts a range whose keys have changed.
  mutating func sort(_ range: Range<Int>, first: RowID, key keyOf: (RowID) -> RowKey) {
    var sorted = range.map { row(at: $0, first: first) }
    sorted.sort { keyOf($0) < keyOf($1) }
    for (index, row) in zip(range, sorted) { rows[head + index] = UInt32(truncatingIfNeeded: row) }
  }

  /// Removes the rows in `gone`, all of which are present. `first` is still the oldest of them.
  mutating func remove(_ gone: Range<RowID>, first: RowID) {
    let leading = (0..<min(gone.count, count)).allSatisfy {
      gone.contains(row(at: $0, first: first))
    }
    if leading {
      head += min(gone.count, count)
    } else {
      var to = head
      for index in 0..<count {
        let raw = rows[head + index]
        if !gone.contains(row(at: index, first: first)) {
          rows[to] = raw
          to += 1
        }
      }
      rows.removeLast(rows.count - to)
    }
    if head > 4096, head > rows.count / 8 {
      rows.removeFirst(head)
      head = 0
    }
  }
}
