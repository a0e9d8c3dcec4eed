package import ClankyWire

/// The delays of a session's spoken replies and how one turn compares (contract 5.2.14, 7.2).
package struct LatencyStats: Hashable, Sendable {
  /// A measured turn.
  package struct Point: Hashable, Sendable {
    /// Milliseconds since 1970.
    package var timeMs: Int64
    /// The total, in ms; nil if no stage was measured.
    package var totalMs: Int?
    fileprivate var stages: [LatencyStage: Int]

    /// In ms.
    package subscript(stage: LatencyStage) -> Int? { stages[stage] }

    fileprivate init(timeMs: Int64, totalMs: Int?, _ value: (LatencyStage) -> Int?) {
      self.timeMs = timeMs
      self.totalMs = totalMs
      stages = Dictionary(
        uniqueKeysWithValues: LatencyStage.allCases.compactMap { stage in
          value(stage).map { (stage, $0) }
        })
    }
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
      points.append(
        Point(timeMs: latency.mark.timeMs, totalMs: latency.totalMs) { latency[$0] })
    }
    sort()
  }

  /// The row of a turn is written within milliseconds of its entry in the voice state (contract 5.2.14).
  private static let sameMs: Int64 = 1000

  /// Adds the latencies that the voice state reports for turns whose rows are not stored: those
  /// before the start, or before the oldest row.
  package func with(_ told: [LatencyTurn]) -> LatencyStats {
    var all = self
    for turn in told {
      guard let at = turn.at?.milliseconds,
        !points.contains(where: {
          abs($0.timeMs.subtractingReportingOverflow(at).partialValue) <= Self.sameMs
        })
      else { continue }
      all.points.append(Point(timeMs: at, totalMs: turn.totalMs) { turn[$0] })
    }
    guard all.points.count > points.count else { return self }
    all.sort()
    return all
  }

  private mutating func sort() {
    points.sort { ($0.timeMs, $0.totalMs ?? 0) < ($1.timeMs, $1.totalMs ?? 0) }
    sortedTotals = points.compactMap(\.totalMs).sorted()
    for stage in LatencyStage.allCases {
      let values = points.compactMap { $0[stage] }
      sortedStages[stage] = values.isEmpty ? nil : values.sorted()
    }
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

  /// The stage that made a turn slow: the one furthest above its own p50 of the session, in ms;
  /// with fewer than three turns to compare, the longest. nil if nothing was measured.
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

  /// The parts missing from the total (contract 9.3).
  package static let leftOut =
    "without the recogniser's own time (start to transcript) and the wait in the queue"

  static func summary(_ sorted: [Int]) -> Summary {
    Summary(
      count: sorted.count, p50: percentile(50, of: sorted), p95: percentile(95, of: sorted),
      mean: mean(of: sorted))
  }

  /// nil without values. Computed in doubles: untrusted values may overflow an `Int`.
  static func mean(of values: [Int]) -> Int? {
    guard !values.isEmpty else { return nil }
    return Int(values.reduce(0.0) { $0 + Double($1) } / Double(values.count))
  }

  /// Nearest rank: the smallest value with at least `percent` of the values at or below it.
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

extension LatencyTurn {
  /// In ms.
  fileprivate subscript(stage: LatencyStage) -> Int? {
    switch stage {
    case .finalizedToAsr: finalizedToAsrStartMs
    case .asrToGeneration: asrToGenerationStartMs
    case .generationToReply: generationToReplyRequestMs
    case .replyToAudio: replyRequestToAudioStartMs
    }
  }
}
