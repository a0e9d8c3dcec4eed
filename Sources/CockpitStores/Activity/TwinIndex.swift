/// Finds rows by their fingerprint hash: open addressing with five bytes per slot. One byte is a
/// tag from the hash: it rules out nearly every row without a twin, without touching the distant
/// record.
///
/// Slots follow the order of the hashes (`hash * slots / 2^32`), so any number of slots works and
/// the table can grow by a quarter instead of doubling.
///
/// Evicted rows are not removed, which would touch a distant record for each: their slots are
/// stale, skipped by searches and reused by new rows.
struct TwinIndex: ~Copyable {
  /// Number of slots and tags.
  private var size = 1024
  /// Low bits of a row plus one.
  private var slots = Self.zeros(UInt32.self, 1024)
  /// One tag byte of the hash per slot, never 0; 0 marks a free slot. Many tags share a cache line.
  private var tags = Self.zeros(UInt8.self, 1024)
  /// Slots that are not free, stale ones among them.
  private var used = 0

  init() {}

  deinit {
    slots.deallocate()
    tags.deallocate()
  }

  /// Raw memory instead of arrays, whose uniqueness check would run twice per row.
  private static func zeros<Number: FixedWidthInteger>(
    _: Number.Type, _ size: Int
  ) -> UnsafeMutablePointer<Number> {
    let numbers = UnsafeMutablePointer<Number>.allocate(capacity: size)
    numbers.initialize(repeating: 0, count: size)
    return numbers
  }

  private static let mask: UInt32 = 0x7FFF_FFFF

  var bytes: Int { size * 5 }

  @inline(__always)
  private static func home(_ hash: UInt32, _ slots: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(slots)) >> 32)
  }

  /// The low bits of a hash: its place follows from the high ones.
  @inline(__always)
  private static func tag(_ hash: UInt32) -> UInt8 { max(1, UInt8(truncatingIfNeeded: hash)) }

  @inline(__always)
  private static func row(_ slot: UInt32, first: RowID) -> RowID {
    first &+ Int((slot &- 1 &- UInt32(truncatingIfNeeded: first)) & mask)
  }

  /// The first of the rows `first..<end` with this hash that `isTwin` accepts.
  @inline(__always)
  func find(_ hash: UInt32, first: RowID, end: RowID, where isTwin: (RowID) -> Bool) -> RowID? {
    // A home slot is below `size`, and so is every wrapped successor.
    let tag = Self.tag(hash)
    var at = Self.home(hash, size)
    while tags[at] != 0 {
      if tags[at] == tag {
        let row = Self.row(slots[at], first: first)
        if row < end, isTwin(row) { return row }
      }
      at &+= 1
      if at == size { at = 0 }
    }
    return nil
  }

  /// How many of these rows, which start with the oldest stored one, are in the table.
  func count(of rows: Range<RowID>) -> Int {
    (0..<size).count { at in
      tags[at] != 0 && rows.contains(Self.row(slots[at], first: rows.lowerBound))
    }
  }

  /// Takes in `row`, the newest; `first` is the oldest that is retained, and `hashOf` gives the
  /// hashes of those between, nil for rows that are not sought.
  mutating func insert(_ row: RowID, hash: UInt32, first: RowID, hashOf: (RowID) -> UInt32?) {
    if (used + 1) * 3 > size * 2 { rebuild(first..<row, hashOf) }
    place(row, hash: hash, first: first)
  }

  /// Puts a row into the first slot from its own that is free or stale.
  @inline(__always)
  private mutating func place(_ row: RowID, hash: UInt32, first: RowID) {
    // A third of the slots is free at least, so there is an end to it.
    var at = Self.home(hash, size)
    while tags[at] != 0, Self.row(slots[at], first: first) < row {
      at &+= 1
      if at == size { at = 0 }
    }
    if tags[at] == 0 { used &+= 1 }
    slots[at] = (UInt32(truncatingIfNeeded: row) & Self.mask) &+ 1
    tags[at] = Self.tag(hash)
  }

  /// Rebuilds the table with these rows: at the same size if that leaves half of the slots free, so
  /// that rebuilding is rare, and else larger by a quarter.
  private mutating func rebuild(_ rows: Range<RowID>, _ hashOf: (RowID) -> UInt32?) {
    var size = size
    if rows.count * 2 > size { size += size / 4 }
    if size == self.size {
      tags.update(repeating: 0, count: size)
    } else {
      slots.deallocate()
      tags.deallocate()
      (slots, tags) = (Self.zeros(UInt32.self, size), Self.zeros(UInt8.self, size))
      self.size = size
    }
    used = 0
    for row in rows {
      guard let hash = hashOf(row) else { continue }
      // None of them is stale: the first free slot is the place.
      var at = Self.home(hash, size)
      while tags[at] != 0 {
        at &+= 1
        if at == size { at = 0 }
      }
      slots[at] = (UInt32(truncatingIfNeeded: row) & Self.mask) &+ 1
      tags[at] = Self.tag(hash)
      used &+= 1
    }
  }
}
