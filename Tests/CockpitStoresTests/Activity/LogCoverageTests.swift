import CockpitDomain
import Testing

@testable import CockpitStores

@Suite struct LogCoverageTests {
  private static let all = LogCoverage.everything

  @Test func nothingIsKnownBeforeAList() {
    let coverage = LogCoverage()
    #expect(coverage.beginMs() == nil)
    #expect(coverage.beginMs(kinds: ["llm_call"]) == nil)
    #expect(!coverage.isComplete(sinceMs: .max))
  }

  @Test func theWidestClaimOfAKindCounts() {
    var coverage = LogCoverage()
    coverage.add(RowClaim(fromMs: 1_000))
    #expect(coverage.beginMs() == 1_000)
    #expect(coverage.beginMs(kinds: ["llm_call"], guild: "1") == 1_000)
    coverage.add(RowClaim(kinds: ["llm_call", "voice_error"], fromMs: 200))
    #expect(coverage.beginMs() == 1_000)
    #expect(coverage.beginMs(kinds: ["llm_call"]) == 200)
    #expect(coverage.beginMs(kinds: ["llm_call", "sent_reply"]) == 1_000)
    coverage.add(RowClaim(kinds: ["sent_reply"], guild: "7", fromMs: 100))
    #expect(coverage.beginMs(kinds: ["sent_reply"]) == 1_000)
    #expect(coverage.beginMs(kinds: ["sent_reply"], guild: "8") == 1_000)
    #expect(coverage.beginMs(kinds: ["sent_reply"], guild: "7") == 100)
    coverage.add(RowClaim(fromMs: Self.all))
    #expect(coverage.beginMs(kinds: ["sent_reply", "x"]) == Self.all)
    #expect(coverage.isComplete(sinceMs: Self.all))
  }

  @Test("what lies before a hole is partial until its rows are here, or a list reaches over it")
  func holes() {
    var coverage = LogCoverage()
    coverage.add(RowClaim(fromMs: Self.all))
    coverage.openHole(fromMs: 500, toMs: 700)
    #expect(coverage.beginMs() == 701)
    // The list that showed the hole.
    coverage.add(RowClaim(fromMs: 650))
    #expect(coverage.beginMs() == 650)
    coverage.closeOpenHole()
    #expect(coverage.beginMs() == Self.all)
    coverage.addHole(ids: 10...20, fromMs: 500, toMs: 700)
    #expect(coverage.beginMs(kinds: ["llm_call", "sent_reply"]) == 701)
    // A list of one kind from before the hole on: of that kind nothing is missing in it.
    coverage.add(RowClaim(kinds: ["llm_call"], fromMs: 400))
    #expect(coverage.beginMs(kinds: ["llm_call"]) == Self.all)
    #expect(coverage.beginMs(kinds: ["llm_call", "sent_reply"]) == 701)
    coverage.removeHole(ids: 10...20)
    #expect(coverage.beginMs() == Self.all)
  }

  @Test func manyHolesBecomeOneAndHideNothing() {
    var coverage = LogCoverage()
    coverage.add(RowClaim(fromMs: 0))
    for id in 1...1_000 {
      coverage.addHole(ids: id...id, fromMs: Int64(id) * 10, toMs: Int64(id) * 10 + 5)
      #expect(coverage.beginMs() == Int64(id) * 10 + 6)
    }
    coverage.openHole(fromMs: 20_000, toMs: 30_000)
    #expect(coverage.beginMs() == 30_001)
    coverage.add(RowClaim(fromMs: 5))
    #expect(coverage.beginMs() == 0)
  }

  @MainActor @Test("D1: rows that the ring gave up are no longer covered")
  func eviction() throws {
    let store = ActivityStore(memory: 4 << 20)
    store.apply(RowClaim(fromMs: Self.all))
    #expect(store.coverage.beginMs() == Self.all)
    let before = store.revision
    let text = String(repeating: "x", count: 1_000)
    for id in 1...6_000 {
      let fact = Fact(id: id, timeMs: startMs + Int64(id), kind: "sent_reply", content: text)
      try store.log.live(fact.live)
    }
    let gone = store.log.totals.evicted
    #expect(gone > 0)
    #expect(store.coverage.beginMs() == startMs + Int64(gone) + 1)
    #expect(store.revision != before)
    #expect(store.log.count == store.log.firstIndex(notNewerThan: startMs + Int64(gone)))
  }

  @MainActor @Test("D1: a gap in the log is a hole until its rows are here")
  func gapRows() {
    let store = ActivityStore()
    store.apply(RowClaim(fromMs: Self.all))
    store.log.rows([Fact(id: 30, timeMs: startMs + 30, kind: "sent_reply", content: "x")])
    store.applyGap(IDGapRow(from: 5, to: 9, atMs: startMs + 4, kind: .unanswered))
    #expect(store.coverage.beginMs() == startMs + 31)
    store.resolveGap(from: 5, to: 9, as: .filled(count: 5))
    #expect(store.coverage.beginMs() == Self.all)
    store.applyGap(IDGapRow(from: 0, to: 0, atMs: startMs, kind: .filled(count: 3)))
    #expect(store.coverage.beginMs() == Self.all)
    store.applyReset()
    #expect(store.coverage.beginMs() == nil)
  }
}
