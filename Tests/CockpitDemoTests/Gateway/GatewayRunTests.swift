import Foundation
import Testing

@testable import CockpitDemo

@Suite("gateway runs", .timeLimit(.minutes(2))) struct GatewayRunTests {
  /// Sends a message and hears its run to the end.
  private func play(
    _ gateway: TestGateway, _ client: GatewayTestClient, _ message: String, id: String = "k1"
  ) async throws -> [DemoJSON] {
    let sent = try await client.call(
      "chat.send",
      [
        "sessionKey": "agent:heron:main", "message": .string(message),
        "idempotencyKey": .string(id),
      ])
    #expect(sent["payload"] == ["runId": .string(id), "status": "started"])
    await gateway.advance(60_000)
    _ = try await client.event("sessions.changed") {
      $0["runId"]?.stringValue == id && $0["phase"] != "start"
    }
    return client.seen
  }

  private func payloads(_ events: [DemoJSON], _ name: String, run: String = "k1") -> [DemoJSON] {
    events.filter { $0["event"]?.stringValue == name }.compactMap { $0["payload"] }
      .filter { $0["runId"]?.stringValue == run }
  }

  private func text(_ payload: DemoJSON) -> String? {
    payload["message"]?["content"]?.arrayValue?.first?["text"]?.stringValue
  }

  @Test("deltas add up to the last message and to the truth", arguments: [3, 4])
  func deltas(version: Int) async throws {
    let gateway = try await TestGateway(version: version)
    let client = try await gateway.client()
    _ = try await client.call("sessions.subscribe")
    let events = try await play(gateway, client, "A plan, please")
    let chat = payloads(events, "chat")
    let deltas = chat.filter { $0["state"] == "delta" }
    #expect(deltas.count > 2)
    var appended = ""
    for delta in deltas {
      appended += delta["deltaText"]?.stringValue ?? ""
      if version == 4 { #expect(text(delta) == appended) }
    }
    let final = try #require(chat.last { $0["state"] == "final" }.flatMap(text))
    #expect(version == 3 || appended == final)
    #expect(deltas.last.flatMap(text) == final)
    #expect(chat.compactMap { $0["seq"]?.doubleValue } == (1...chat.count).map(Double.init))
    #expect(chat.contains { $0["state"] == "status" } == (version == 4))
    #expect(chat.allSatisfy { ($0["agentId"] != nil) == (version == 4) })
    let run = try await gateway.truth()["runs"]?.arrayValue?.first
    #expect(run?["text"]?.stringValue == final && run?["status"] == "done")
    // Each tool has a start and a result, with the truth's duration.
    let tools = payloads(events, "agent").filter { $0["stream"] == "tool" }
    for used in run?["tools"]?.arrayValue ?? [] {
      let own = tools.filter { $0["data"]?["toolCallId"] == used["call"] }
      #expect(own.map { $0["data"]?["phase"] } == ["start", "result"])
      let ms = (own[1]["ts"]?.doubleValue ?? 0) - (own[0]["ts"]?.doubleValue ?? 0)
      let truth = (used["ended"]?.doubleValue ?? 0) - (used["started"]?.doubleValue ?? 0)
      #expect(ms == truth && ms > 0)
      #expect((own[1]["data"]?["result"] != nil) == (version == 4))
    }
    #expect(run?["tools"]?.arrayValue?.count == 3)
    // The connection's numbers have no hole.
    let numbers = events.compactMap { $0["seq"]?.doubleValue }
    #expect(numbers == (1...numbers.count).map(Double.init))
    await gateway.server.stop()
  }

  @Test("tools go to who started the run, and to subscribers as session.tool")
  func tools() async throws {
    let gateway = try await TestGateway()
    let starter = try await gateway.client()
    let other = try await gateway.client(TestDevice(9, name: "Hall"))
    _ = try await other.call("sessions.subscribe")
    _ = try await starter.call("sessions.subscribe")
    let own = try await play(gateway, starter, "A plan, please")
    _ = try await other.event("sessions.changed") { $0["phase"] == "end" }
    #expect(payloads(own, "session.tool").isEmpty)
    #expect(payloads(other.seen, "session.tool").count == 6)
    #expect(payloads(other.seen, "agent").allSatisfy { $0["stream"] != "tool" })
    #expect(payloads(other.seen, "agent").contains { $0["stream"] == "item" })
    await gateway.server.stop()
  }

  @Test("a repeated key starts nothing; history names the run in flight; an abort ends it")
  func abort() async throws {
    let gateway = try await TestGateway()
    let client = try await gateway.client()
    _ = try await client.call("sessions.subscribe")
    let message: DemoJSON = [
      "sessionKey": "agent:heron:main", "message": "a long one", "idempotencyKey": "k1",
    ]
    _ = try await client.call("chat.send", message)
    await gateway.advance(2000)
    let again = try await client.call("chat.send", message)
    #expect(again["payload"]?["status"] == "in_flight")
    let history = try await client.call("chat.history", ["sessionKey": "agent:heron:main"])
    let flight = history["payload"]?["inFlightRun"]
    #expect(flight?["runId"] == "k1")
    let stopped = try await client.call("chat.abort", ["sessionKey": "agent:heron:main"])
    #expect(stopped["payload"] == ["ok": true, "aborted": true, "runIds": ["k1"]])
    await gateway.advance(20_000)
    let aborted = try await client.event("chat") { $0["state"] == "aborted" }
    let kept = aborted["payload"].flatMap(text) ?? ""
    #expect(kept == flight?["text"]?.stringValue && !kept.isEmpty)
    let idle = try await client.call("chat.abort", ["sessionKey": "agent:heron:main"])
    #expect(idle["payload"]?["aborted"] == false)
    let runs = try await gateway.truth()["runs"]?.arrayValue
    #expect(runs?.count == 1 && runs?.first?["status"] == "killed")
    await gateway.server.stop()
  }

  @Test("a child speaks up in its parent's session; a failure has a kind")
  func others() async throws {
    let gateway = try await TestGateway()
    let client = try await gateway.client()
    _ = try await client.call("sessions.subscribe")
    _ = try await play(gateway, client, "delegate it")
    let announced = try await client.event("chat") {
      $0["runId"]?.stringValue?.hasPrefix("announce:") == true && $0["state"] == "final"
    }
    #expect(announced["payload"]?["sessionKey"] == "agent:heron:main")
    let child = client.seen.compactMap { $0["payload"] }.first { $0["spawnedBy"] != nil }
    #expect(child?["spawnedBy"] == "agent:heron:main")
    let failed = try await play(gateway, client, "fail", id: "k2")
    let error = payloads(failed, "chat", run: "k2").last
    #expect(error?["state"] == "error" && error?["errorKind"]?.stringValue != nil)
    let again = try await client.call(
      "chat.send",
      ["sessionKey": "agent:heron:main", "message": "x", "idempotencyKey": "k2"])
    #expect(again["ok"] == true)
    await gateway.server.stop()
  }

  @Test("the same seed tells the same story; another one another")
  func seeds() async throws {
    var texts: [[UInt8]] = []
    for seed in [7, 7, 8] as [UInt64] {
      let gateway = try await TestGateway(scenario: .story) { $0.seed = seed }
      await gateway.advance(130_000)
      texts.append(await gateway.server.truth())
      await gateway.server.stop()
    }
    #expect(texts[0] == texts[1] && texts[0] != texts[2])
    let truth = try DemoJSON.parse(texts[0])
    #expect(truth["approvals"]?.arrayValue?.count == 5)
    let approvals = truth["approvals"]?.arrayValue ?? []
    let statuses = Set(approvals.compactMap { $0["status"]?.stringValue })
    #expect(statuses == ["pending", "denied", "expired"])
    #expect(truth["runs"]?.arrayValue?.count == 9)
    #expect(truth["questions"]?.arrayValue?.count == 2)
  }
}
