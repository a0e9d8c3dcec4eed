internal import ClankyWire

extension ActionLog {
  /// Moves new rows, and rows whose ids became known, to their positions.
  func finishChanges() {
    if !pending.isEmpty {
      place(pending)
      pending.removeAll(keepingCapacity: true)
    }
    if !resorted.isEmpty {
      for time in resorted { resort(time) }
      resorted.removeAll(keepingCapacity: true)
    }
    if hasTakenBack {
      // Followers that sum rows have skipped these; a new generation makes them start again.
      hasTakenBack = false
      generation += 1
    }
    revision += 1
  }

  /// Appends a single row to the order if it belongs at the end.
  @inline(__always)
  func isInOrder(_ row: RowID, _ record: ActionRecord) -> Bool {
    let new = RowKey(record, row: row)
    return order.append(row, isNewer: { key($0) < new }, first: records.first)
  }

  func place(_ rows: [RowID]) {
    if rows.count == 1 {
      order.insert(rows, first: records.first, key: key)
    } else {
      order.insert(rows.sorted { key($0) < key($1) }, first: records.first, key: key)
    }
  }

  /// Sorts the rows of one millisecond again.
  private func resort(_ time: Int64) {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      let row = order.row(at: middle, first: records.first)
      if records[row].timeMs < time { low = middle + 1 } else { high = middle }
    }
    var end = low
    while end < order.count, records[order.row(at: end, first: records.first)].timeMs == time {
      end += 1
    }
    if end - low > 1 { order.sort(low..<end, first: records.first, key: key) }
  }
}
