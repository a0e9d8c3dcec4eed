import CockpitHistory
import CockpitRules
import CockpitStores
import CockpitText
import Foundation
import TerminalCore

/// Where `incidents` takes events from: the recording of the bot, else the rows that the bot has.
@MainActor
package struct IncidentSource {
  package struct Found {
    package var report: IncidentReport
    package var clock: ClockFormat
    /// The id of the guild that is meant; nil for all.
    package var guild: String?
    /// Sentences about where events came from.
    package var notes: [PlainText] = []
  }

  private let settings: Settings

  package init(_ settings: Settings) { self.settings = settings }

  /// Judges a recording.
  package func found(
    in recorded: RecordedPast, since: HistoryDuration
  ) async throws(Failure) -> Found {
    let fromMs = max(recorded.span.lowerBound, recorded.nowMs - since.milliseconds)
    let (scan, toMs) = (IncidentScan(settings.rules), recorded.nowMs)
    var report = try await recorded.aside { history throws(HistoryError) in
      try scan.reportWithRecent(
        history, fromMs: fromMs, toMs: toMs, threads: OwnThread.count)
    }
    report.missing = recorded.sentences(fromMs: recorded.nowMs - since.milliseconds, toMs: toMs)
    return Found(report: report, clock: settings.clock, guild: try recorded.guild())
  }

  /// Judges what was recorded of the bot; where nothing is, the rows that it has.
  package func found(since: HistoryDuration) async throws -> Found {
    if settings.options.source == nil {
      if let recorded = try recorded { return try await found(in: recorded, since: since) }
    }
    return try await asked(since: since)
  }

  /// What was recorded of the bot; nil if nothing was.
  private var recorded: RecordedPast? {
    get throws(Failure) {
      do throws(HistoryError) {
        return try RecordedPast(
          .bot, settings, nowMs: Int64(Date().timeIntervalSince1970 * 1000))
      } catch {
        if error.reason != .missing { throw Failure(error) }
        return nil
      }
    }
  }

  private func asked(since: HistoryDuration) async throws -> Found {
    let session = try await RestSession(settings)
    let past = PastActions(session)
    try await past.load(since: since, kinds: []) { false }
    var engine = RuleEngine(session.settings.rules)
    var report = IncidentReport()
    let fromMs = session.nowMs - since.milliseconds
    var events: [RuleEvent] = []
    for row in past.rows {
      let (label, id) = (row.label, row.actionID)
      let read = row.withRaw { json in
        engine.withRouter { RuleRow(json, label: label, router: &$0, actionID: id) }
      }
      if let read { events.append(RuleEvent(read)) }
    }
    engine.take(events)
    engine.advance(to: session.nowMs - RuleFollower.graceMs)
    report.incidents = engine.incidents
    report.judgements = engine.judgements.map { rule, judgement in
      let needsStates = rule.input.voiceState || rule.input.health
      guard needsStates, judgement != .judged else { return (rule, judgement) }
      return (rule, .unknown("states are in a recording only, and nothing is recorded of this bot"))
    }
    report.events = events.count
    report.fromMs = max(fromMs, past.wholeSinceMs(fromMs))
    report.toMs = session.nowMs
    var found = Found(report: report, clock: session.settings.clock, guild: session.settings.guild)
    found.notes = ["From the rows that the bot has; nothing is recorded of it on this machine."]
    return found
  }
}
