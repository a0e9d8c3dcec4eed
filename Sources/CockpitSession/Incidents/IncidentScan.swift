import ClankyWire
import CockpitHistory
import CockpitRules
import CockpitStores
import LenientJSON

/// Has the rules judge a stretch of a recording, oldest first, as they would have judged it live.
package struct IncidentScan: Sendable {
  private let settings: RuleSettings

  /// Rows and documents are read in pieces of so long, in ms.
  private static let pieceMs: Int64 = 1_800_000
  private static let batch = 20_000
  /// What began before the stretch is judged too, and not told.
  private static let leadMs: Int64 = 900_000

  package init(_ settings: RuleSettings) { self.settings = settings }

  /// Judges what was recorded from a time to another, ms since 1970.
  ///
  /// - Parameter progress: called with the share that was judged, 0...1; false ends the scan.
  package func report(
    _ history: any HistoryReading, fromMs: Int64, toMs: Int64,
    progress: (Double) -> Bool = { _ in true }
  ) throws(HistoryError) -> IncidentReport {
    var engine = RuleEngine(settings)
    var report = IncidentReport()
    var at = fromMs - Self.leadMs - 1
    let begin = at
    while at < toMs {
      let end = min(toMs, at + Self.pieceMs)
      var events = try rows(history, after: at, through: end, &engine)
      events += try documents(history, after: at, through: end)
      for outage in try history.outages(after: at, through: end) where outage.toMs > at {
        guard outage.toMs <= end else { continue }
        events.append(
          RuleEvent(
            timeMs: outage.fromMs,
            body: .outage(fromMs: outage.fromMs, toMs: outage.toMs, rows: outage.rows)))
      }
      report.events += events.count
      engine.take(events)
      engine.advance(to: end)
      at = end
      guard progress(Double(at - begin) / Double(max(1, toMs - begin))) else { break }
    }
    report.incidents = engine.incidents.filter { $0.toMs >= fromMs && $0.fromMs <= at }
    report.withdrawn = engine.withdrawn.filter { $0.toMs >= fromMs }
    report.judgements = engine.judgements
    report.tooLate = engine.tooLate
    report.fromMs = fromMs
    report.toMs = at
    report.isBehind = at < toMs
    return report
  }

  private func rows(
    _ history: any HistoryReading, after: Int64, through: Int64, _ engine: inout RuleEngine
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
    _ history: any HistoryReading, after: Int64, through: Int64
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
