import CockpitDomain
import LenientJSON
import Networking
import Testing

@testable import OpenClawSource

/// What the gateway's list of activity adds, and what it does not double.
@MainActor
@Suite struct FillingTests {
  private static let now: Int64 = 1_790_000_000_000

  private func entry(
    _ number: Int, _ status: String, run: String, tool: String? = nil, agoMs: Int64 = 60_000
  ) -> String {
    let kind = tool == nil ? "agent_run" : "tool_action"
    let more =
      tool.map { #","toolCallId":"\#($0)","toolName":"exec""# } ?? ""
    return
      #"{"eventId":"e\#(number)","sequence":\#(number),"occurredAt":\#(Self.now - agoMs),"kind":"\#(kind)","eventType":"\#(kind)","status":"\#(status)","agentId":"wren","sessionKey":"agent:wren:main","runId":"\#(run)"\#(more)}"#
  }

  private func list(_ entries: [String], next: String? = nil) -> String {
    let cursor = next.map { #","nextCursor":"\#($0)""# } ?? ""
    return #"{"events":[\#(entries.joined(separator: ","))]\#(cursor)}"#
  }

  private func kinds(_ rows: [JSONValue]) -> [String] { rows.map { $0["kind"]?.string ?? "" } }

  @Test("the time before the connection is filled in once, marked, and as no news")
  func start() throws {
    let desk = try Desk()
    desk.source.fetchHistory(HistoryRequest(sinceMs: Self.now - 3_600_000, isUserRequested: false))
    // The newest first.
    let events = list([
      entry(4, "failed", run: "r1", agoMs: 10_000),
      entry(3, "succeeded", run: "r1", tool: "t1", agoMs: 20_000),
      entry(2, "started", run: "r1", tool: "t1", agoMs: 30_000),
      entry(1, "started", run: "r1", agoMs: 40_000),
      #"{"eventId":"e0","occurredAt":1,"kind":"message","status":"succeeded"}"#,
    ])
    desk.connect(lists: ["audit.activity.list": events])
    #expect(
      kinds(desk.earlier) == ["llm_run_started", "tool_started", "tool_finished", "llm_error"])
    #expect(desk.earlier.allSatisfy { $0["metadata"]?["filledIn"]?.bool == true })
    #expect(desk.earlier.last?["metadata"]?["durationMs"]?.int == 30_000)
    #expect(!desk.kinds.contains("llm_error") && !desk.kinds.contains("gateway_filled"))
    #expect(desk.control["runs"]?.array?.isEmpty == true)
    let asked = desk.socket.sent.last { $0["method"]?.string == "audit.activity.list" }
    #expect(
      asked?["params"]
        == .body([("after", .integer(Self.now - 3_600_000)), ("limit", .integer(500))]))
    // It is not asked for a second time.
    let count = desk.socket.sent.count
    desk.source.fetchHistory(HistoryRequest(sinceMs: .min))
    #expect(desk.socket.sent.count == count)
  }

  @Test("what was heard is not doubled; what was missed in a gap is filled in, and the gap says so")
  func gap() throws {
    let desk = try Desk()
    desk.source.fetchHistory(HistoryRequest(sinceMs: Self.now))
    desk.connect(lists: ["audit.activity.list": list([])])
    desk.event(
      "agent",
      #"{"runId":"r1","stream":"lifecycle","ts":1790000001000,"data":{"phase":"start"},"sessionKey":"agent:wren:main"}"#
    )
    desk.event(
      "agent",
      #"{"runId":"r1","stream":"tool","ts":1790000002000,"data":{"phase":"start","name":"exec","toolCallId":"t1"},"sessionKey":"agent:wren:main"}"#
    )
    desk.wires.delegate?.socket(desk.socket, ended: .closed(code: 1006, reason: ""))
    desk.wires.pass(seconds: 40)
    desk.connect(lists: [
      "audit.activity.list": list([
        entry(6, "succeeded", run: "r2", agoMs: -30_000),
        entry(5, "started", run: "r2", agoMs: -20_000),
        entry(4, "succeeded", run: "r1", agoMs: -6_000),
        entry(3, "succeeded", run: "r1", tool: "t1", agoMs: -5_000),
        entry(2, "started", run: "r1", tool: "t1", agoMs: -2_000),
        entry(1, "started", run: "r1", agoMs: -1_000),
      ])
    ])
    #expect(
      kinds(desk.earlier) == [
        "tool_finished", "llm_run_finished", "llm_run_started", "llm_run_finished",
      ])
    #expect(desk.kinds.contains("gateway_gap_warning"))
    let said = desk.rows.last { $0["kind"]?.string == "gateway_filled" }
    #expect(said?["content"]?.string?.hasPrefix("4 rows filled in") == true)
    let after = desk.socket.sent.last { $0["method"]?.string == "audit.activity.list" }
    // Somewhat before the loss, by the gateway's clock.
    #expect(after?["params"]?["after"]?.int == Int(Self.now) - 2_000)
    // The end that was filled in is not told again by a late event.
    desk.event(
      "agent",
      #"{"runId":"r2","stream":"lifecycle","data":{"phase":"end"},"sessionKey":"agent:wren:main"}"#
    )
    #expect(!desk.rows.contains { $0["metadata"]?["triggerMessageId"]?.string == "r2" })
  }

  @Test("pages are read to the fourth; a list that goes on says that older entries are not here")
  func pages() throws {
    let desk = try Desk()
    desk.source.fetchHistory(HistoryRequest(sinceMs: Self.now))
    desk.connect(lists: [
      "audit.activity.list": list([entry(1, "started", run: "r1")], next: "7")
    ])
    let asked = desk.socket.sent.filter { $0["method"]?.string == "audit.activity.list" }
    #expect(asked.map { $0["params"]?["cursor"]?.string } == [nil, "7", "7", "7"])
    #expect(kinds(desk.earlier) == ["llm_run_started"])
    #expect(desk.rows.last?["content"]?.string?.contains("list is longer") == true)
  }

  @Test("a gap that cannot be filled says so; a source that no screen shows asks for nothing")
  func failures() throws {
    let desk = try Desk()
    desk.connect()
    #expect(!desk.methods().contains("audit.activity.list"))
    desk.source.fetchHistory(HistoryRequest(sinceMs: Self.now))
    desk.refuse(#"{"code":"INVALID_REQUEST","message":"unknown method: audit.activity.list"}"#)
    #expect(
      desk.rows.last?["content"]?.string
        == "what happened before is not filled in: This gateway is too old for that; update it.")
    desk.wires.delegate?.socket(desk.socket, ended: .closed(code: 1006, reason: ""))
    desk.wires.pass(seconds: 40)
    desk.connect(lists: ["audit.activity.list": "[]"])
    #expect(
      desk.rows.last?["content"]?.string == "the gateway's list of its activity could not be read")
  }
}
