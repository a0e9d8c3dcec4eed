import ClankyWire
import Testing

@testable import CockpitStores

@MainActor
@Suite struct LlmCallTableTests {
  private func row(
    _ id: Int, model: String, input: Int?, cost: Double = 0, kind: String = "llm_call",
    extra: String = ""
  ) -> String {
    let usage =
      input.map {
        #","usage":{"inputTokens":\#($0),"outputTokens":10,"cacheReadTokens":\#($0 / 2)}"#
      } ?? ""
    return
      #"{"id":\#(id),"created_at":"2026-03-01T14:00:\#(id < 10 ? "0" : "")\#(id).000Z","kind":"\#(kind)","content":"p:\#(model)","metadata":{"provider":"p","model":"\#(model)"\#(usage)\#(extra)},"usd_cost":\#(cost)}"#
  }

  private func log(_ rows: [String]) -> ActivityStore {
    let store = ActivityStore(memory: 4 << 20)
    add(rows, to: store)
    return store
  }

  private func add(_ rows: [String], to store: ActivityStore) {
    Array("[\(rows.joined(separator: ","))]".utf8).withUnsafeBytes {
      _ = store.applyRows($0, nowMs: 1_772_375_529_000)
    }
  }

  @Test func ordersAndUnknownsLast() {
    let store = log([
      row(1, model: "opus", input: 100, cost: 0.01), row(2, model: "haiku", input: nil),
      row(3, model: "sonnet", input: 900), row(4, model: "haiku", input: 50, cost: 0.2),
    ])
    func ids(_ order: LlmCallOrder) -> [Int?] {
      store.calls.calls(in: store.log, by: order).map { store.log.row($0.row)?.actionID }
    }
    #expect(ids(.time) == [4, 3, 2, 1])
    #expect(ids(.cost) == [4, 1, 3, 2])
    #expect(ids(.tokens) == [3, 1, 4, 2])
    #expect(ids(.model) == [4, 2, 1, 3])
  }

  @Test func theNewestAreReadFirstWhereOlderRowsCameLater() {
    func call(_ minute: Int, _ id: Int) -> String {
      row(id, model: "m", input: 1).replacing(
        /T14:00:\d+/, with: "T14:\(minute < 10 ? "0" : "")\(minute):00")
    }
    let store = log([call(30, 1000)])
    add((1...300).map { call(10, $0) }, to: store)
    let first = store.calls.calls(in: store.log, by: .time).first
    #expect(first.flatMap { store.log.row($0.row)?.actionID } == 1000)
  }

  @Test func newRowsAreSeenAndOthersLeftOut() {
    let store = log([row(1, model: "opus", input: 1)])
    #expect(store.calls.calls(in: store.log, by: .time).count == 1)
    add(
      [
        row(2, model: "opus", input: 2), row(3, model: "x", input: nil, kind: "sent_reply"),
        row(
          4, model: "opus", input: nil, kind: "llm_error",
          extra: #","status":529,"errorType":"overloaded_error""#),
        row(
          5, model: "opus", input: 9, kind: "llm_tool_call",
          extra: #","toolCalls":[{"name":"browser_open"}]"#),
      ], to: store)
    let calls = store.calls.calls(in: store.log, by: .time)
    #expect(calls.map(\.kind) == [.toolCall, .error, .call, .call])
    #expect(calls[1].failure == "529 overloaded_error")
    #expect(calls[0].tools == ["browser_open"] && calls[0].toolCount == 1)
    #expect(store.calls.isComplete)
  }

  @Test func groupsAddUpWhatIsKnown() throws {
    let store = log([
      row(1, model: "opus", input: 100, cost: 0.01), row(2, model: "opus", input: nil),
      row(3, model: "haiku", input: nil),
    ])
    let groups = store.calls.groups(in: store.log)
    #expect(groups.map(\.model) == ["opus", "haiku"])
    let opus = try #require(groups.first)
    #expect(opus.inputTokens == 100 && opus.outputTokens == 10 && opus.costUSD == 0.01)
    #expect(opus.cacheShare == 0.5)
    #expect(groups.last?.inputTokens == nil && groups.last?.costUSD == nil)
  }

  @Test func cacheThatIsNotCountedAsInput() {
    let store = log([row(1, model: "m", input: 100, extra: "")])
    #expect(store.calls.calls(in: store.log, by: .time).first?.cacheShare == 0.5)
  }

  @Test func manyRowsAreReadInBatchesAndBounded() {
    let store = log((1...59).map { row($0, model: "m\($0 % 3)", input: $0) })
    #expect(store.calls.calls(in: store.log, by: .tokens).count == 59)
    store.applyReset(keepingRows: false)
    #expect(store.calls.calls(in: store.log, by: .time).isEmpty)
  }
}
