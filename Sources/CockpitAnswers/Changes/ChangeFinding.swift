internal import CockpitStatistics
internal import CockpitStores

/// A moment from which on a figure is greater or smaller, and what else changed then.
package struct ChangeFinding: Hashable, Sendable {
  /// As in `Comparison.Figure`.
  package var figure: String
  package var title: String
  package var unit: Comparison.Unit
  /// The first turn after it, in ms since 1970.
  package var timeMs: Int64
  package var p: Double
  /// The medians of both sides; of shares the means.
  package var before: Double
  package var after: Double
  package var countBefore: Int
  package var countAfter: Int
  package var evidence: Answer.Evidence
  /// What the ledger has of the same time: at the same time, not because of it.
  package var together: [LedgerChange]

  /// A change of the ledger counts so long before or after, in ms.
  package static let togetherMs: Int64 = 600_000
  /// The last turns that are looked at.
  package static let longest = 200

  /// Every change point of every figure, oldest first.
  package static func all(in units: CompareUnits) -> [ChangeFinding] {
    typealias Turn = CompareUnits.Turn
    func latency(_ isVoice: Bool) -> (Turn) -> Double? {
      { $0.isVoice == isVoice ? $0.latencyMs.map { Double($0) } : nil }
    }
    func skips(_ isVoice: Bool) -> (Turn) -> Double? {
      { $0.isVoice == isVoice && $0.isDecided ? ($0.isSilence ? 1 : 0) : nil }
    }
    let series: [(String, String, Comparison.Unit, (Turn) -> Double?)] = [
      ("voice_reply_p50", "voice reply", .ms, latency(true)),
      ("text_reply_p50", "text reply", .ms, latency(false)),
      ("text_skips", "text skipped", .share, skips(false)),
      ("voice_skips", "voice skipped", .share, skips(true)),
      ("cost", "cost per reply", .usd, { $0.isAnswered ? $0.costUSD : nil }),
      (
        "tokens", "tokens per reply", .tokens,
        { $0.isAnswered ? $0.tokens.map { Double($0) } : nil }
      ),
    ]
    return series.flatMap { id, title, unit, value in
      let points = units.turns.compactMap { turn in value(turn).map { (turn, $0) } }
      return find(Array(points.suffix(longest)), id, title, unit, units.changes)
    }.sorted { ($0.timeMs, $0.figure) < ($1.timeMs, $1.figure) }
  }

  private static func find(
    _ points: [(turn: CompareUnits.Turn, value: Double)], _ id: String, _ title: String,
    _ unit: Comparison.Unit, _ changes: [LedgerChange]
  ) -> [ChangeFinding] {
    ChangePoint.steps(in: points.map(\.value)).map { step in
      let point = step.point
      let before = points[step.before].map(\.value)
      let after = points[step.after].map(\.value)
      let turn = points[point.index].turn
      let last = points[point.index - 1].turn.timeMs
      // The change lies between two turns.
      let near = changes.filter {
        $0.timeMs >= last - togetherMs && $0.timeMs <= turn.timeMs + togetherMs
      }
      return ChangeFinding(
        figure: id, title: title, unit: unit, timeMs: turn.timeMs, p: point.p,
        before: middle(before, unit), after: middle(after, unit), countBefore: before.count,
        countAfter: after.count, evidence: turn.evidence, together: near)
    }
  }

  private static func middle(_ values: [Double], _ unit: Comparison.Unit) -> Double {
    unit == .share
      ? values.reduce(0, +) / Double(max(1, values.count)) : Quantile.median(values) ?? 0
  }
}
