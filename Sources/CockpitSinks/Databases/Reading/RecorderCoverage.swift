internal import CockpitHistory

/// What one of several recorders of a bot has: from its first to its last record, without its outages. Times are ms since
/// 1970.
struct RecorderCoverage: Hashable {
  var recorder: String
  var fromMs: Int64
  var toMs: Int64
  var outages: [RecordedOutage] = []

  func covers(_ ms: Int64) -> Bool {
    fromMs <= ms && ms <= toMs && !outages.contains { $0.fromMs < ms && ms < $0.toMs }
  }

  /// The outages of recorders without what others have of them.
  static func missing(_ recorders: [RecorderCoverage]) -> [RecordedOutage] {
    recorders.flatMap { own in
      own.outages.flatMap { outage in
        recorders.filter { $0.recorder != own.recorder }
          .reduce([outage]) { left, other in left.flatMap { other.without($0) } }
      }
    }
  }

  /// The parts of an outage that this recorder does not have.
  private func without(_ outage: RecordedOutage) -> [RecordedOutage] {
    // What it has: its stretch, cut at its own outages.
    var had = [(from: max(fromMs, outage.fromMs), to: min(toMs, outage.toMs))]
      .filter { $0.from < $0.to }
    for own in outages {
      had = had.flatMap { part in
        [(part.from, min(part.to, own.fromMs)), (max(part.from, own.toMs), part.to)]
          .filter { $0.0 < $0.1 }.map { (from: $0.0, to: $0.1) }
      }
    }
    guard !had.isEmpty else { return [outage] }
    var left: [RecordedOutage] = []
    var fromMs = outage.fromMs
    for part in had.sorted(by: { $0.from < $1.from }) {
      if part.from > fromMs {
        left.append(RecordedOutage(fromMs: fromMs, toMs: part.from, reason: outage.reason))
      }
      fromMs = max(fromMs, part.to)
    }
    if outage.toMs > fromMs {
      left.append(RecordedOutage(fromMs: fromMs, toMs: outage.toMs, reason: outage.reason))
    }
    return left
  }
}
