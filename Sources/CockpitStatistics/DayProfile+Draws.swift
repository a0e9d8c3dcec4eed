extension DayProfile {
  /// One draw: the total at the end of the day, and when it reaches a limit.
  struct Walk {
    var sum: Double
    /// In hours since midnight; infinite if the limit is not reached on this day.
    var reached: Double

    /// Adds the remaining part of an hour.
    ///
    /// - Parameters:
    ///   - whole: the sum of the whole hour.
    ///   - start: where in the day the part begins.
    ///   - part: how much of the hour it is.
    mutating func add(_ whole: Double, at start: Double, part: Double, limit: Double?) {
      let more = whole * part
      if let limit, reached == .infinity, sum + more >= limit, more > 0 {
        reached = start + part * (limit - sum) / more
      }
      sum += more
    }
  }

  /// A multiset of results of draws.
  struct Tally {
    private var counts: [Double: Int] = [:]

    mutating func add(_ value: Double) { counts[value, default: 0] += 1 }

    /// The values, the lowest first, each as often as it was drawn.
    func ranked() -> [Double] {
      counts.sorted { $0.key < $1.key }.flatMap { Array(repeating: $0.key, count: $0.value) }
    }
  }
}
