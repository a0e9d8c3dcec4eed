/// Finds rows by the hash of their fingerprint: open addressing with four bytes per slot.
///
/// Slots follow the order of the hashes (`hash * slots / 2^32`), so any number of slots will do and
/// the table can grow by a quarter instead of by two.
///
/// Rows that were given up are not taken out, which would be a look at a distant record for every
/// one: their slots are stale, skipped when rows are sought, and used again by new rows.
struct TwinIndex {
  /// Low bits of a row plus one; 0 is a free slot.
  private var slots: [UInt32] = Array(repeating: 0, count: 1024)
  /// Slots that are not free, stale ones among them.
  private var used = 0

  private static let mask: UInt32 = 0x7FFF_FFFF

  var bytes: Int { slots.capacity * 4 }

  @inline(__always)
  private static func home(_ hash: UInt32, _ slots: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(slots)) >> 32)
  }

  @inline(__always)
  private static func row(_ slot: UInt32, first: RowID) -> RowID {
    first &+ Int((slot &- 1 &- UInt32(truncatingIfNeeded: first)) & mask)
  }

  /// The first of the rows `first..<end` with this hash that `isTwin` accepts.
  @inline(__always)
  func find(_ hash: UInt32, first: RowID, end: RowID, where isTwin: (RowID) -> Bool) -> RowID? {
    slots.withUnsafeBufferPointer { slots in
      var at = Self.home(hash, slots.count)
      while slots[at] != 0 {
        let row = Self.row(slots[at], first: first)
        if row < end, isTwin(row) { return row }
        at &+= 1
        if at == slots.count { at = 0 }
      }
      return nil
    }
  }

  /// How many of these rows, which begin with the oldest that is retained, are in the table.
  func count(of rows: Range<RowID>) -> Int {
    slots.count { $0 != 0 && rows.contains(Self.row($0, first: rows.lowerBound)) }
  }

  /// Takes in `row`, the newest; `first` is the oldest that is retained, and `hashOf` gives the
  /// hashes of those between, nil for rows that are not sought.
  mutating func insert(_ row: RowID, hash: UInt32, first: RowID, hashOf: (RowID) -> UInt32?) {
    if (used + 1) * 3 > slots.count * 2 { rebuild(first..<row, hashOf) }
    if Self.place(row, hash: hash, first: first, in: &slots) { used += 1 }
  }

  /// Puts a row into the first slot from its own that is free or stale; true when it was free.
  @inline(__always)
  private static func place(
    _ row: RowID, hash: UInt32, first: RowID, in slots: inout [UInt32]
  ) -> Bool {
    slots.withUnsafeMutableBufferPointer { slots in
      var at = home(hash, slots.count)
      while slots[at] != 0, Self.row(slots[at], first: first) < row {
        at &+= 1
        if at == slots.count { at = 0 }
      }
      let wasFree = slots[at] == 0
      slots[at] = (UInt32(truncatingIfNeeded: row) & mask) &+ 1
      return wasFree
    }
  }

  /// Starts anew with these rows: as large as before when that leaves half of the slots free, so
  /// that it happens once in many rows, and else larger by a quarter.
  private mutating func rebuild(_ rows: Range<RowID>, _ hashOf: (RowID) -> UInt32?) {
    var size = slots.count
    if rows.count * 2 > size { size += size / 4 }
    if size == slots.count {
      for index in slots.indices { slots[index] = 0 }
    } else {
      slots = Array(repeating: 0, count: size)
    }
    used = 0
    for row in rows {
      guard let hash = hashOf(row) else { continue }
      if Self.place(row, hash: hash, first: rows.lowerBound, in: &slots) { used += 1 }
    }
  }
}
