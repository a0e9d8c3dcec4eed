package import CockpitStores

/// Has the rules judge the log in memory and the documents that come, as they come.
@MainActor
package struct RuleFollower {
  private var engine: RuleEngine
  private let settings: RuleSettings
  private var cursor = LogCursor(.newest, startsOver: true)
  /// Documents since the log was replaced last, so that a new beginning has them too.
  private var documents: [RuleEvent] = []
  private var known: (revision: Int, report: IncidentReport)?
  private var oldestMs: Int64?
  private var events = 0
  private var isBehind = false

  /// How long rows may be on their way, in ms: a deadline passes that much later.
  package nonisolated static let graceMs: Int64 = 2000
  /// Rows read per call: a few ms.
  private static let rowBudget = 1000
  private static let maxDocuments = 400

  package init(_ settings: RuleSettings) {
    self.settings = settings
    engine = RuleEngine(settings)
  }

  /// Takes what came of documents.
  package mutating func take(_ events: [RuleEvent]) {
    guard !events.isEmpty else { return }
    documents += events
    if documents.count > Self.maxDocuments {
      documents.removeFirst(documents.count - Self.maxDocuments)
    }
    self.events += events.count
    engine.take(events)
  }

  /// Judges new rows.
  ///
  /// - Returns: whether all rows were read; else another call is to follow.
  @discardableResult
  package mutating func follow(_ log: ActionLog, nowMs: Int64) -> Bool {
    let changes = cursor.changes(in: log, budget: Self.rowBudget)
    if changes.isRestart {
      engine = RuleEngine(settings)
      engine.take(documents)
      (known, oldestMs, events) = (nil, nil, documents.count)
    }
    var batch: [RuleEvent] = []
    for range in [changes.older, changes.newer] {
      for id in range {
        guard let row = log.row(id), !row.isGap, !row.isOfFormerLog else { continue }
        oldestMs = min(oldestMs ?? row.timeMs, row.timeMs)
        guard let event = read(row) else { continue }
        batch.append(event)
      }
    }
    events += batch.count
    engine.take(batch)
    engine.advance(to: nowMs - Self.graceMs)
    isBehind = !cursor.isComplete(in: log)
    return !isBehind
  }

  private mutating func read(_ row: ActionRowView) -> RuleEvent? {
    let (label, actionID, id) = (row.label, row.actionID, row.id)
    guard engine.withRouter({ $0.wants(label) }) else { return nil }
    let read = row.withRaw { json in
      engine.withRouter {
        RuleRow(json, label: label, router: &$0, actionID: actionID, rowID: id)
      }
    }
    return read.map { RuleEvent($0) }
  }

  /// What the rules say so far.
  package var report: IncidentReport {
    mutating get {
      if known?.revision != engine.revision {
        var report = IncidentReport()
        report.incidents = engine.incidents
        report.withdrawn = engine.withdrawn
        report.judgements = engine.judgements
        known = (engine.revision, report)
      }
      var report = known?.report ?? IncidentReport()
      report.fromMs = oldestMs
      report.toMs = engine.judgedToMs
      report.events = events
      report.tooLate = engine.tooLate
      report.isBehind = isBehind
      return report
    }
  }
}
