/// Live rows that had to make room before a list told their ids: one that comes later shall not bring them
/// as new ones (promise P4). Their names stay pinned as long as they are here, since the fingerprint has their
/// numbers.
struct EvictedRows {
  /// Four lists of the length that the backend gives (wire contract 3.2).
  static let limit = 4_096

  /// Rows are found by their time: a list brings hundreds that are none of these, and each of them asks. A row
  /// begins or continues the chain of all whose times fall together.
  private var chains = [Int16](repeating: Link.end, count: limit)
  private var records: [ActionRecord] = []
  /// Of each record the next one of its chain.
  private var following: [Int16] = []
  /// The place of the oldest, once there are as many as are kept.
  private var oldest = 0
  private var count = 0

  private enum Link {
    static let end: Int16 = -1
    /// Of a place whose row was taken out.
    static let free: Int16 = -2
  }

  var isEmpty: Bool { count == 0 }

  /// The chain of a time, by the upper bits of a product with 2^64 divided by the golden ratio (Knuth, The Art of
  /// Computer Programming 3, 6.4): times that are close to each other go to different ones.
  private static func chain(_ timeMs: Int64) -> Int {
    let mixed = UInt64(bitPattern: timeMs) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> UInt64(64 - limit.trailingZeroBitCount))
  }

  /// Keeps a row.
  ///
  /// - Returns: the one that had to go for it, whose names are to be unpinned.
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

  /// Takes out a row of the same time, kind, place and person whose hash is accepted.
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

  /// Forgets all of them.
  ///
  /// - Returns: the rows whose names are to be unpinned.
  mutating func removeAll() -> [ActionRecord] {
    defer { self = EvictedRows() }
    return records.indices.compactMap { following[$0] == Link.free ? nil : records[$0] }
  }
}
