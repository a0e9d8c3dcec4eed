import CockpitAnswers
import CockpitRules
import CockpitStores

extension IncidentReport {
  /// The rules that find an absence: somebody who should have had an answer.
  private static let absences: Set<RuleID> = [
    .replyMissing, .ignoredThread, .generatedNotSent, .speechWithoutTurns, .unusualSilence,
  ]

  /// What was to be answered and was not, for the triage line.
  func unanswered(in scope: GuildScope) -> [TriageInput.Unanswered] {
    incidents.filter { incident in
      Self.absences.contains(incident.rule) && incident.level > .info
        && (scope.isAll || incident.guildID.map { scope.holds($0) } ?? true)
    }.map {
      TriageInput.Unanswered(
        sentence: $0.sentence, fromMs: $0.fromMs, toMs: $0.toMs,
        isCritical: $0.level == .critical, count: $0.count)
    }
  }
}
