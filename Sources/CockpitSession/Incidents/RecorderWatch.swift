import CockpitHistory
import CockpitRules

/// Tells the rules what the recorder lost while the bot is watched, and that it stands still.
struct RecorderWatch {
  private var told = 0
  private var standingSinceMs: Int64?
  /// A shorter standstill is no incident: the waiting records are written after it.
  private static let patienceMs: Int64 = 60_000

  /// - Parameter state: nil if nothing is recorded.
  mutating func events(_ state: RecorderState?, nowMs: Int64) -> [RuleEvent] {
    guard let state else { return [] }
    var events: [RuleEvent] = []
    let all = state.olderOutages + state.outages.count
    let new = state.outages.dropFirst(max(0, told - state.olderOutages))
    for outage in new { events.append(Self.event(outage.fromMs, outage.toMs, outage.rows)) }
    told = all
    if let since = state.failingSinceMs, nowMs - since >= Self.patienceMs {
      if standingSinceMs != since { events.append(Self.event(since, nowMs, nil)) }
      standingSinceMs = since
    }
    return events
  }

  private static func event(_ fromMs: Int64, _ toMs: Int64, _ rows: Int?) -> RuleEvent {
    RuleEvent(
      timeMs: fromMs, body: .outage(fromMs: fromMs, toMs: toMs, rows: rows), isOfRecorder: true)
  }
}
