import ClankyWire
import CockpitHistory
import CockpitRules
import CockpitStores
import LenientJSON

/// Judges days of a recording in one pass over their records, several days at once: each event is read once.
struct DayPass: Sendable {
  private let settings: RuleSettings
  private let history: any HistoryReading
  private let toMs: Int64
  private let outages: [RecordedOutage]

  /// Rows and documents are read in pieces of so long, in ms.
  private static let pieceMs: Int64 = 1_800_000
  private static let batch = 20_000

  /// - Parameters:
  ///   - first: the first day that will be judged.
  ///   - toMs: the end of what is read, ms since 1970.
  init(
    _ settings: RuleSettings, _ history: any HistoryReading, first: Int64, toMs: Int64
  ) throws(HistoryError) {
    (self.settings, self.history, self.toMs) = (settings, history, toMs)
    outages = try history.outages(after: DayJudge.beginMs(first), through: toMs)
      .filter { $0.toMs <= toMs }
  }

  /// - Parameter done: called with each verdict, and whether nothing later changes it.
  /// - Returns: whether it went to the end.
  func judge(
    _ days: ArraySlice<Int64>, progress: (Double) -> Bool,
    done: (DayVerdict, _ isOver: Bool) -> Void
  ) throws(HistoryError) -> Bool {
    guard let first = days.first, let last = days.last else { return true }
    // Only its router is used.
    var reader = RuleEngine(settings)
    var waiting = days
    var judges: [DayJudge] = []
    var at = DayJudge.beginMs(first)
    let begin = at
    let lengthMs = max(1, min(toMs, (last + 1) * DayJudge.dayMs) - begin)
    while at < toMs {
      while let next = waiting.first, DayJudge.beginMs(next) <= at {
        judges.append(DayJudge(day: next, settings))
        waiting.removeFirst()
      }
      guard !judges.isEmpty else {
        guard let next = waiting.first else { break }
        at = min(toMs, DayJudge.beginMs(next))
        continue
      }
      let end = min(toMs, at + Self.pieceMs)
      var events = try rows(after: at, through: end, &reader)
      events += try documents(after: at, through: end)
      let near = outages.filter { $0.toMs > at && $0.fromMs <= end }
      for place in judges.indices { judges[place].take(events, outages: near, through: end) }
      judges.removeAll { judge in
        guard judge.isOver else { return false }
        done(judge.verdict, true)
        return true
      }
      at = end
      guard progress(min(1, Double(at - begin) / Double(lengthMs))) else { break }
    }
    for judge in judges { done(judge.verdict, false) }
    return at >= toMs || judges.isEmpty && waiting.isEmpty
  }

  private func rows(
    after: Int64, through: Int64, _ engine: inout RuleEngine
  ) throws(HistoryError) -> [RuleEvent] {
    var events: [RuleEvent] = []
    var from = after
    while from < through {
      var router = engine.router
      let (rows, end) = try history.rows(after: from, through: through, limit: Self.batch) { name in
        router.wants(ActionLabel(kind: name.kind, event: name.event))
      }
      for row in rows {
        let read = row.json.withUnsafeBytes { json in
          engine.withRouter { RuleRow(json, router: &$0, actionID: row.actionID) }
        }
        if let read { events.append(RuleEvent(read)) }
      }
      from = end
    }
    return events
  }

  private func documents(
    after: Int64, through: Int64
  ) throws(HistoryError) -> [RuleEvent] {
    var events: [RuleEvent] = []
    for document in try history.documents(after: after, through: through) {
      switch document.name {
      case "voice_state":
        guard let json = try? JSONValue.parse(document.body), let state = VoiceState(json) else {
          continue
        }
        events.append(RuleEvent(state, atMs: document.atMs))
      case "stats":
        let stats = document.body.withUnsafeBytes { try? StatsEnvelope.withoutVoice($0) } ?? nil
        if let stats { events.append(RuleEvent(stats, atMs: document.atMs)) }
      default: continue
      }
    }
    return events
  }
}
