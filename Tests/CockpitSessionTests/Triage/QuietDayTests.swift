import CockpitAnswers
import CockpitDomain
import CockpitStores
import Foundation
import Testing

@testable import CockpitDemo

/// 24 simulated hours of bots that are well, through everything that can raise an alarm.
@MainActor @Suite struct QuietDayTests {
  nonisolated private static let isLong =
    ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil

  /// The night of a quiet bot; busier ones for as long as a test may take. The story has automations that fail by its
  /// script, after three hours the first one. `CLANKY_LONG_TESTS=1` takes the quiet bot's whole day.
  @Test(
    "hours without faults raise no alarm",
    arguments: [
      (DemoScenario.quiet, isLong ? 24 : 8), (.parked, isLong ? 2 : 1), (.voice, isLong ? 2 : 1),
      (.story, 1),
    ])
  func day(scenario: DemoScenario, hours: Int) throws {
    let replay = TriageReplay(scenario, seed: 3)
    var settings = PromiseSettings()
    settings.textMs = 60_000
    settings.voiceMs = 30_000
    settings.unanswered = .share(0.5)
    settings.costPerDayUSD = 500
    settings.skip = 0...1
    var promises = PromiseBoard(settings)
    var watches = WatchBoard([
      try WatchRule("llm: kind:llm_error | count > 100 in 1h"),
      try WatchRule("never: kind:no_such_kind"),
    ])
    let freshness = RowFreshness(sinceMs: replay.startMs, stored: .all)
    var latch = AlarmLatch()
    // A second of the world is a step; what is judged every second is judged every ten.
    for second in stride(from: 0, to: hours * 3600, by: 10) {
      replay.runDueAutomations()
      replay.step(second, seconds: 10)
      let (log, nowMs) = (replay.activity.log, replay.demo.nowMs)
      while !promises.read(log, nowMs: nowMs) {}
      while !watches.judge(log, names: NoNames(), freshness: freshness, nowMs: nowMs) {}
      var open = replay.board.report.open + watches.open
      if second % 60 == 0 {
        let report = promises.report(
          nowMs: nowMs, coveredFromMs: replay.startMs, costTodayUSD: nil, log: log)
        #expect(report.troubles.isEmpty, "\(report.troubles)")
      }
      open.sort(by: TriageTrouble.isWorse)
      let events = latch.step(
        Alarm.all(
          in: TriageReport(isKnown: true, open: open, atMs: nowMs), log: log,
          freshness: freshness, nowMs: nowMs),
        silences: AlarmSilences(), limits: AlarmLatch.Limits(), coveredFromMs: replay.startMs,
        nowMs: nowMs)
      #expect(events.isEmpty, "\(scenario) after \(second) s: \(events)")
      if !events.isEmpty { return }
    }
    let report = promises.report(
      nowMs: replay.demo.nowMs, coveredFromMs: replay.startMs, costTodayUSD: nil,
      log: replay.activity.log)
    // What is judged is there.
    if scenario == .story {
      for promise in report.promises where promise.kind != .cost && promise.kind != .voice {
        #expect(promise.n > 10, "\(promise)")
      }
    }
  }
}
