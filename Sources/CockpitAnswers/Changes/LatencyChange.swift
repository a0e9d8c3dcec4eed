internal import CockpitStatistics
package import CockpitStores

/// A turn of a session from which on spoken answers take longer or shorter: a change point of the totals, found as
/// `ChangeFinding` finds those of the compared figures.
package struct LatencyChange: Hashable, Sendable {
  /// The first turn after it, in ms since 1970.
  package var timeMs: Int64
  /// The place of that turn among `LatencyStats.points`.
  package var index: Int
  /// The medians of the turns up to the neighbouring changes, in ms, and how many turns those are.
  package var beforeMs: Int
  package var afterMs: Int
  package var countBefore: Int
  package var countAfter: Int

  /// The changes among the last turns of a session, oldest first; none with fewer than thirty measured turns.
  package static func all(in stats: LatencyStats) -> [LatencyChange] {
    let measured = stats.points.enumerated().compactMap { index, point in
      point.totalMs.map { (index: index, timeMs: point.timeMs, ms: Double($0)) }
    }.suffix(ChangeFinding.longest)
    let turns = Array(measured)
    return ChangePoint.steps(in: turns.map(\.ms)).compactMap { step in
      let turn = turns[step.point.index]
      guard let old = Quantile.median(turns[step.before].map(\.ms)),
        let new = Quantile.median(turns[step.after].map(\.ms))
      else { return nil }
      return LatencyChange(
        timeMs: turn.timeMs, index: turn.index, beforeMs: Int(old.rounded()),
        afterMs: Int(new.rounded()), countBefore: step.before.count,
        countAfter: step.after.count)
    }
  }
}
