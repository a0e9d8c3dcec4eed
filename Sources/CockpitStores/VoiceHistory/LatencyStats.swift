/// The delays of a session's spoken replies and how one turn compares (contract 5.2.14, 7.2).
package struct LatencyStats: Hashable, Sendable {
  /// A measured turn.
  package struct Point: Hashable, Sendable {
    package var turnID: VoiceTurnRecord.ID
    /// Milliseconds since 1970.
    package var timeMs: Int64
    package var latency: VoiceTurnRecord.Latency
    /// The total, in ms; nil when no stage was measured.
    package var totalMs: Int? { latency.totalMs }
  }

  package struct Summary: Hashable, Sendable {
    /// Measured turns.
    package var count: Int
    /// Nearest rank; nil without a measured turn.
    package var p50: Int?
    package var p95: Int?
    package var mean: Int?
  }

  /// Turns with a complete measurement, oldest first.
  package private(set) var points: [Point] = []
  private var sortedTotals: [Int] = []
  private var sortedStages: [LatencyStage: [Int]] = [:]

  package init(turns: [VoiceTurnRecord]) {
    for turn in turns {
      guard let latency = turn.latency, latency.isComplete else { continue }
      points.append(Point(turnID: turn.id, timeMs: latency.mark.timeMs, latency: latency))
      if let total = latency.totalMs { sortedTotals.append(total) }
      for stage in LatencyStage.allCases {
        if let value = latency[stage] { sortedStages[stage, default: []].append(value) }
      }
    }
    points.sort { ($0.timeMs, $0.turnID) < ($1.timeMs, $1.turnID) }
    sortedTotals.sort()
    for stage in sortedStages.keys { sortedStages[stage]?.sort() }
  }

  package var total: Summary { Self.summary(sortedTotals) }

  package func summary(of stage: LatencyStage) -> Summary {
    Self.summary(sortedStages[stage] ?? [])
  }

  /// The last turns, oldest first.
  package func trend(last count: Int) -> ArraySlice<Point> { points.suffix(max(0, count)) }

  /// The share of the session's turns that were at most this slow, 1...100; nil without turns.
  package func rank(ofTotal ms: Int) -> Int? { Self.rank(ms, in: sortedTotals) }

  package func rank(of ms: Int, in stage: LatencyStage) -> Int? {
    Self.rank(ms, in: sortedStages[stage] ?? [])
  }

  /// The stage that made a turn slow: the one that is furthest over its own p50 of the session, in
  /// ms; with fewer than three turns to compare, the longest. Nil when nothing was measured.
  package func blamed(for latency: VoiceTurnRecord.Latency) -> LatencyStage? {
    let measured = LatencyStage.allCases.compactMap { stage in
      latency[stage].map { (stage, $0) }
    }
    let over = measured.compactMap { stage, ms -> (LatencyStage, Int)? in
      let summary = summary(of: stage)
      guard summary.count >= 3, let p50 = summary.p50, ms > p50 else { return nil }
      return (stage, ms - p50)
    }
    return (over.isEmpty ? measured : over).max { $0.1 < $1.1 }?.0
  }

  /// What the total does not hold (contract 9.3, rule 15).
  package static let leftOut =
    "without the recogniser's own time (start to transcript) and the wait in the queue"

  static func summary(_ sorted: [Int]) -> Summary {
    Summary(
      count: sorted.count, p50: percentile(50, of: sorted), p95: percentile(95, of: sorted),
      mean: mean(of: sorted))
  }

  /// Nil for no values. In doubles: values of a stranger may add up to more than an `Int` holds.
  static func mean(of values: [Int]) -> Int? {
    guard !values.isEmpty else { return nil }
    return Int(values.reduce(0.0) { $0 + Double($1) } / Double(values.count))
  }

  /// Nearest rank: the smallest value with at least so many percent at or below it.
  static func percentile(_ percent: Int, of sorted: [Int]) -> Int? {
    guard !sorted.isEmpty else { return nil }
    let rank = (percent * sorted.count + 99) / 100
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  static func rank(_ ms: Int, in sorted: [Int]) -> Int? {
    guard !sorted.isEmpty else { return nil }
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] <= ms { low = middle + 1 } else { high = middle }
    }
    return max(1, (100 * low + sorted.count - 1) / sorted.count)
  }
}
