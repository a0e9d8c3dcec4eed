import CockpitAnswers
import CockpitRules
import CockpitStores

extension Alarm {
  /// Rules that a rule of the triage covers: one trouble raises one alarm.
  private static let covered: Set<RuleID> = [
    .mcpDown, .gatewayFlapping, .tunnelNotReady, .budget, .automationMissed, .turnsPilingUp,
    .silentBackend, .errorBurst, .notRecorded,
  ]

  /// Whether incidents of a rule raise alarms.
  package static func isRaised(by rule: RuleID) -> Bool { !covered.contains(rule) }

  /// The incidents that have just happened. An incident has no end: it is one for as long as its repeats count as the
  /// same.
  @MainActor
  package static func all(
    in report: IncidentReport, log: ActionLog, freshness: RowFreshness, nowMs: Int64
  ) -> [Alarm] {
    report.incidents.filter {
      isRaised(by: $0.rule) && nowMs - $0.toMs < Incident.repeatMs && $0.toMs <= nowMs + 60_000
    }.prefix(100).map { incident in
      let rows = incident.evidence.compactMap(\.rowID)
      let isLive =
        rows.isEmpty
        ? incident.fromMs >= freshness.sinceMs
        : rows.contains { id in
          log.row(id).map { freshness.isLive($0, nowMs: nowMs) } ?? false
        }
      return Alarm(TriageTrouble(incident), isLive: isLive)
    }
  }
}

extension TriageTrouble {
  /// An incident in the form of the one table of alarms.
  init(_ incident: Incident) {
    let evidence = incident.evidence.reversed().map { cite in
      Answer.Evidence(
        rowID: cite.rowID, actionID: cite.actionID, timeMs: cite.timeMs, kind: cite.name,
        claim: cite.words.isEmpty ? cite.name : cite.words)
    }
    self.init(
      id: ID(rule: AlarmSource.anomalyPrefix + incident.rule.rawValue, subject: incident.id),
      level: TriageLevel(incident.level), word: "incident", sinceMs: incident.fromMs,
      count: incident.count,
      answer: Answer(
        incident.sentence, state: .observed, evidence: evidence,
        coverage: .init(fromMs: incident.fromMs, toMs: incident.toMs, isComplete: true),
        next: .init(incident.advice)),
      recovery: "It has not happened again for 5 min.")
  }
}

extension TriageLevel {
  init(_ level: RuleLevel) { self = TriageLevel(rawValue: level.rawValue) ?? .warning }
}
