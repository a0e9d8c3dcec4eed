internal import CockpitDomain
internal import Networking

/// Which row ids are accounted for, as compressed ranges. Ids up to `floor` do not matter: they were
/// there before we were.
package struct SeenIDs: Sendable, Equatable {
  /// An honest log does not produce more separate ranges; the oldest are dropped.
  static let maximumRanges = 4_096
  /// Ids outside are not believed: a thousand rows a second take 35 years to get there, while a
  /// single odd number, once believed, would make every honest row look like an old one.
  static let believable = 0...(1 << 40)

  /// Every id up to here is accounted for; nil before the first id.
  package private(set) var floor: Int?
  /// Sorted, disjoint, never adjacent, all above `floor`.
  package private(set) var ranges: [ClosedRange<Int>] = []

  package init() {}

  /// Whether no id is known yet.
  package var isEmpty: Bool { floor == nil }

  /// The largest id accounted for.
  package var newest: Int? { ranges.last?.upperBound ?? floor }

  /// Starts with a first batch; ids below its newest row are ignored.
  package mutating func start(_ ids: some Sequence<Int>) {
    ranges = []
    floor = ids.filter(Self.believable.contains).max()
  }

  /// Starts when rows were expected before the first one came: ids below it may be holes.
  package mutating func startEmpty(_ ids: some Sequence<Int>) {
    ranges = []
    floor = ids.contains(where: Self.believable.contains) ? 0 : nil
    insert(ids)
  }

  /// Accounts for ids in any order, known ones included.
  package mutating func insert(_ ids: some Sequence<Int>) {
    let sorted = ids.filter(Self.believable.contains).sorted()
    guard let first = sorted.first else { return }
    if floor == nil {
      floor = sorted[sorted.count - 1]
      return
    }
    var lower = first
    var upper = first
    for id in sorted.dropFirst() {
      if id <= upper + 1 {
        upper = id
      } else {
        insert(lower...upper)
        lower = id
        upper = id
      }
    }
    insert(lower...upper)
  }

  /// Accounts for a whole range, for example one that was reported as missing for good.
  package mutating func insert(_ range: ClosedRange<Int>) {
    guard let floor, range.upperBound > floor else { return }
    var lower = max(range.lowerBound, floor + 1)
    var upper = range.upperBound
    // First range that touches [lower, upper] or lies above it.
    let start = partition { $0.upperBound >= lower - 1 }
    var end = start
    while end < ranges.count, ranges[end].lowerBound <= upper + 1 {
      lower = min(lower, ranges[end].lowerBound)
      upper = max(upper, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(start..<end, with: CollectionOfOne(lower...upper))
    normalize()
  }

  /// Ids above the floor that are missing below the newest one.
  package var holes: [ClosedRange<Int>] {
    guard var expected = floor else { return [] }
    var result: [ClosedRange<Int>] = []
    for range in ranges {
      if range.lowerBound > expected + 1 { result.append((expected + 1)...(range.lowerBound - 1)) }
      expected = range.upperBound
    }
    return result
  }

  /// Whether an id is accounted for.
  package func contains(_ id: Int) -> Bool {
    guard let floor else { return false }
    if id <= floor { return true }
    let index = partition { $0.upperBound >= id }
    return index < ranges.count && ranges[index].contains(id)
  }

  private mutating func normalize() {
    if let floor, let first = ranges.first, first.lowerBound == floor + 1 {
      self.floor = first.upperBound
      ranges.removeFirst()
    }
    if ranges.count > Self.maximumRanges {
      let dropped = ranges.count - Self.maximumRanges
      floor = ranges[dropped - 1].upperBound
      ranges.removeFirst(dropped)
    }
  }

  /// Index of the first range for which `matches` holds; it must hold for all later ones.
  private func partition(_ matches: (ClosedRange<Int>) -> Bool) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if matches(ranges[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
