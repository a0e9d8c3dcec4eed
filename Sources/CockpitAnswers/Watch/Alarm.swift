package import CockpitStores

/// What an alarm comes from. The raw values are the words of `--json`.
package enum AlarmSource: String, CaseIterable, Hashable, Sendable {
  /// A query of the owner's.
  case watch
  /// A rule of the triage.
  case triage
  /// A promise of `[slo]`.
  case promise
  /// A rule of `CockpitRules`.
  case anomaly

  package static func of(rule: String) -> AlarmSource {
    if rule.hasPrefix(WatchRule.prefix) { return .watch }
    if rule == TriageRule.sloName { return .promise }
    return rule.hasPrefix(anomalyPrefix) ? .anomaly : .triage
  }

  /// What the names of the rules of `CockpitRules` begin with in alarms.
  package static let anomalyPrefix = "anomaly."
}

/// Something that is wrong and may be told to somebody who does not look: the rows of one table, whatever found it.
package struct Alarm: Hashable, Sendable {
  package var trouble: TriageTrouble
  /// Whether it rests on rows or states that came while somebody watched.
  package var isLive: Bool

  package init(_ trouble: TriageTrouble, isLive: Bool) {
    self.trouble = trouble
    self.isLive = isLive
  }

  /// The name that is muted and snoozed.
  package var rule: String { trouble.rule }
  package var source: AlarmSource { .of(rule: trouble.rule) }
  /// Rule and subject: of one key there is one alarm at a time.
  package var key: String { Self.key(trouble.id) }

  package static func key(_ id: TriageTrouble.ID) -> String {
    id.subject.map { id.rule + "/" + $0.prefix(120) } ?? id.rule
  }

  /// The rule for pending requests of a gateway. Its alarms have no limit per rule, and end when the gateway no
  /// longer lists the request.
  package static let waitsRule = "waits"

  /// Rules of the triage that sum up incidents: each of these raises an alarm of its own, with its rows.
  package static let summaries: Set<String> = [TriageRule.unanswered.name]

  /// What is open in a report.
  @MainActor
  package static func all(
    in report: TriageReport, log: ActionLog, freshness: RowFreshness, nowMs: Int64
  ) -> [Alarm] {
    report.open.filter { !summaries.contains($0.rule) }.map { trouble in
      let rows = trouble.answer.evidence.compactMap(\.rowID)
      // A promise rests on old rows too: it is the window that has changed.
      let isState = rows.isEmpty || trouble.rule == TriageRule.sloName
      let isLive =
        isState
        || rows.contains { id in
          log.row(id).map { freshness.isLive($0, nowMs: nowMs) } ?? false
        }
      return Alarm(trouble, isLive: isLive)
    }
  }
}
