import Testing

@testable import CockpitAnswers

/// Every rule of the table has a log that it answers.
@MainActor @Suite struct WhyRuleTests {
  nonisolated static let names = WhyRule.all.map(\.name)

  private func rule(_ name: String) throws -> WhyRule {
    try #require(WhyRule.all.first { $0.name == name })
  }

  @Test("names of rules are unique")
  func names() { #expect(Set(Self.names).count == Self.names.count) }

  @Test(
    "a rule's own log is answered by it, and by another one when it is taken out", arguments: names)
  func fixture(name: String) throws {
    let rule = try rule(name)
    let log = WhyLog(rule.fixture.rows)
    let why = try #require(
      log.why(rule.fixture.asks, nowMs: rule.fixture.nowMs), "nothing on record")
    #expect(why.rule == name, "\(why.answer.sentence)")
    #expect(why.outcome == rule.outcome)
    #expect(!why.answer.evidence.isEmpty, "no evidence")
    #expect(why.answer.evidence.allSatisfy { $0.actionID != nil }, "a row without an id")
    #expect(why.answer.sentence.hasSuffix("."), "\(why.answer.sentence)")
    #expect(why.answer.next?.sentence.hasSuffix(".") == true)
    let others = Why(why.exchange, rules: WhyRule.all.filter { $0.name != name })
    #expect(others.rule != name)
    if name != "unknown" { #expect(!why.checklist.isEmpty) }
  }

  @Test("what goes on is not said to go on over a lost connection")
  func lost() throws {
    for rule in WhyRule.all where rule.fixture.isOpen {
      let log = WhyLog(rule.fixture.rows)
      let why = try #require(
        log.why(rule.fixture.asks, nowMs: rule.fixture.nowMs, isLost: true), "\(rule.name)")
      #expect(why.rule == rule.name)
      #expect(
        why.answer.sentence.lowercased().contains("when the connection was lost: "),
        "\(why.answer.sentence)")
      #expect(why.answer.next?.sentence == "Ask again once the connection is back.")
    }
  }

  @Test("an open answer does not say that no call is on record beside one that failed")
  func openAfterFailure() throws {
    let log = WhyLog(
      WhyFixture(
        carriers: [],
        """
        0 text_runtime reply_admission_decision {"triggerMessageId":"$T","allow":true,
          "reason":"hard_address"}
        180 text_runtime reply_pipeline_gate {"triggerMessageId":"$T","allow":true,"reason":"ready"}
        900 llm_error 529 overloaded {"model":"opus","status":529}
        """
      ).rows)
    let why = try #require(log.why(1, nowMs: WhyFixture.startMs + 5000))
    #expect(why.rule == "text.open")
    #expect(why.answer.sentence.contains("a model call in that channel failed ("))
    #expect(!why.answer.sentence.contains("no model call"))
  }

  @Test("without the row that carries it alone an answer is unknown", arguments: names)
  func carriers(name: String) throws {
    let rule = try rule(name)
    for carrier in rule.fixture.carriers {
      var fixture = rule.fixture
      fixture.missing.append(carrier)
      let log = WhyLog(fixture.rows)
      let asks = fixture.asks == carrier ? (carrier == 1 ? 2 : carrier - 1) : fixture.asks
      guard let why = log.why(asks, nowMs: fixture.nowMs) else { continue }
      #expect(
        why.answer.state == .unknown,
        "\(name) without row \(carrier): \(why.rule): \(why.answer.sentence)")
    }
  }
}
