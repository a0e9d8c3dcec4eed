import CockpitAnswers
import CockpitStores
import TerminalCore
import Testing

@MainActor @Suite struct TriageRuleTests {
  @Test("every rule has a fixture, in the order of the table")
  func fixtures() {
    #expect(TriageFixture.all.map(\.rule) == TriageRule.names)
    #expect(Set(TriageRule.names).count == TriageRule.names.count)
  }

  @Test("a fixture fires its rule and no other, with its sentence", arguments: 0..<17)
  func fires(index: Int) throws {
    let fixture = TriageFixture.all[index]
    let open = fixture.report().open
    #expect(open.map(\.rule) == [fixture.rule])
    let trouble = try #require(open.first)
    #expect(trouble.answer.sentence == fixture.sentence)
    #expect(trouble.answer.state == .observed)
    #expect(trouble.answer.evidence.count == max(1, fixture.rows.count))
    let isOfRows = !fixture.rows.isEmpty
    #expect(
      trouble.answer.evidence.allSatisfy { ($0.rowID != nil) == isOfRows && $0.timeMs != nil })
    #expect(trouble.sinceMs >= TriageFixture.startMs - 180_000)
  }

  @Test("without any one of its rows a fixture fires nothing", arguments: 0..<17)
  func needsRows(index: Int) {
    let fixture = TriageFixture.all[index]
    for row in fixture.rows.indices {
      #expect(fixture.report(dropping: row).open.isEmpty, "\(fixture.rule) without row \(row)")
    }
  }

  @Test("before its time a fixture fires nothing", arguments: 0..<17)
  func needsTime(index: Int) {
    let fixture = TriageFixture.all[index]
    let last = max(fixture.states.map(\.second).max() ?? 0, fixture.rows.map(\.second).max() ?? 0)
    #expect(fixture.report(until: last - 1).open.isEmpty)
  }

  @Test("a rule that is off fires nothing, and a level that is set is its level", arguments: 0..<17)
  func settings(index: Int) {
    let fixture = TriageFixture.all[index]
    let budget = fixture.settings.budgetUSD
    let off = TriageSettings(words: [fixture.rule: "off"], budgetUSD: budget)
    #expect(fixture.report(settings: off).open.isEmpty)
    let info = TriageSettings(words: [fixture.rule: "info"], budgetUSD: budget)
    #expect(fixture.report(settings: info).open.map(\.level) == [.info])
  }

  @Test("the words of every rule fit their places, and its filter can be read")
  func words() throws {
    for fixture in TriageFixture.all {
      let trouble = try #require(fixture.report().open.first)
      let next = try #require(trouble.answer.next)
      #expect(next.sentence.count <= 43 && next.sentence.hasSuffix("."), "\(next.sentence)")
      #expect(trouble.word.text.description.count <= 11)
      #expect(trouble.answer.sentence.hasSuffix(".") && trouble.recovery.hasSuffix("."))
      if case .filter(let text) = next.target {
        #expect(throws: Never.self, "\(text)") { try Query.parse(text) }
      }
    }
    for rule in TriageRule.all { #expect(rule.condition.hasSuffix(".")) }
  }
}
