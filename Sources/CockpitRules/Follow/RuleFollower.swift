package import CockpitStatistics
package import CockpitStores

/// Has the rules judge the log in memory and the documents that come, as they come.
@MainActor
package struct RuleFollower {
  private var engine: RuleEngine
  private var settings: RuleSettings
  private var cursor = LogCursor(.oldest, startsOver: true)
  /// Documents since the log was replaced last, so that a new beginning has them too.
  private var documents: [RuleEvent] = []
  private var known: (revision: Int, sinceMs: Int64?, report: IncidentReport)?
  private var oldestMs: Int64?
  private var events = 0
  private var isBehind = false

  /// How long rows may be on their way, in ms: a deadline passes that much later.
  package nonisolated static let graceMs: Int64 = 2000
  /// Rows read per call: a few ms.
  private static let rowBudget = 1000
  private static let maxDocuments = 400

  /// Kinds of rows whose absence is a finding: since when none of them is missing, incidents are certain.
  package nonisolated static let kinds: Set<String> = [
    "text_runtime", "voice_runtime", "voice_error", "voice_turn_in", "voice_turn_out",
    "voice_session_end", "sent_reply", "sent_message", "reply_skipped", "reacted", "llm_error",
    "bot_error", "bot_lifecycle", "automation_created", "automation_updated",
    "automation_run", "automation_error", "automation_post", "initiative_post",
  ]

  private let keptEvents: Int

  /// - Parameter keptEvents: as in `RuleEngine`.
  package init(_ settings: RuleSettings, keptEvents: Int = RuleEngine.keptEvents) {
    self.settings = settings
    self.keptEvents = keptEvents
    engine = RuleEngine(settings, keptEvents: keptEvents)
  }

  /// Sets when the bot spoke in recorded weeks, and what their hours cost: all that is here is judged again.
  package mutating func compare(with hours: HourTable, spend: DayProfile) {
    // Without a budget nothing looks at the costs.
    let spend = settings.hasBudget ? spend : nil
    guard hours != settings.hours || spend != settings.spend else { return }
    (settings.hours, settings.spend) = (hours, spend)
    startOver()
    cursor = LogCursor(.oldest, startsOver: true)
  }

  private mutating func startOver() {
    engine = RuleEngine(settings, keptEvents: keptEvents)
    engine.take(documents)
    (known, oldestMs, events) = (nil, nil, documents.count)
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
    if changes.isRestart { startOver() }
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
  ///
  /// - Parameter sinceMs: since when no row of `kinds` is missing, ms since 1970; nil if that is not known of any
  ///   time. What began before it is not told: its end may be what is missing.
  package mutating func report(sinceMs: Int64?) -> IncidentReport {
    if known?.revision != engine.revision || known?.sinceMs != sinceMs {
      var report = IncidentReport()
      if let sinceMs { report.incidents = engine.incidents.filter { $0.fromMs >= sinceMs } }
      report.withdrawn = engine.withdrawn
      report.judgements = engine.judgements
      known = (engine.revision, sinceMs, report)
    }
    var report = known?.report ?? IncidentReport()
    report.fromMs = oldestMs.flatMap { oldest in sinceMs.map { max($0, oldest) } }
    report.toMs = engine.judgedToMs
    report.events = events
    report.tooLate = engine.tooLate
    report.isBehind = isBehind
    return report
  }
}
