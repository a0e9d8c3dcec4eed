/// Values by row, in an array: rows have consecutive numbers, and only the oldest go.
struct RowTable<Value> {
  private var values: [Value?] = []
  /// The row of the first place.
  private var base: RowID = 0
  /// Number of rows with a value.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The rows with a value, in the order of their numbers.
  var rows: [RowID] { values.indices.filter { values[$0] != nil }.map { base + $0 } }

  subscript(row: RowID) -> Value? {
    _read {
      let place = row - base
      yield place >= 0 && place < values.count ? values[place] : nil
    }
    _modify {
      reserve(row)
      if values[row - base] != nil { count -= 1 }
      defer { if values[row - base] != nil { count += 1 } }
      yield &values[row - base]
    }
  }

  /// Removes the rows before a row, and calls back with each of their values.
  mutating func removeAll(before row: RowID, _ body: (RowID, Value) -> Void) {
    let gone = min(max(0, row - base), values.count)
    for place in 0..<gone {
      guard let value = values[place] else { continue }
      values[place] = nil
      count -= 1
      body(base + place, value)
    }
    // Seldom, since it moves the rest.
    guard gone > values.count / 2 else { return }
    values.removeFirst(gone)
    base += gone
  }

  /// Makes a place for a row. Rows are read backwards too: the places before the first one double.
  private mutating func reserve(_ row: RowID) {
    if values.isEmpty { base = row }
    if row < base {
      let room = max(base - row, values.count)
      values.insert(contentsOf: repeatElement(nil, count: room), at: 0)
      base -= room
    } else if row >= base + values.count {
      values.append(contentsOf: repeatElement(nil, count: row - base - values.count + 1))
    }
  }
}
