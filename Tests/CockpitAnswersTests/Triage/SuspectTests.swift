import ClankyWire
import CockpitAnswers
import CockpitStores
import Testing

/// States that fail and have not lasted long enough to be a trouble: only the list of many bots shows them.
@MainActor @Suite struct SuspectTests {
  @Test("a state that must last is suspected after a second, and a trouble when it has lasted")
  func lasting() throws {
    let fixture = try #require(TriageFixture.all.first { $0.rule == "tunnel" })
    let first = fixture.report(until: fixture.second)
    #expect(first.open.map(\.rule) == ["tunnel"] && first.suspected.isEmpty)
    let begin = try #require(first.open.first).sinceMs
    let onset = (begin - TriageFixture.startMs) / 1000
    var count = 0
    for second in onset + 1..<fixture.second {
      let report = fixture.report(until: second)
      guard report.open.isEmpty else { continue }
      count += 1
      #expect(report.suspected.map(\.rule) == ["tunnel"], "\(second)")
      // It is in no other output.
      #expect(report.ofBot.isEmpty && TriageText(report).sentence == nil)
    }
    #expect(count > 0)
    #expect(fixture.report(until: onset).suspected.isEmpty)
  }
}
