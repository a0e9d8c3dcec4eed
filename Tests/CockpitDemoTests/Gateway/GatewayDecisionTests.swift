import Foundation
import Testing

@testable import CockpitDemo

@Suite("gateway decisions", .timeLimit(.minutes(2))) struct GatewayDecisionTests {
  @Test("an approval is answered once, and everybody hears of it", arguments: [3, 4])
  func approval(version: Int) async throws {
    let gateway = try await TestGateway(version: version)
    let desk = try await gateway.client()
    let hall = try await gateway.client(
      TestDevice(9, name: "Hall"), scopes: ["operator.read", "operator.approvals"])
    let list = try await desk.call("exec.approval.list")["payload"]?.arrayValue ?? []
    let id = try #require(list.first?["id"]?.stringValue)
    #expect(list.count == 1 && list[0]["request"]?["command"] == "git push vault main")
    let shown = try await desk.call("exec.approval.get", ["id": .string(id)])["payload"]
    #expect(shown?["commandText"] == "git push vault main")
    let bad = try await desk.call(
      "exec.approval.resolve", ["id": .string(id), "decision": "maybe"])
    #expect(bad["ok"] == false)
    let done = try await desk.call(
      "exec.approval.resolve", ["id": .string(id), "decision": "allow-once"])
    #expect(done["payload"] == ["ok": true])
    await gateway.advance(10)
    for client in [desk, hall] {
      let event = try await client.event("exec.approval.resolved")["payload"]
      #expect(event?["id"]?.stringValue == id && event?["decision"] == "allow-once")
      #expect(event?["resolvedBy"] == "Desk")
    }
    let late = try await hall.call(
      "exec.approval.resolve", ["id": .string(id), "decision": "deny"])["error"]
    #expect(late?["message"] == "unknown or expired approval id")
    #expect(late?["details"]?["reason"] == "APPROVAL_NOT_FOUND")
    let truth = try await gateway.truth()["approvals"]?.arrayValue?.first
    #expect(truth?["status"] == "allowed" && truth?["by"] == "Desk")
    await gateway.server.stop()
  }

  @Test(
    "a run waits for its approval and goes on", arguments: [("allow-once", false), ("deny", true)])
  func inRun(decision: String, fails: Bool) async throws {
    let gateway = try await TestGateway()
    let desk = try await gateway.client()
    let hall = try await gateway.client(TestDevice(9, name: "Hall"))
    let admin = try await gateway.client(
      TestDevice(5, name: "Admin"), scopes: ["operator.admin"])
    _ = try await desk.call(
      "chat.send",
      [
        "sessionKey": "agent:heron:main", "message": "have it approved", "idempotencyKey": "k1",
      ])
    await gateway.advance(5000)
    let asked = try await desk.event("exec.approval.requested")["payload"]
    let id = try #require(asked?["id"]?.stringValue)
    #expect(asked?["request"]?["runId"] == "k1")
    _ = try await admin.event("exec.approval.requested") { $0["id"]?.stringValue == id }
    // Another device's run: neither shown nor answered (contract 10).
    let theirs = try await hall.call("exec.approval.list")["payload"]?.arrayValue ?? []
    #expect(!theirs.contains { $0["id"]?.stringValue == id })
    let error = try await hall.call(
      "exec.approval.resolve", ["id": .string(id), "decision": "deny"])["error"]
    #expect(error?["details"]?["reason"] == "APPROVAL_NOT_FOUND")
    let applied = try await desk.call(
      "approval.resolve",
      ["id": .string(id), "kind": "exec", "decision": .string(decision)])["payload"]
    #expect(applied?["applied"] == true)
    let second = try await admin.call(
      "approval.resolve", ["id": .string(id), "kind": "exec", "decision": "deny"])["payload"]
    #expect(second?["applied"] == false)
    await gateway.advance(10_000)
    let result = try await desk.event("agent") {
      $0["stream"] == "tool" && $0["data"]?["phase"] == "result"
    }
    #expect(result["payload"]?["data"]?["isError"] == .bool(fails))
    _ = try await desk.event("chat") { $0["state"] == "final" }
    await gateway.server.stop()
  }

  @Test("an expiry is told by protocol 4, without a name, and not by 3", arguments: [3, 4])
  func expiry(version: Int) async throws {
    let gateway = try await TestGateway(scenario: .story, version: version)
    let client = try await gateway.client()
    await gateway.advance(54_100)
    let asked = try await client.event("exec.approval.requested") {
      $0["request"]?["command"] == "curl -s http://192.0.2.77/state"
    }
    let id = asked["payload"]?["id"]
    await gateway.advance(16_000)
    if version == 4 {
      let event = try await client.event("exec.approval.resolved") { $0["id"] == id }
      #expect(event["payload"]?["decision"] == "deny")
      #expect(event["payload"]?["resolvedBy"] == nil)
    } else {
      _ = try await client.call("health")
      let resolved = client.seen.filter { $0["event"] == "exec.approval.resolved" }
      #expect(!resolved.contains { $0["payload"]?["id"] == id })
    }
    let other = client.seen.first { $0["payload"]?["resolvedBy"] == "Oskar's phone" }
    #expect(other?["payload"]?["decision"] == "deny")
    await gateway.server.stop()
  }

  @Test("questions: options, several, a secret one, a cancel, a late answer")
  func questions() async throws {
    let gateway = try await TestGateway()
    let client = try await gateway.client()
    _ = try await client.call(
      "chat.send",
      ["sessionKey": "agent:heron:main", "message": "ask me", "idempotencyKey": "k1"])
    await gateway.advance(3000)
    let asked = try await client.event("question.requested")["payload"]
    let id = try #require(asked?["id"])
    for (answers, words) in [
      (["room": ["Study"]], "question 'days' needs an answer"),
      (["room": ["Study"], "days": ["Sun"]], "question 'days' has no option 'Sun'"),
      (["room": ["Study", "Hall"], "days": ["Tue"]], "question 'room' takes one answer"),
    ] as [(DemoJSON, String)] {
      let refused = try await client.call(
        "question.resolve", ["id": id, "answers": ["answers": answers]])
      #expect(refused["error"]?["message"]?.stringValue == words)
    }
    let answers: DemoJSON = ["answers": ["room": ["The attic"], "days": ["Tue", "Fri"]]]
    let done = try await client.call("question.resolve", ["id": id, "answers": answers])
    #expect(done["payload"] == ["status": "answered", "answers": answers])
    await gateway.advance(5000)
    let event = try await client.event("question.resolved")["payload"]
    #expect(event?["status"] == "answered" && event?["answers"] == answers)
    _ = try await client.event("chat") { $0["state"] == "final" }
    let late = try await client.call("question.resolve", ["id": id, "cancel": true])["error"]
    #expect(late?["details"]?["reason"] == "QUESTION_ALREADY_TERMINAL")
    await gateway.server.stop()
  }

  @Test("the answer to a secret question is not in the truth")
  func secret() async throws {
    let gateway = try await TestGateway(scenario: .story)
    let client = try await gateway.client()
    await gateway.advance(66_100)
    let asked = try await client.event("question.requested") {
      $0["questions"]?.arrayValue?.first?["isSecret"] == true
    }
    let id = try #require(asked["payload"]?["id"])
    let done = try await client.call(
      "question.resolve", ["id": id, "answers": ["answers": ["code": ["hush-4711"]]]])
    #expect(done["ok"] == true)
    let text = String(decoding: await gateway.server.truth(), as: UTF8.self)
    #expect(!text.contains("hush-4711") && !text.contains("secret\"\n") && !text.contains("dt_"))
    await gateway.server.stop()
  }

  @Test("a newcomer is refused until an operator approves, and thrown out when removed")
  func pairing() async throws {
    let gateway = try await TestGateway { $0.asksForPairing = true }
    let first = try await GatewayTestClient(gateway.server)
    let refusal = try await first.connect()["error"]
    #expect(refusal?["code"] == "NOT_PAIRED")
    #expect(refusal?["details"]?["reason"] == "not-paired")
    let request = try #require(refusal?["details"]?["requestId"]?.stringValue)
    let (code, reason) = try await first.close()
    #expect(code == 1008 && reason.contains(request))
    await gateway.server.inject(.pairing(approves: true, request: request))
    let desk = try await gateway.client()
    // The newcomer, and the same request on its second try.
    let hall = TestDevice(9, name: "Hall")
    var ids: [String?] = []
    for _ in 0..<2 {
      let client = try await GatewayTestClient(gateway.server)
      let error = try await client.connect(hall, scopes: ["operator.read"])["error"]
      ids.append(error?["details"]?["requestId"]?.stringValue)
    }
    #expect(ids[0] != nil && ids[0] == ids[1])
    let asked = try await desk.event("device.pair.requested")["payload"]
    #expect(asked?["requestId"]?.stringValue == ids[0] && asked?["displayName"] == "Hall")
    let pending = try await desk.call("device.pair.list")["payload"]?["pending"]?.arrayValue
    #expect(pending?.count == 1)
    let id = DemoJSON.string(try #require(ids[0]))
    #expect(try await desk.call("device.pair.approve", ["requestId": id])["ok"] == true)
    let twice = try await desk.call("device.pair.approve", ["requestId": id])["error"]
    #expect(twice?["message"] == "unknown requestId")
    await gateway.advance(10)
    let resolved = try await desk.event("device.pair.resolved")["payload"]
    #expect(resolved?["decision"] == "approved")
    let newcomer = try await gateway.client(hall, scopes: ["operator.read"])
    // More scopes than approved.
    let greedy = try await GatewayTestClient(gateway.server)
    let upgrade = try await greedy.connect(hall, scopes: ["operator.read", "operator.write"])
    #expect(upgrade["error"]?["details"]?["reason"] == "scope-upgrade")
    #expect(upgrade["error"]?["details"]?["approvedScopes"] == ["operator.read"])
    let removed = try await desk.call("device.pair.remove", ["deviceId": .string(hall.id)])
    #expect(removed["ok"] == true)
    await gateway.advance(10)
    let end = try await newcomer.close()
    #expect(end.0 == 4001 && end.1 == "device removed")
    await gateway.server.stop()
  }
}
