import CockpitAnswers
import CockpitFiles
import CockpitRules
import CockpitText
import TerminalCore

/// Everything that can raise an alarm, in one table.
package struct AlarmRuleTable: Sendable {
  package struct Rule: Hashable, Sendable {
    package var name: String
    package var source: AlarmSource
    package var level: TriageLevel
    /// When it fires, one sentence; the owner's own query for a watch.
    package var condition: String
  }

  package private(set) var rules: [Rule] = []

  /// The rules that are on in these settings, and more watches.
  package init(settings: Settings, more: [WatchRule] = []) {
    let triage = settings.triage
    let names = Set(more.map(\.name))
    if settings.isGateway {
      rules.append(
        Rule(
          name: Alarm.waitsRule, source: .triage, level: .warning, condition: Alarm.waitsCondition))
    }
    for watch in settings.watches.filter({ !names.contains($0.name) }) + more {
      let condition = watch.least > 1 ? " | count >= \(watch.least) in \(watch.within)" : ""
      rules.append(
        Rule(
          name: watch.rule, source: .watch, level: watch.level, condition: watch.text + condition))
    }
    for rule in TriageRule.all
    where !triage.denied.contains(rule.name) && !Alarm.summaries.contains(rule.name) {
      rules.append(
        Rule(
          name: rule.name, source: .of(rule: rule.name),
          level: triage.levels[rule.name] ?? rule.level,
          condition: rule.condition))
    }
    for rule in RuleTable.all where Alarm.isRaised(by: rule.id) {
      let entry = settings.rules[rule.id]
      guard !entry.isOff, settings.isGateway || !rule.input.isOfGateway else { continue }
      rules.append(
        Rule(
          name: AlarmSource.anomalyPrefix + rule.id.rawValue, source: .anomaly,
          level: TriageLevel(entry.level ?? rule.level), condition: rule.condition))
    }
  }

  package var count: Int { rules.count }
  package var names: Set<String> { Set(rules.map(\.name)) }

  /// `; did you mean 'models'?`
  package func hint(_ name: String) -> String {
    name.nearest(of: rules.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The table: name, level, silence, condition.
  package func lines(
    _ silences: AlarmSilences, clock: ClockFormat, nowMs: Int64
  ) -> [PlainText] {
    let width = rules.map { PlainText($0.name).columns }.max() ?? 0
    return rules.map { rule in
      let silence: PlainText =
        if silences.isMuted(rule.name) {
          "muted"
        } else if let ms = silences.snoozedUntilMs[rule.name], ms > nowMs {
          "until " + clock.time(ms: ms).prefix(columns: 5)
        } else {
          ""
        }
      return PlainText(rule.name).padded(to: width) + "  "
        + PlainText(rule.level.rawValue).padded(to: 8) + "  " + silence.padded(to: 11) + "  "
        + PlainText(rule.condition, limit: 200)
    }
  }
}
