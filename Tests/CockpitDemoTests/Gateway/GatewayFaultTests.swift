import Foundation
import Testing

@testable import CockpitDemo

@Suite("gateway faults", .timeLimit(.minutes(2))) struct GatewayFaultTests {
  @Test("a restart: shutdown, 1012, starting, and then again")
  func restart() async throws {
    let gateway = try await TestGateway { $0.restartAfterSeconds = 5 }
    let client = try await gateway.client()
    await gateway.advance(5100)
    let event = try await client.event("shutdown")["payload"]
    #expect(event?["restartExpectedMs"] == 1500)
    let (code, reason) = try await client.close()
    #expect(code == 1012 && reason == "service restart")
    let early = try await GatewayTestClient(gateway.server)
    let error = try await early.connect()["error"]
    #expect(error?["code"] == "UNAVAILABLE" && error?["retryAfterMs"] == 500)
    let close = try await early.close()
    #expect(close.0 == 1013 && close.1 == "gateway starting")
    await gateway.advance(2000)
    _ = try await gateway.client().call("health")
    await gateway.server.stop()
  }

  @Test("lost events leave a hole in the numbers, doubled ones none")
  func numbers() async throws {
    let gateway = try await TestGateway { $0.tickMs = 1000 }
    let client = try await gateway.client()
    func tick() async throws -> Double? {
      await gateway.advance(1000)
      return try await client.event("tick")["seq"]?.doubleValue
    }
    let first = try #require(try await tick())
    await gateway.server.inject(.loseEvents(3))
    await gateway.advance(3000)
    #expect(try await tick() == first + 4)
    await gateway.server.inject(.duplicateEvents(1))
    #expect(try await tick() == first + 5)
    #expect(try await client.event("tick")["seq"]?.doubleValue == first + 5)
    await gateway.server.inject(.noTicks)
    await gateway.advance(5000)
    _ = try await client.call("health")
    #expect(client.events.isEmpty)
    await gateway.server.stop()
  }

  @Test("an answer that is late, a frame cut in half, a drop in a run")
  func transport() async throws {
    let gateway = try await TestGateway()
    let client = try await gateway.client()
    await gateway.server.inject(.lateAnswers(ms: 4000))
    try await client.send(["type": "req", "id": "late", "method": "health", "params": [:]])
    try await client.write(0x89, [7])
    // The pong comes at once, the answer when its time has come.
    guard case .ended = try? await pong(client) else {
      await gateway.advance(4000)
      guard case .frame(let frame) = try await client.next() else { return }
      #expect(frame["id"] == "late")
      await gateway.server.inject(.clear)
      await gateway.server.inject(.dropInRun)
      _ = try await client.call(
        "chat.send",
        ["sessionKey": "agent:heron:main", "message": "a long one", "idempotencyKey": "k1"])
      await gateway.advance(10_000)
      #expect(try await client.close().1 == "ended")
      let again = try await gateway.client()
      let history = try await again.call("chat.history", ["sessionKey": "agent:heron:main"])
      #expect(history["payload"]?["messages"]?.arrayValue?.isEmpty == false)
      await gateway.server.inject(.halfFrame)
      try await again.send(["type": "req", "id": "x", "method": "health", "params": [:]])
      #expect(try await again.close().1 == "ended")
      return await gateway.server.stop()
    }
    Issue.record("the gateway hung up")
  }

  private func pong(_ client: GatewayTestClient) async throws -> GatewayTestClient.Incoming {
    // Its payload is one byte, which is no JSON: the reader of frames throws, and that is the pong.
    do {
      return try await client.next()
    } catch is DemoJSONError {
      return .close(nil, "pong")
    }
  }

  @Test("a frame of 25 MB arrives whole; one who does not read is given up")
  func big() async throws {
    let gateway = try await TestGateway()
    let client = try await gateway.client()
    _ = try await client.call("sessions.subscribe")
    await gateway.server.inject(.bigFrame(bytes: 25_000_000))
    #expect(try await client.skipFrame() > 24_999_000)
    _ = try await client.call("health")
    await gateway.server.stop()
    let small = try await TestGateway { $0.maxBufferedBytes = 1_000_000 }
    let lazy = try await small.client()
    _ = try await lazy.call("sessions.subscribe")
    // More than the kernel keeps for a socket.
    await small.server.inject(.bigFrame(bytes: 12_000_000))
    await small.server.catchUp()
    let truth = try await small.truth()
    #expect(truth["entries"]?.arrayValue?.contains { $0["what"] == "slow consumer" } == true)
    #expect(try await lazy.skipFrame() > 11_999_000)
    let (code, reason) = try await lazy.close()
    #expect(code == 1008 && reason == "slow consumer")
    await small.server.stop()
  }

  @Test("hostile text is in what people read, never in what the protocol reads")
  func hostile() async throws {
    let gateway = try await TestGateway(scenario: .hostile)
    let client = try await gateway.client()
    await gateway.advance(30_000)
    let asked = try await client.event("exec.approval.requested")["payload"]
    #expect(asked?["request"]?["command"]?.stringValue?.contains("\u{1B}") == true)
    #expect(asked?["request"]?["agentId"] == "tally")
    let deltas = client.seen.filter { $0["event"] == "chat" && $0["payload"]?["state"] == "delta" }
    var texts: [String: String] = [:]
    for delta in deltas {
      let run = delta["payload"]?["runId"]?.stringValue ?? ""
      texts[run, default: ""] += delta["payload"]?["deltaText"]?.stringValue ?? ""
      let whole = delta["payload"]?["message"]?["content"]?.arrayValue?.first?["text"]
      #expect(whole?.stringValue == texts[run])
    }
    #expect(texts.values.contains { $0.contains("\u{1B}[2J") })
    await gateway.server.stop()
  }

  @Test("every fault has a name, and the tour survives a client")
  func names() async throws {
    for name in [
      "dropInRun", "dropConnections", "dropAfter", "loseEvents", "duplicateEvents", "lateAnswers",
      "noTicks", "silence", "slowReader", "slowConsumer", "hostile", "bigFrame", "halfFrame",
      "badText", "gluedChallenge", "rebuildingHistory", "rateLimit", "otherAnswersFirst",
      "stranger", "pairing", "restart", "clear",
    ] {
      #expect(GatewayFault(["fault": .string(name)]) != nil, "\(name)")
    }
    #expect(GatewayFault(["fault": "nothing"]) == nil)
    let gateway = try await TestGateway()
    await gateway.server.inject(.gluedChallenge)
    let client = try await gateway.client()
    await gateway.server.inject(.rebuildingHistory)
    let error = try await client.call("chat.history", ["sessionKey": "agent:heron:main"])["error"]
    #expect(error?["code"] == "UNAVAILABLE" && error?["retryAfterMs"] == 250)
    await gateway.server.inject(.rateLimit)
    let refused = try await GatewayTestClient(gateway.server).connect()["error"]
    #expect(refused?["details"]?["code"] == "AUTH_RATE_LIMITED")
    await gateway.server.stop()
  }
}
