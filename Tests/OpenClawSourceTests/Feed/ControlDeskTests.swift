import LenientJSON
import OpenClawWire
import Testing

@testable import OpenClawSource

@Suite struct ControlDeskTests {
  private func approval(_ id: String, _ command: String = "make", expires: Int = 2_000) -> String {
    #"{"id":"\#(id)","request":{"command":"\#(command)"},"expiresAtMs":\#(expires)}"#
  }

  private func event(_ name: String, _ payload: String) throws -> GatewayEvent {
    GatewayEvent(
      name: name, payload: try JSONValue.parse(Array(payload.utf8)), sequence: nil)
  }

  @Test("a list replaces its own kind alone; a card that is announced twice waits once")
  func lists() throws {
    var desk = ControlDesk()
    desk.take(
      .listApprovals(.exec), .success(try JSONValue.parse(Array("[\(approval("a"))]".utf8))))
    desk.take(
      .listPairings, .success(try JSONValue.parse(Array(#"{"pending":[{"requestId":"p"}]}"#.utf8))))
    for _ in 0..<2 { _ = desk.take(try event("exec.approval.requested", approval("b")), nowMs: 1) }
    #expect(desk.waiting.map(\.id) == ["a", "p", "b"])
    desk.take(.listApprovals(.exec), .success(.array([])))
    #expect(desk.waiting.map(\.id) == ["p"])
  }

  @Test("what an event announced is heard as long as it waits; what was only listed is not")
  func heard() throws {
    var desk = ControlDesk()
    func list(_ ids: String...) throws {
      let items = ids.map { approval($0) }.joined(separator: ",")
      desk.take(.listApprovals(.exec), .success(try JSONValue.parse(Array("[\(items)]".utf8))))
    }
    try list("a")
    _ = desk.take(try event("exec.approval.requested", approval("b")), nowMs: 1)
    #expect(desk.heard == ["b"])
    try list("a", "b", "c")
    #expect(desk.heard == ["b"])
    _ = desk.take(try event("exec.approval.resolved", #"{"id":"b","decision":"deny"}"#), nowMs: 2)
    #expect(desk.heard.isEmpty)
    try list("b")
    #expect(desk.heard.isEmpty && desk.waiting.map(\.id) == ["b"])
  }

  @Test("a list that failed or could not be read leaves what is known, and says so")
  func unknown() throws {
    var desk = ControlDesk()
    _ = desk.take(try event("exec.approval.requested", approval("a")), nowMs: 1)
    desk.take(.listApprovals(.exec), .failure(.timedOut))
    #expect(desk.waiting.count == 1 && desk.unknown.keys.sorted() == ["exec approvals"])
    desk.take(.listQuestions, .success(.body([("questions", .array([.null]))])))
    #expect(desk.unknown.keys.sorted() == ["exec approvals", "questions"])
    desk.take(.listApprovals(.exec), .success(.array([])))
    #expect(desk.unknown.keys.sorted() == ["questions"])
  }

  @Test(
    "how a card ended is kept: answered by whom, expired with and without a word of the gateway")
  func ends() throws {
    var desk = ControlDesk()
    for id in ["a", "b", "c"] {
      _ = desk.take(try event("exec.approval.requested", approval(id)), nowMs: 1)
    }
    _ = desk.take(
      try event(
        "exec.approval.resolved", #"{"id":"a","decision":"allow-once","resolvedBy":"Ingrid"}"#),
      nowMs: 2)
    _ = desk.take(try event("exec.approval.resolved", #"{"id":"b","decision":"deny"}"#), nowMs: 3)
    let early = desk.expire(nowMs: 2_000 + ControlDesk.graceMs)
    let late = desk.expire(nowMs: 2_001 + ControlDesk.graceMs)
    #expect(!early && late && desk.waiting.isEmpty)
    #expect(desk.over.map(\.words) == ["allow-once by Ingrid", "expired", "expired"])
  }

  @Test("the fingerprint changes with everything that is shown")
  func fingerprints() throws {
    func card(_ payload: String) throws -> String {
      let value = try JSONValue.parse(Array(payload.utf8))
      return WaitingItem.approval(try #require(Approval(value, kind: .exec))).fingerprint
    }
    let base = try card(#"{"id":"a","request":{"command":"make","cwd":"/x"}}"#)
    #expect(try card(#"{"id":"a","request":{"cwd":"/x","command":"make"}}"#) == base)
    for other in [
      #"{"id":"a","request":{"command":"make ","cwd":"/x"}}"#,
      #"{"id":"a","request":{"command":"make","cwd":"/y"}}"#,
      #"{"id":"b","request":{"command":"make","cwd":"/x"}}"#,
      #"{"id":"a","request":{"command":"make","cwd":"/x","later":1}}"#,
      #"{"id":"a","request":{"command":"make","cwd":"/x","allowedDecisions":["deny"]}}"#,
    ] { #expect(try card(other) != base, "\(other)") }
  }

  @Test("more cards than the limit are said")
  func flood() throws {
    var desk = ControlDesk()
    for index in 0..<600 {
      _ = desk.take(try event("exec.approval.requested", approval("\(index)")), nowMs: 1)
    }
    #expect(desk.waiting.count == ControlDesk.maximumWaiting && desk.unknown["more"] != nil)
  }
}
