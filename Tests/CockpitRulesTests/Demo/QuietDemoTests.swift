import CockpitRules
import Foundation
import Testing

@testable import CockpitDemo

/// Where nothing goes wrong, nothing is found.
@Suite struct QuietDemoTests {
  private static let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil

  /// Mishaps that stand in the script of `story` and `voice`: the rule that finds them, and the rows of the script
  /// of which one must be in the evidence. `quiet` and `parked` have none.
  private static let scripted: [RuleID: Set<String>] = [
    // Asides: the gateway drops and comes back.
    .reconnects: ["gateway_error", "gateway_reconnect_failed"],
    // Episodes: a response that was cleared; and the watchdog's 20 s, in which a response is pending.
    .lockStuck: ["active_response_cleared_stale", "voice_state"],
    .generationWatchdog: ["voice_generation_watchdog_timeout"],
    .staleResponse: ["response_silent_retry"],
    .generatedNoOutput: ["response_silent_fallback", "response_silent_hard_recovery"],
    // Turns that are never understood.
    .emptyASR: ["voice_realtime_transcription_empty"],
    .musicMasksSpeech: [
      "voice_realtime_transcription_empty", "voice_turn_dropped_asr_low_confidence",
      "voice_turn_dropped_silence_gate",
    ],
    // The sensor's server fails each time it is asked.
    .mcpDown: ["voice_state"],
  ]

  /// `CLANKY_LONG_TESTS=1` takes six hours of each: 24 simulated hours.
  @Test("24 simulated hours without faults: no warning that is not in the script")
  func quiet() {
    var hours = 0.0
    for scenario in [DemoScenario.quiet, .story, .parked, .voice] {
      let tape = DemoTape(scenario, seed: 7)
      let ms: Int64 = Self.isLong ? 6 * 3_600_000 : 900_000
      tape.run(ms: ms)
      hours += Double(ms) / 3_600_000
      var engine = RuleEngine()
      engine.take(tape.events)
      if let last = tape.events.last { engine.advance(to: last.timeMs) }
      let alarms = engine.incidents.filter { $0.level > .info }
      for incident in engine.incidents {
        print(
          "\(scenario.rawValue) \(incident.level) \(incident.rule.rawValue) x\(incident.count): "
            + incident.sentence)
      }
      for incident in alarms {
        let names = scenario == .story || scenario == .voice ? Self.scripted[incident.rule] : nil
        if incident.evidence.contains(where: { names?.contains($0.name) ?? false }) { continue }
        Issue.record("\(scenario.rawValue): \(incident.rule.rawValue): \(incident.sentence)")
      }
    }
    print("simulated \(hours) h")
  }
}
