internal import Synchronization

/// What is so now, beside the rows: written by the recorder, read when metrics are.
package final class LiveFigures: Sendable {
  package struct Figures: Hashable, Sendable {
    /// By stream: 1 live, 0.5 stale or polled, 0 down.
    package var up: [String: Double] = [:]
    package var voiceSessions: Int?
    package var voicePeople: Int?
    package var pendingTurns: Int?
    package var gaps: Int?
    package var recorderLagMs: Int64?
    package var recorderLost: Int?
    package var historyBytes: Int?
    package var historyOldestMs: Int64?

    package init() {}
  }

  private let figures = Mutex(Figures())

  package init() {}

  package func set(_ new: Figures) { figures.withLock { $0 = new } }
  package var now: Figures { figures.withLock { $0 } }
}

extension LiveFigures.Figures {
  /// As gauges; what is not known is left out.
  var gauges: [MetricName: [(labels: [(String, String)], value: Double)]] {
    var gauges: [MetricName: [(labels: [(String, String)], value: Double)]] = [:]
    gauges[.up] = up.sorted { $0.key < $1.key }.map { ([("stream", $0.key)], $0.value) }
    func set(_ metric: MetricName, _ value: Double?) {
      if let value { gauges[metric] = [([], value)] }
    }
    set(.voiceSessions, voiceSessions.map(Double.init))
    set(.voicePeople, voicePeople.map(Double.init))
    set(.pendingTurns, pendingTurns.map(Double.init))
    set(.gaps, gaps.map(Double.init))
    set(.recorderLag, recorderLagMs.map { Double($0) / 1000 })
    set(.recorderLost, recorderLost.map(Double.init))
    set(.historyBytes, historyBytes.map(Double.init))
    set(.historyOldest, historyOldestMs.map { Double($0) / 1000 })
    return gauges
  }
}
