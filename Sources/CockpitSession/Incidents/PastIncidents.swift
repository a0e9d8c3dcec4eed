import CockpitAnswers
import CockpitHistory
import CockpitRules
import CockpitSinks
import Foundation

/// What the recording says about the bot that is shown live: how often rules have fired in the last seven days, and
/// when the bot spoke, and what its hours cost. Finished days are judged on the way, once, at a quarter of a core.
package struct PastIncidents: Sendable {
  package var recent: RecentIncidents
  package var hours: HourTable
  package var spend: SpendProfile
  /// What rules found in these days.
  var incidents: [Incident] = []

  /// How far back days are judged beforehand.
  private static let keptDays: Int64 = 30
  /// How often it is read again, in ms.
  private static let intervalMs: Int64 = 3_600_000
  /// Delay after the end of a day until its last rows are written, in ms.
  private static let settledMs: Int64 = 600_000

  /// Delay until the next reading, in ms: an hour, or less if a UTC day ends and settles before that.
  package static func waitMs(nowMs: Int64) -> Int64 {
    let settledAt = (IncidentScan.day(nowMs - settledMs) + 1) * DayJudge.dayMs + settledMs
    return min(intervalMs, settledAt - nowMs)
  }

  /// Reads a recording; to be called on a thread of its own. Nil if nothing is recorded or it cannot be read.
  ///
  /// - Parameter isCancelled: asked between pieces.
  package static func read(
    _ folder: String, _ settings: RuleSettings, nowMs: Int64,
    isCancelled: @escaping @Sendable () -> Bool
  ) -> PastIncidents? {
    do throws(HistoryError) {
      let history = try HistoryFolder(folder)
      let report = try IncidentScan(settings).reportWithRecent(
        history, fromMs: nowMs - RecentIncidents.windowMs, toMs: nowMs,
        progress: pace(isCancelled))
      guard let recent = report.recent else { return nil }
      let today = IncidentScan.day(nowMs)
      // Without today: the table changes once a day, and with it all is judged again.
      let hours = try HourBook(history, KeptIncidents(history, settings))
        .table(for: today - 7...today)
      let pace = pace(isCancelled)
      let spend = try SpendHistory(history).profile(nowMs: nowMs) { pace(0) }
      guard let spend else { return nil }
      return PastIncidents(
        recent: recent, hours: hours, spend: spend, incidents: report.incidents)
    } catch {
      // "Not known" is shown; the recorder itself reports a history that cannot be read.
      return nil
    }
  }

  /// Keeps what rules found for the sinks of the recorder.
  func note(in folder: String) {
    // What cannot be written now is found again at the next reading.
    _ = Result { () throws(HistoryError) in
      try HistoryNotes.note(incidents.sorted { $0.fromMs < $1.fromMs }.map(\.finding), in: folder)
    }
  }

  /// Judges the days before that, so that a later question finds them; to be called on a thread of its own.
  package static func judgeOlder(
    _ folder: String, _ settings: RuleSettings, nowMs: Int64,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    // A failure only costs time: the next hour tries again.
    _ = Result { () throws(HistoryError) in
      let history = try HistoryFolder(folder)
      _ = try IncidentScan(settings).report(
        history, fromMs: nowMs - keptDays * DayJudge.dayMs, toMs: nowMs,
        progress: pace(isCancelled))
    }
  }

  /// Sleeps three times as long as the last piece took.
  private static func pace(_ isCancelled: @escaping @Sendable () -> Bool) -> (Double) -> Bool {
    let clock = ContinuousClock()
    var last = clock.now
    return { _ in
      let took = last.duration(to: clock.now)
      Thread.sleep(forTimeInterval: min(1, 3 * Double(took.components.attoseconds) / 1e18))
      last = clock.now
      return !isCancelled()
    }
  }
}

extension Incident {
  fileprivate var finding: HistoryNotes.Finding {
    SinkIncident.finding(
      id: id, rule: rule.rawValue, level: level.rawValue, sentence: sentence, session: sessionID,
      guild: guildID, channel: channelID, person: userID, fromMs: fromMs, toMs: toMs)
  }
}
