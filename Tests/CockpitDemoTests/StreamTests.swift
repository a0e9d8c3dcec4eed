import Testing

@testable import CockpitDemo

@Suite struct StreamTests {
  @Test func activityStreamHasTheRecordedShape() async throws {
    try await withServer { server, client, clock in
      let stream = try await client.stream("/api/activity/events")
      let first = try await stream.next()
      #expect(
        stream.head.filter { !$0.hasPrefix("Date:") } == [
          "HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Cache-Control: no-cache",
          "Connection: keep-alive", "X-Accel-Buffering: no", "Transfer-Encoding: chunked",
        ])
      #expect(first.name == "activity_snapshot")
      let snapshot = try first.json
      #expect(snapshot["actions"]?.arrayValue?.count == 220)
      #expect(snapshot["stats"]?["stats"]?["last24h"] != nil)
      await server.emit(kind: "bot_error", content: "x")
      #expect(try await stream.next().name == "action_event")
      #expect(try await stream.next().name == "stats_update")
      for _ in 0..<4 {
        await server.advance(clock, seconds: 3)
        #expect(try await stream.next().name == "stats_update")
      }
      await server.advance(clock, seconds: 3)
      let names = try await [stream.next().name, stream.next().name]
      #expect(Set(names) == [":", "stats_update"])
      stream.close()
    }
  }

  @Test func voiceStreamTicksAndCarriesOnlyVoice() async throws {
    try await withServer { server, client, clock in
      let stream = try await client.stream("/api/voice/events")
      #expect(try await stream.next().name == "voice_state")
      await server.emit(kind: "llm_call", content: "x:y")
      await server.emit(kind: "voice_error", content: "boom")
      let event = try await stream.next()
      #expect(event.name == "voice_event")
      #expect(try event.json["kind"]?.stringValue == "voice_error")
      await server.advance(clock, seconds: 3)
      #expect(try await stream.next().name == "voice_state")
      stream.close()
    }
  }

  @Test func liveAndStoredShapesDiffer() async throws {
    try await withServer { server, client, _ in
      let stream = try await client.stream("/api/activity/events")
      _ = try await stream.next()
      let long = String(repeating: "x", count: 1999) + "😀end"
      await server.emit(
        kind: "sent_reply", content: .string(long), metadata: ["b": 1, "a": 2], guild: "1",
        channel: "2", user: "3")
      let live = try await stream.next().json
      #expect(live["id"] == nil && live["messageId"] == nil && live["usdCost"] == nil)
      #expect(live["content"]?.stringValue == long)
      let reply = try await client.get("/api/actions?limit=1&kinds=sent_reply")
      let stored = try #require(try reply.json.arrayValue?.first)
      #expect(stored["created_at"] == live["createdAt"])
      #expect(stored["metadata"]?.text == #"{"b":1,"a":2}"#)
      #expect(stored["message_id"] == .null && stored["usd_cost"] == 0)
      // Cut at 2000 UTF-16 units: the pair is broken in two.
      #expect(stored["content"] == .units(Array(long.utf16.prefix(2000))))
      #expect(reply.text.contains(#"x\ud83d""#))
      stream.close()
    }
  }

  @Test func faultsOnStreams() async throws {
    try await withServer { server, client, clock in
      let stream = try await client.stream("/api/activity/events")
      _ = try await stream.next()
      await server.inject(.cutMidEvent(afterBytes: 25))
      await server.emit(kind: "bot_error", content: "never complete")
      await #expect(throws: TestStream.End.self) { try await stream.next() }
      #expect(String(decoding: stream.rest, as: UTF8.self).hasSuffix("event: action_event\ndata:"))

      await server.inject(.slowDrip)
      let slow = try await client.stream("/api/voice/events")
      #expect(try await slow.next().name == "voice_state")
      await server.inject(.clear)

      await server.inject(.stalledStream)
      let stalled = try await client.stream("/api/activity/events")
      try await stalled.readHead()
      #expect(stalled.head.first == "HTTP/1.1 200 OK")
      await server.advance(clock, seconds: 9)
      #expect(stalled.rest.isEmpty)
      await server.inject(.dropConnections)
      await #expect(throws: TestStream.End.self) { try await stalled.next() }
    }
  }

  @Test func faultsOnRequests() async throws {
    try await withServer { server, client, _ in
      await server.inject(.http500(count: 2))
      #expect(try await client.get("/api/health").status == 500)
      #expect(try await client.get("/api/health").status == 500)
      #expect(try await client.get("/api/health").status == 200)
      await server.inject(.htmlPage(count: 1))
      #expect(try await client.get("/api/stats").header("Content-Type")?.contains("html") == true)
      await server.inject(.redirect(to: "http://127.0.0.1:9/x", count: 1))
      let moved = try await client.get("/api/health")
      #expect(moved.status == 302 && moved.header("Location") == "http://127.0.0.1:9/x")
      await server.inject(.hideBehind404)
      #expect(try await client.get("/api/health").status == 404)
      await server.inject(.clear)
      await server.inject(.closeImmediately(count: 1))
      await #expect(throws: (any Error).self) { try await client.get("/api/health") }
      await server.inject(.tunnelStatus("error"))
      let tunnel = try await client.get("/api/public-https").json
      #expect(tunnel["status"]?.stringValue == "error")
    }
  }

  @Test func controlRouteIsOffByDefault() async throws {
    try await withServer { _, client, _ in
      let off = try await client.json("POST", "/__demo/fault", ["fault": "http500", "count": 1])
      #expect(off.header("Content-Type")?.contains("html") == true)
      #expect(try await client.get("/api/health").status == 200)
    }
    let options = DemoOptions(
      scenario: .quiet, token: "secret", faults: DemoFaults(httpControl: true))
    try await withServer(options) { _, client, _ in
      let on = try await client.json("POST", "/__demo/fault", ["fault": "http500", "count": 1])
      #expect(on.text == #"{"ok":true}"#)
      #expect(try await client.get("/api/health").status == 500)
      #expect(try await client.json("POST", "/__demo/fault", ["fault": "x"]).status == 400)
    }
  }

  @Test func floodKeepsItsRate() async throws {
    let options = DemoOptions(flood: 2000, scenario: .quiet, token: "secret")
    try await withServer(options) { server, client, clock in
      let before = try await client.get("/api/actions?kinds=text_runtime&limit=1").json
        .arrayValue?.first?["id"]?.doubleValue
      let stream = try await client.stream("/api/activity/events")
      _ = try await stream.next()
      await server.advance(clock, seconds: 2)
      var count = 0
      while count < 4000 {
        if try await stream.next().name == "action_event" { count += 1 }
      }
      let after = try await client.get("/api/actions?limit=1").json
        .arrayValue?.first?["id"]?.doubleValue
      #expect((after ?? 0) - (before ?? 0) >= 3900)
      stream.close()
    }
  }
}
