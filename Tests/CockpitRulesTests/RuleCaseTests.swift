import CockpitRules
import Testing

/// Every rule fires on what it must find and is silent on what it must not.
@Suite struct RuleCaseTests {
  static let all =
    SpeechCases.all + OutputCases.all + AnswerCases.all + OwnCases.all + AbsenceCases.all
    + GatewayCases.all

  @Test(arguments: all) func judgement(_ example: RuleCase) {
    let found = example.tape.judged(by: example.rule, example.settings)
    #expect(
      found.map(\.level).sorted() == example.levels.sorted(),
      "\(found.map { "\($0.level) \($0.sentence)" })")
    for incident in found {
      #expect(!incident.evidence.isEmpty)
      #expect(!incident.advice.isEmpty)
    }
  }

  @Test("a silent hour is that of the agents where the rows are those of a gateway")
  func silentAgents() throws {
    let example = try #require(
      AbsenceCases.silent.first { $0.name == "silent at noon, which it never was" })
    var tape = RuleTape()
    tape.row("sent_reply", -700, #""source":"openclaw""#)
    example.write(&tape)
    let found = try #require(tape.judged(by: .unusualSilence, example.settings).first)
    #expect(found.sentence.hasPrefix("The gateway's agents said nothing"))
    let words = [found.sentence, found.advice, found.cause ?? "", found.missing ?? ""].joined()
    #expect(!words.contains("bot") && !words.contains("Discord"))
    let own = try #require(example.tape.judged(by: .unusualSilence, example.settings).first)
    #expect(own.sentence.hasPrefix("The bot said nothing"))
  }

  @Test("every rule has at least three recordings that fire and five that must not")
  func coverage() {
    for rule in RuleTable.all {
      let cases = Self.all.filter { $0.rule == rule.id }
      #expect(cases.filter { !$0.levels.isEmpty }.count >= 3, "\(rule.id.rawValue)")
      #expect(cases.filter(\.levels.isEmpty).count >= 5, "\(rule.id.rawValue)")
    }
  }

  @Test("the order and the number of batches do not matter", arguments: all)
  func order(_ example: RuleCase) {
    let events = example.tape.events
    let end = (events.map(\.timeMs).max() ?? 0) + 3_600_000
    func judged(every: Int = 256, _ feed: (inout RuleEngine) -> Void) -> [Incident] {
      var engine = RuleEngine(example.settings, checkpointEvents: every)
      feed(&engine)
      engine.advance(to: end)
      return engine.incidents
    }
    let whole = judged { $0.take(events) }
    let single = judged { engine in for event in events { engine.take(event) } }
    // Long ones in pieces: each piece goes back to the beginning.
    let piece = max(1, events.count / 300 * 40)
    let reversed = judged(every: 1024) { engine in
      for start in stride(from: 0, to: events.count, by: piece).reversed() {
        engine.take(events[start..<min(start + piece, events.count)].reversed())
      }
    }
    // Live: the clock goes on between rows, and one row comes after all.
    let late = judged(every: 7) { engine in
      for event in events.dropFirst() {
        engine.take(event)
        engine.advance(to: event.timeMs + 500)
      }
      engine.advance(to: end)
      if let first = events.first { engine.take(first) }
    }
    #expect(single == whole)
    #expect(reversed == whole)
    #expect(late == whole)
  }
}
