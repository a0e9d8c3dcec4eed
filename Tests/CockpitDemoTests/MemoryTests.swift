import Testing

@testable import CockpitDemo

@Suite struct MemoryTests {
  let guild = DemoJSON.string(Cast.bakery.id)

  func edit(_ changes: DemoJSON) -> DemoJSON {
    let body: DemoJSON = [
      "guildId": guild, "subject": "__lore__", "fact": "A  loaf\nwith a flat top is a Tuesday.",
      "factType": "OTHER", "evidenceText": "", "confidence": 7,
    ]
    return body.merging(changes)
  }

  @Test func fullReplacement() async throws {
    try await withServer { server, client, _ in
      let list = try await client.get(
        "/api/memory/facts?guildId=\(Cast.bakery.id)&subject=__lore__"
      ).json
      let facts = try #require(list["facts"]?.arrayValue)
      #expect(facts.count == 2)
      let id = try #require(facts.last?["id"]).text
      let path = "/api/memory/facts/\(id)"
      func put(_ body: DemoJSON, _ path: String) async throws -> (Int, String) {
        let reply = try await client.json("PUT", path, body)
        return (reply.status, try reply.json["error"]?.stringValue ?? "")
      }
      #expect(try await put(edit(["guildId": " "]), path) == (400, "guildId required"))
      #expect(try await put(edit([:]), "/api/memory/facts/abc") == (400, "valid factId required"))
      #expect(try await put(edit(["subject": " "]), path) == (400, "subject required"))
      #expect(try await put(edit(["fact": ""]), path) == (400, "fact required"))
      let number = "confidence must be a number between 0 and 1"
      #expect(try await put(edit(["confidence": "high"]), path) == (400, number))
      #expect(try await put(edit([:]).removing(["confidence"]), path) == (400, number))
      #expect(try await put(edit([:]), "/api/memory/facts/99999") == (404, "not_found"))
      let other = DemoJSON.string(Cast.ridge.id)
      #expect(try await put(edit(["guildId": other]), path) == (404, "not_found"))
      let twin = try #require(facts.first?["fact"])
      #expect(try await put(edit(["fact": twin]), path) == (409, "duplicate"))
      let before = await server.kinds().count
      let saved = try await client.json("PUT", path, edit([:])).json["fact"]
      #expect(saved?["fact"] == "A loaf with a flat top is a Tuesday.")
      #expect(saved?["fact_type"] == "other" && saved?["evidence_text"] == .null)
      #expect(saved?["confidence"]?.doubleValue == 1)
      #expect(await server.kinds().count == before)
    }
  }

  @Test func deleteIsSoftAndNeedsABody() async throws {
    try await withServer { _, client, _ in
      let list = try await client.get(
        "/api/memory/facts?guildId=\(Cast.bakery.id)&subject=__lore__"
      ).json
      let facts = try #require(list["facts"]?.arrayValue)
      let path = "/api/memory/facts/\(try #require(facts[0]["id"]).text)"
      #expect(
        try await client.json("DELETE", path, [:]).text
          == #"{"ok":false,"error":"guildId required"}"#)
      #expect(
        try await client.json("DELETE", path, ["guildId": guild]).text
          == #"{"ok":true,"deleted":1}"#)
      #expect(try await client.json("DELETE", path, ["guildId": guild]).status == 404)
      // The unique index still covers the hidden row.
      let other = "/api/memory/facts/\(try #require(facts[1]["id"]).text)"
      let clash = try await client.json("PUT", other, edit(["fact": facts[0]["fact"] ?? .null]))
      #expect(clash.status == 500)
    }
  }

  @Test func searchFindsGuildFactsOnly() async throws {
    try await withServer { _, client, _ in
      let path = "/api/memory/search?guildId=\(Cast.ridge.id)&q="
      let hits = try await client.get(path + "saddle+turnaround&limit=abc").json
      #expect(hits["limit"] == .null)
      let rows = try #require(hits["results"]?.arrayValue)
      #expect(!rows.isEmpty)
      for row in rows {
        #expect(row["scope"] == "guild" && row["fact_type"] != nil)
        #expect((row["semanticScore"]?.doubleValue ?? 0) > 0 && row["lexicalScore"] != nil)
      }
      #expect(try await client.get(path + "rope").json["results"]?.arrayValue?.isEmpty == true)
      #expect(
        try await client.get(path + "__ALL__").json["results"]?.arrayValue?.count == 4)
      let runs = try await client.get("/api/memory/reflections").text
      #expect(runs == #"{"guildId":null,"runs":[]}"#)
    }
  }

  @Test func marchHasReflections() async throws {
    let options = DemoOptions(rate: 20, token: "secret", dialect: .march, history: 10)
    try await withServer(options) { server, client, clock in
      await server.advance(clock, seconds: 40)
      let runs = try await client.get("/api/memory/reflections").json["runs"]?.arrayValue ?? []
      #expect(!runs.isEmpty)
      #expect(runs.last?["status"]?.stringValue != "running")
    }
  }

  @Test func replayStopsAtFiveHundred() async throws {
    try await withServer(DemoOptions(scenario: .quiet, token: "secret")) { _, client, _ in
      let sessions = try await client.get("/api/voice/history/sessions").json.arrayValue ?? []
      #expect(sessions.count == 6)
      var counts: [Int] = []
      for session in sessions {
        let path = "/api/voice/history/sessions/\(session.field("sessionId"))/events"
        counts.append(try await client.get(path).json.arrayValue?.count ?? 0)
      }
      #expect(counts.max() == 500 && counts.allSatisfy { $0 > 5 })
      #expect(try await client.get("/api/voice/history/sessions/none/events").text == "[]")
    }
  }
}
