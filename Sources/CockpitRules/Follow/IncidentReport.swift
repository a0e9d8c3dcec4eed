/// What the rules say of a stretch of time.
package struct IncidentReport: Sendable {
  /// Newest first.
  package var incidents: [Incident] = []
  /// Incidents that rows which came late have withdrawn, newest at the end.
  package var withdrawn: [Incident] = []
  /// Whether each rule could judge, in the order of the table.
  package var judgements: [(rule: Rule, judgement: Judgement)] = []
  /// Since when rows were judged, ms since 1970; nil if there were none.
  package var fromMs: Int64?
  /// Up to when, on the backend's clock.
  package var toMs: Int64?
  /// Rows and documents that some rule looked at.
  package var events = 0
  /// Events that came too late to be judged.
  package var tooLate = 0
  /// Stretches that are not on record, as sentences.
  package var missing: [String] = []
  /// How often rules have fired in the last seven days; nil without a recording.
  package var recent: RecentIncidents?
  /// Whether there are rows left to be judged.
  package var isBehind = false

  package init() {}

  /// - Parameter isWanted: which incidents are meant.
  package func count(_ level: RuleLevel, where isWanted: (Incident) -> Bool = { _ in true }) -> Int
  {
    incidents.count { $0.level == level && isWanted($0) }
  }

  package subscript(id: Incident.ID) -> Incident? {
    incidents.first { $0.id == id } ?? withdrawn.last { $0.id == id }
  }
}
