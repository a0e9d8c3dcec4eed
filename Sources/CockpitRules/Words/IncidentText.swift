package import CockpitText
package import TerminalCore

/// Incidents as lines of text: the same on the screen and in a pipe.
package struct IncidentText {
  private let report: IncidentReport
  private let clock: ClockFormat

  package init(_ report: IncidentReport, clock: ClockFormat) {
    self.report = report
    self.clock = clock
  }

  /// One sentence: how many of which level, and in which window.
  package func sentence(_ incidents: [Incident]) -> PlainText {
    let counts = RuleLevel.allCases.reversed().compactMap { level -> PlainText? in
      let count = incidents.count { $0.level == level }
      return count == 0 ? nil : Figures.count(count) + " " + PlainText(level.rawValue)
    }
    let what = counts.isEmpty ? "No incident" : counts.joined(separator: ", ")
    return what + window
  }

  /// Which rows were judged, as ` from 22:00:00 to 08:00:00`.
  package var window: PlainText {
    guard let from = report.fromMs else { return ": no row to judge yet" }
    let behind: PlainText = report.isBehind ? ", older rows are still being read" : ""
    return " from " + moment(from) + (report.toMs.map { " to " + moment($0) } ?? "") + behind
  }

  /// What limits the answer: late events, stretches that are missing, rules that cannot judge.
  package var notes: [PlainText] {
    var notes = report.missing.map { PlainText($0, limit: 300) }
    if report.tooLate > 0 {
      notes.append(Figures.count(report.tooLate) + " events came too late to be judged.")
    }
    let unknown = report.judgements.filter {
      if case .unknown = $0.judgement { true } else { false }
    }
    if !unknown.isEmpty {
      let names = unknown.map { PlainText($0.rule.id.rawValue) }.joined(separator: ", ")
      notes.append("Not judged: " + names + " ('incidents --rules' says why).")
    }
    if !report.withdrawn.isEmpty {
      notes.append(
        Figures.count(report.withdrawn.count)
          + (report.withdrawn.count == 1 ? " incident was" : " incidents were")
          + " withdrawn by rows that came late.")
    }
    return notes
  }

  /// Day and time where the window is longer than a day.
  package func moment(_ ms: Int64) -> PlainText {
    let isLong = (report.toMs ?? ms) - (report.fromMs ?? ms) > 72_000_000
    return isLong ? clock.monthDay(ms: ms) + " " + clock.time(ms: ms) : clock.time(ms: ms)
  }

  /// `critical`, its role on the screen.
  package static func role(_ level: RuleLevel) -> Role {
    switch level {
    case .critical: .negative
    case .warning: .warning
    case .info: .muted
    }
  }

  /// What happened, and how often: one line.
  package func line(_ incident: Incident) -> PlainText {
    let count: PlainText = incident.count > 1 ? " x" + Figures.count(incident.count) : ""
    return PlainText(incident.sentence, limit: 400) + count
  }

  /// The lines below an incident: what it rests on, what is missing, what to try.
  package func details(_ incident: Incident) -> [PlainText] {
    var lines = incident.evidence.map { evidence($0) }
    if let missing = incident.missing { lines.append("missing: " + PlainText(missing, limit: 200)) }
    if let cause = incident.cause { lines.append("likely: " + PlainText(cause, limit: 200)) }
    lines.append("try: " + PlainText(incident.advice, limit: 200))
    lines.append(often(incident.rule))
    return lines
  }

  /// How often a rule has fired in the last seven days, and how much of them is on record.
  package func often(_ rule: RuleID) -> PlainText {
    guard let recent = report.recent else { return RecentIncidents.unknown }
    return PlainText(rule.rawValue) + ": " + recent.words(rule, with: report.incidents)
  }

  /// `22:41:03.120 #4821 realtime_reply_requested`.
  package func evidence(_ cite: Citation) -> PlainText {
    let id: PlainText = cite.actionID.map { "#" + PlainText(String($0)) + " " } ?? ""
    let words: PlainText = cite.words.isEmpty ? "" : "  " + PlainText(cite.words, limit: 120)
    return clock.time(ms: cite.timeMs) + " " + id + PlainText(cite.name, limit: 80) + words
  }

  /// A line of `incidents --rules`: name, level, whether it could judge, when it fires.
  package static func judgement(_ judgement: Judgement) -> PlainText {
    switch judgement {
    case .judged: "judged"
    case .idle: "nothing to judge"
    case .unknown(let why): "not judged: " + PlainText(why, limit: 120)
    }
  }
}
