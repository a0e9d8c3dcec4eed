import Testing

@testable import CockpitStores

/// Rows around hits that the filter hides.
@Suite struct FilterContextTests {
  @Test("context rows stand in their places, are no hits, and go with the query")
  func context() throws {
    let log = ActionLog()
    log.rows(
      (1...20).map {
        Fact(
          id: $0, timeMs: startMs + Int64($0) * 1000, kind: $0 == 10 ? "llm_error" : "llm_call",
          content: "row", user: "7", channel: "5")
      })
    var feed = FilteredLog(query: try Query.parse("kind:llm_error"))
    feed.sync(with: log, nowMs: startMs)
    #expect(feed.count == 1)
    let around = Set([9, 11].compactMap { log.rowID(actionID: $0) })
    feed.setContext(around)
    feed.sync(with: log, nowMs: startMs)
    let ids = (0..<feed.count).map { log.row(feed.rowID(at: $0))?.actionID }
    #expect(ids == [11, 10, 9])
    #expect(feed.presentCount == 1 && feed.contextCount == 2)
    #expect(feed.isContext(feed.rowID(at: 0)) && !feed.isContext(feed.rowID(at: 1)))
    feed.setContext([])
    feed.sync(with: log, nowMs: startMs)
    #expect(feed.count == 1 && feed.contextCount == 0)
    feed.setContext(around)
    feed.setQuery(.everything)
    feed.setContext(around)
    feed.sync(with: log, nowMs: startMs)
    #expect(feed.count == 20 && feed.presentCount == 20)
  }

  @Test("a moment is a clock time that was, a time ago, or a date")
  func moments() {
    let zone = QueryZone(name: "UTC") { _ in 0 }
    let nowMs: Int64 = 1_778_350_000_000  // 2026-05-09T18:06:40Z
    func start(_ text: String) -> Int64? { QueryMoment.start(of: text, nowMs: nowMs, in: zone) }
    #expect(start("-10m") == nowMs - 600_000)
    #expect(start("10m") == nowMs - 600_000)
    #expect(start("14:31") == 1_778_337_060_000)
    // Later than now is yesterday's.
    #expect(start("23:00") == 1_778_281_200_000)
    #expect(start("2026-05-09") == 1_778_284_800_000)
    #expect(start("2026-05-09 14:31") == 1_778_337_060_000)
    #expect(start("-14:31") == nil)
    #expect(start("soon") == nil)
  }
}
