import Testing

@testable import CockpitDemo

/// The stores of the demo order and refuse as upstream's database does.
@Suite struct StoreTests {
  private static func row(_ ms: Int64, _ kind: String, guild: String? = nil, cost: Double = 0)
    -> ActionRow
  {
    ActionRow(createdMs: ms, guild: guild, kind: kind, content: "null", metadata: nil, cost: cost)
  }

  @Test("rows come by time whatever their order of arrival, and by id within a millisecond")
  func order() {
    var store = DemoStore(maxRows: 100)
    let ids = store.insert([
      Self.row(20, "b"), Self.row(10, "a"), Self.row(20, "a"), Self.row(20, "a"), Self.row(30, "c"),
    ])
    #expect(ids == [1, 2, 3, 4, 5])
    #expect(store.actions(ActionQuery()).map(\.id) == [5, 1, 3, 4, 2])
    #expect(store.actions(ActionQuery(oldestFirst: true)).map(\.id) == [2, 1, 3, 4, 5])
    #expect(store.actions(ActionQuery(kinds: ["a", "b"])).map(\.id) == [3, 4, 1, 2])
    #expect(store.actions(ActionQuery(limit: 2, kinds: ["a"])).map(\.id) == [3, 4])
    #expect(store.actions(ActionQuery(limit: 3, since: 20)).map(\.id) == [5, 1, 3])
    #expect(store.actions(ActionQuery(since: 31)).isEmpty)
  }

  @Test("the oldest rows go when there are too many, and what they cost goes with them")
  func retention() {
    var store = DemoStore(maxRows: 100)
    store.insert((0..<300).map { Self.row($0, "a", cost: 1) })
    let isPruned = store.pruneIfDue(adding: 300, now: 300)
    #expect(isPruned)
    #expect(store.actions(ActionQuery(limit: 1000)).map(\.id) == (201...300).reversed())
    #expect(store.costs().total == 100)
    let isPrunedAgain = store.pruneIfDue(adding: 249, now: 300)
    #expect(!isPrunedAgain)
  }

  private static func fact(_ text: String, guild: String = "1", ms: Int64 = 1) -> FactRow {
    FactRow(
      id: 0, createdMs: ms, updatedMs: ms, scope: "guild", guild: guild, channel: nil, user: nil,
      subject: "9", fact: text, factType: "other", evidence: nil, sourceMessage: nil,
      confidence: 0.5)
  }

  @Test("a fact is known once; a deleted one still refuses its words, as the unique index does")
  func twins() throws {
    var facts = FactTable()
    let first = facts.add(Self.fact("likes tea", ms: 1))
    let second = facts.add(Self.fact("likes rye", ms: 2))
    let (tea, rye) = (try #require(first), try #require(second))
    let again = facts.add(Self.fact("likes tea", ms: 3))
    #expect(again == nil)
    #expect(facts.list(guild: "1", limit: 9).map(\.id) == [rye, tea])
    var changed = try #require(facts[rye])
    changed.fact = "likes tea"
    let outcome1 = Self.word(facts.replace(changed))
    #expect(outcome1 == "duplicate")
    let outcome2 = Self.word(facts.delete(id: tea))
    #expect(outcome2 == "true")
    let outcome3 = Self.word(facts.delete(id: tea))
    #expect(outcome3 == "false")
    let back = facts.add(Self.fact("likes tea", ms: 4))
    #expect(back == nil)
    let outcome4 = Self.word(facts.replace(changed))
    #expect(outcome4 == "refused")
    changed.fact = "likes soup"
    changed.updatedMs = 9
    let outcome5 = Self.word(facts.replace(changed))
    #expect(outcome5 == "saved")
    let free = facts.add(Self.fact("likes rye", ms: 5))
    #expect(free != nil)
    #expect(facts.subjects(guild: "1", limit: 9).map(\.count) == [2])
    // The deleted one counts: it is a row of the table.
    let purged = facts.purge(guild: "1")
    #expect(purged == 3)
    #expect(facts.list(guild: "1", limit: 9).isEmpty)
  }

  private static func word(_ outcome: FactEdit) -> String {
    String("\(outcome)".prefix { $0 != "(" })
  }

  private static func word(_ flag: Bool) -> String { "\(flag)" }

  @Test(
    "a search is a LIKE: % and _ are wildcards, ASCII letters alike in both cases",
    arguments: [
      ("TEA", true), ("l_kes", true), ("li%ea", true), ("%", true), ("t_a_x", false),
      ("ä", false), ("Ö", true), ("ö", true), ("tea%likes", false),
    ])
  func wildcards(text: String, isFound: Bool) {
    var facts = FactTable()
    facts.add(Self.fact("Likes tea in Köln"))
    #expect(facts.list(guild: "1", text: text, limit: 9).count == (isFound ? 1 : 0))
  }
}

@Suite struct RequestLogTests {
  private static func request(_ method: String, body: Int = 0) -> HTTPRequest {
    HTTPRequest(
      method: method, target: "/api/x?y=1", headers: [:],
      body: [UInt8](repeating: UInt8(ascii: "a"), count: body))
  }

  @Test("the log of requests is bounded in number, in a body and in all bodies together")
  func bounds() {
    var totals = RequestLog()
    for index in 0..<RequestLog.limit + 1 {
      totals.add(Self.request("GET", body: 10), status: 200, at: Int64(index))
    }
    #expect(totals.records.count == RequestLog.limit / 2 + 1)
    #expect(totals.dropped == RequestLog.limit / 2)
    #expect(totals.records.last?.number == RequestLog.limit + 1)
    #expect(totals.records.allSatisfy { $0.body == nil && $0.bodyBytes == 10 })
    for _ in 0..<2000 { totals.add(Self.request("PUT", body: 100_000), status: 200, at: 1) }
    let bodies = totals.records.compactMap { $0.body?.utf8.count }
    #expect(bodies.allSatisfy { $0 == RequestLog.bodyLimit })
    #expect(bodies.reduce(0, +) <= RequestLog.bodiesLimit)
    #expect(totals.records.last?.bodyBytes == 100_000)
  }
}
