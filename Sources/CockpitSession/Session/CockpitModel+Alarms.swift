import CockpitAnswers
import CockpitPanes
import CockpitRules
import CockpitStores
import CockpitText
import Networking
import TerminalCore

/// Alarms, and what silences them.
extension CockpitModel {
  /// Alarms that have begun since the last call, each once, across restarts too.
  package func newAlarms() -> [Alarm] {
    let nowMs = bot.serverNowMs
    guard freshness != nil, nowMs - latchedMs >= 1000 || nowMs < latchedMs else { return [] }
    latchedMs = nowMs
    var saved = latch ?? alarmFiles?.load(.cockpit) ?? AlarmFiles.Saved()
    let events = saved.latch.step(
      alarms, silences: silences, limits: AlarmLatch.Limits(),
      coveredFromMs: bot.activity.coverage.beginMs(), nowMs: nowMs)
    let hasChanged = latch?.latch.entries.keys != saved.latch.entries.keys
    latch = saved
    if hasChanged || !events.isEmpty { alarmFiles?.save(saved, .cockpit) }
    return events.compactMap { event in
      if case .began(let alarm, _, _) = event { return alarm }
      return nil
    }
  }

  /// Other processes change them too.
  func readSilences() {
    let nowMs = bot.clock.wallMs
    guard nowMs - silencesReadMs >= 10_000 || nowMs < silencesReadMs else { return }
    silencesReadMs = nowMs
    if let alarmFiles { silences = alarmFiles.silences() }
    silences.expire(nowMs: bot.serverNowMs)
  }

  /// Silences a rule, or acknowledges what is wrong.
  ///
  /// - Returns: what was done, or why it will not last.
  package func carryOut(_ wish: AlarmWish) -> PlainText {
    let nowMs = bot.serverNowMs
    let troubles = report.open
    let done: PlainText
    let change: (inout AlarmSilences) -> Void
    switch wish {
    case .acknowledge(let id):
      let meant = troubles.filter { id == nil || $0.id == id }
      done =
        meant.count == 1
        ? "acknowledged: it stays in the list until it is over"
        : "acknowledged: " + Figures.count(meant.count) + " stay in the list until they are over"
      change = { silences in
        for trouble in meant { silences.acknowledge(trouble, nowMs: nowMs) }
      }
      if meant.isEmpty { return "nothing is wrong: there is nothing to acknowledge" }
    case .acknowledgeRule(let rule):
      let meant = troubles.filter { $0.rule == rule }
      if meant.isEmpty { return PlainText("\(rule) has found nothing that is wrong now") }
      done = PlainText("acknowledged: \(rule)")
      change = { silences in
        for trouble in meant { silences.acknowledge(trouble, nowMs: nowMs) }
      }
    case .snooze(let rule, let ms):
      done =
        PlainText("\(rule) says nothing until ") + clockFormat.time(ms: nowMs + ms)
        + PlainText("; :unmute \(rule) ends that")
      change = { $0.snoozedUntilMs[rule] = nowMs + ms }
    case .mute(let rule):
      done = PlainText("\(rule) says nothing until :unmute \(rule)")
      change = { $0.muted.insert(rule) }
    case .unmute(let rule):
      done = PlainText("\(rule) speaks again")
      change = { $0.unmute(rule) }
    }
    guard let alarmFiles else {
      change(&silences)
      return done
    }
    silences = alarmFiles.change(change)
    let complaints = alarmFiles.takeComplaints()
    // On a full disk it holds while this program runs.
    change(&silences)
    return complaints.isEmpty
      ? done : done + PlainText("; " + complaints.joined(separator: "; "), limit: 300)
  }

  /// All alarms that may be sent as notifications.
  package var alarms: [Alarm] {
    guard let freshness else { return [] }
    let (log, nowMs) = (bot.activity.log, bot.serverNowMs)
    return Alarm.all(in: report, log: log, freshness: freshness, nowMs: nowMs)
      + Alarm.all(in: incidents, log: log, freshness: freshness, nowMs: nowMs)
  }
}
