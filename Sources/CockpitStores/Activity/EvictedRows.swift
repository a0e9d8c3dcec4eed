/// Live rows evicted before a list brought their ids: a later list must not add them as new rows
/// (promise P4). Their names stay pinned while they are here, because the fingerprint contains the
/// names' numbers.
struct EvictedRows {
  /// Four lists of the length that the backend gives (wire contract 3.2).
  static let limit = 4_096

  /// Hash chains by time: a list brings hundreds of rows that are not here, and each is looked up.
  /// A row starts or continues the chain of its bucket.
  private var chains = [Int16](repeating: Link.end, count: limit)
  private var records: [ActionRecord] = []
  /// The next record of each record's chain.
  private var following: [Int16] = []
  /// The place of the oldest, once there are as many as are kept.
  private var oldest = 0
  private var count = 0

  private enum Link {
    static let end: Int16 = -1
    /// Marks a free slot.
    static let free: Int16 = -2
  }

  var isEmpty: Bool { count == 0 }

  /// The chain of a time, by the upper bits of a product with 2^64 divided by the golden ratio (Knuth, The Art of
  /// Computer Programming 3, 6.4): times that are close to each other go to different ones.
  private static func chain(_ timeMs: Int64) -> Int {
    let mixed = UInt64(bitPattern: timeMs) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> UInt64(64 - limit.trailingZeroBitCount))
  }

  /// Adds a row.
  ///
  /// - Returns: the row it displaced, whose names must be unpinned.
  mutating func keep(_ record: ActionRecord) -> ActionRecord? {
    var place = records.count
    var gone: ActionRecord?
    if place < Self.limit {
      records.append(record)
      following.append(Link.free)
    } else {
      place = oldest
      oldest = (oldest + 1) % Self.limit
      if following[place] != Link.free {
        gone = records[place]
        unlink(place)
      }
      records[place] = record
    }
    let chain = Self.chain(record.timeMs)
    following[place] = chains[chain]
    chains[chain] = Int16(place)
    count += 1
    return gone
  }

  /// Removes and returns a row of the same time, kind, place and user whose hash is accepted.
  mutating func take(
    like record: ActionRecord, where isMeant: (ActionRecord) -> Bool
  ) -> ActionRecord? {
    var place = chains[Self.chain(record.timeMs)]
    while place != Link.end {
      let other = records[Int(place)]
      if other.timeMs == record.timeMs, other.label == record.label, other.place == record.place,
        other.user == record.user, isMeant(other)
      {
        unlink(Int(place))
        return other
      }
      place = following[Int(place)]
    }
    return nil
  }

  private mutating func unlink(_ place: Int) {
    let chain = Self.chain(records[place].timeMs)
    if chains[chain] == place {
      chains[chain] = following[place]
    } else {
      var before = Int(chains[chain])
      while following[before] != place { before = Int(following[before]) }
      following[before] = following[place]
    }
    following[place] = Link.free
    count -= 1
  }

  /// Removes all rows.
  ///
  /// - Returns: the rows whose names must be unpinned.
  mutating func removeAll() -> [ActionRecord] {
    defer { self = EvictedRows() }
    return records.indices.compactMap { following[$0] == Link.free ? nil : records[$0] }
  }
}
