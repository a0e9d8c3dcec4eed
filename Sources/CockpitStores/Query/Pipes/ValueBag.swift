/// A multiset of numbers, sorted on demand.
struct ValueBag {
  private var sorted: [Int64] = []
  private var added: [Int64] = []
  private var removed: [Int64] = []

  mutating func add(_ value: Int64) { added.append(value) }

  /// Only a value that was added.
  mutating func remove(_ value: Int64) { removed.append(value) }

  /// The values, the smallest first.
  mutating func sortedValues() -> [Int64] {
    guard !added.isEmpty || !removed.isEmpty else { return sorted }
    added.sort()
    removed.sort()
    var merged: [Int64] = []
    merged.reserveCapacity(sorted.count + added.count)
    var (old, new, gone) = (0, 0, 0)
    while old < sorted.count || new < added.count {
      let value: Int64
      if new == added.count || (old < sorted.count && sorted[old] <= added[new]) {
        value = sorted[old]
        old += 1
      } else {
        value = added[new]
        new += 1
      }
      if gone < removed.count, removed[gone] == value { gone += 1 } else { merged.append(value) }
    }
    sorted = merged
    added = []
    removed = []
    return sorted
  }
}
