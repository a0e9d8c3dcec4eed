import Foundation
import Testing

@testable import CockpitDemo

@Suite struct FaultTests {
  @Test func slowRESTDelaysRequestsButNotStreams() async throws {
    try await withServer { server, client, _ in
      let stream = try await client.stream("/api/voice/events")
      _ = try await stream.next()
      await server.inject(.slowREST(ms: 250))
      let clock = ContinuousClock()
      let start = clock.now
      async let slow = client.get("/api/health")
      await server.emit(kind: "voice_error", content: "while waiting")
      #expect(try await stream.next().name == "voice_event")
      #expect(try await slow.status == 200)
      #expect(clock.now - start >= .milliseconds(240))
      let opened = try await client.stream("/api/activity/events")
      #expect(try await opened.next().name == "activity_snapshot")
      await server.inject(.clear)
      #expect(try await client.get("/api/health").status == 200)
      opened.close()
      stream.close()
    }
  }

  @Test func moreSessionsOnRequest() async throws {
    try await withServer { server, client, clock in
      for expected in [1.0, 2, 3, 3] {
        await server.inject(.secondSession)
        await server.advance(clock, seconds: 1)
        let state = try await client.get("/api/voice/state").json
        #expect(state["activeCount"]?.doubleValue == expected)
        let guilds = state["sessions"]?.arrayValue?.map { $0.field("guildId") } ?? []
        #expect(Set(guilds).count == guilds.count)
      }
    }
  }

  @Test func leaveRouteIsOptional() async throws {
    let options = DemoOptions(
      scenario: .quiet, token: "secret", faults: DemoFaults(leaveRoute: true))
    try await withServer(options) { server, client, clock in
      let idle = try await client.json("POST", "/api/voice/leave", [:])
      #expect(idle.text == #"{"ok":false,"reason":"no_active_session"}"#)
      await server.inject(.secondSession)
      await server.advance(clock, seconds: 2)
      let guild: DemoJSON = ["guildId": .string(Cast.ridge.id)]
      let left = try await client.json("POST", "/api/voice/leave", guild)
      #expect(left.text == #"{"ok":true,"reason":"left"}"#)
      #expect(try await client.get("/api/voice/state").json["activeCount"] == 0)
      let end = try await client.get("/api/actions?kinds=voice_session_end&limit=1").json
      #expect(end.arrayValue?.first?["content"]?.stringValue == "nl_leave")
      // Events scheduled for the session must not happen any more.
      await server.advance(clock, seconds: 60)
      let rows = try await client.get("/api/actions?kinds=voice_turn_in&sinceHours=0.016").json
      #expect(rows == .array([]))
    }
  }

  @Test func twoSessionsAtOnce() async throws {
    try await withServer(DemoOptions(scenario: .voice, token: "secret")) { server, client, clock in
      await server.advance(clock, seconds: 45)
      let state = try await client.get("/api/voice/state").json
      let sessions = try #require(state["sessions"]?.arrayValue)
      #expect(sessions.map { $0.field("guildId") } == [Cast.ridge.id, Cast.bakery.id])
      let runtime = try await client.get("/api/stats").json["runtime"]
      #expect(runtime?["voice"]?["activeCount"] == 2)
      for session in sessions {
        let id = session.field("sessionId")
        let events = try await client.get("/api/voice/history/sessions/\(id)/events").json
        let rows = try #require(events.arrayValue)
        #expect(rows.count > 30)
        #expect(rows.allSatisfy { $0["metadata"]?.field("sessionId") == id })
        // Rows of the music player know their session but not their guild (contract 4.4).
        let placed = rows.filter { $0.field("kind") != "voice_music" }
        #expect(placed.allSatisfy { $0.field("guild_id") == session.field("guildId") })
        let times = rows.map { $0.field("created_at") }
        #expect(times == times.sorted())
      }
    }
  }

  @Test func floodBesideVoice() async throws {
    let options = DemoOptions(flood: 500, scenario: .voice, token: "secret", history: 0)
    try await withServer(options) { server, client, clock in
      let voice = try await client.stream("/api/voice/events")
      #expect(try await voice.next().name == "voice_state")
      await server.advance(clock, seconds: 12)
      let newest = try await client.get("/api/actions?limit=1").json.arrayValue?.first
      #expect((newest?["id"]?.doubleValue ?? 0) > 5900)
      let spoken = try await client.get("/api/actions?kinds=voice_turn_in&limit=50").json
      #expect((spoken.arrayValue?.count ?? 0) >= 2)
      // The voice stream carries no flood.
      for _ in 0..<40 {
        let event = try await voice.next()
        #expect(event.name == "voice_event" || event.name == "voice_state")
      }
      voice.close()
    }
  }
}

@Suite struct RetentionTests {
  @Test func rowsBeyondTheLimitAreDeleted() async throws {
    let options = DemoOptions(
      flood: 300, scenario: .quiet, token: "secret", history: 0, maxRows: 400)
    try await withServer(options) { server, client, clock in
      var last = 0.0
      for _ in 0..<12 {
        await server.advance(clock, seconds: 1)
        let rows = try await client.get("/api/actions?limit=1000").json.arrayValue ?? []
        let newest = rows.first?["id"]?.doubleValue ?? 0
        #expect(newest > last)
        last = newest
        // Checked every 250 writes.
        #expect(rows.count <= 400 + DemoStore.pruneEvery)
        let kept = rows.reduce(0) { $0 + ($1["usd_cost"]?.doubleValue ?? 0) }
        let stats = try await client.get("/api/stats").json["stats"]
        let total = stats?["totalCostUsd"]?.doubleValue ?? -1
        #expect(abs(total - kept) < 1e-9)
      }
      #expect(last > 3000)
    }
  }

  @Test func oldRowsAreDeleted() async throws {
    let options = DemoOptions(scenario: .quiet, token: "secret", history: 200)
    try await withServer(options) { server, client, clock in
      clock.advance(byMs: 10 * DemoTime.day)
      for index in 0..<300 { await server.emit(kind: "bot_error", content: "\(index)") }
      let rows = try await client.get("/api/actions?limit=1000").json.arrayValue ?? []
      let horizon = DemoTime.iso(clock.nowMs - DemoStore.retentionMs)
      #expect(rows.allSatisfy { $0.field("created_at") >= horizon })
      #expect(rows.count > 300)
    }
  }
}
