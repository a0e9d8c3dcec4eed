/// The ids of stored rows that were seen, as ranges: a log without holes is one range, however
/// long.
struct IDRanges {
  /// Ascending, with at least one missing id between neighbours.
  private var ranges: [ClosedRange<Int>] = []

  /// Beyond this the two oldest ranges merge: an id never seen may then count as known, but only
  /// below tens of thousands of holes.
  static let maxRanges = 65_536

  var isEmpty: Bool { ranges.isEmpty }
  var newest: Int? { ranges.last?.upperBound }

  /// The place of the first range that ends at or behind the id.
  private func place(_ id: Int) -> Int {
    if let last = ranges.last, id > last.upperBound { return ranges.count }
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func contains(_ id: Int) -> Bool {
    let place = place(id)
    return place < ranges.count && ranges[place].lowerBound <= id
  }

  mutating func insert(_ id: Int) {
    let place = place(id)
    if place < ranges.count, ranges[place].lowerBound <= id { return }
    let joinsLeft = place > 0 && ranges[place - 1].upperBound == id - 1
    let joinsRight = place < ranges.count && id < .max && ranges[place].lowerBound == id + 1
    switch (joinsLeft, joinsRight) {
    case (true, true):
      ranges[place - 1] = ranges[place - 1].lowerBound...ranges[place].upperBound
      ranges.remove(at: place)
    case (true, false): ranges[place - 1] = ranges[place - 1].lowerBound...id
    case (false, true): ranges[place] = id...ranges[place].upperBound
    case (false, false): ranges.insert(id...id, at: place)
    }
    if ranges.count > Self.maxRanges {
      ranges[0] = ranges[0].lowerBound...ranges[1].upperBound
      ranges.remove(at: 1)
    }
  }
}
