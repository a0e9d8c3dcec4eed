import Testing

@testable import CockpitDemo

/// Settings, sign-ins and the erasing of memory (contract 3.5).
@Suite struct SettingsTests {
  @Test func savingNeedsTheCurrentVersion() async throws {
    try await withServer(DemoOptions(token: "secret")) { server, client, clock in
      await server.advance(clock, seconds: 3)
      let read = try await client.get("/api/settings")
      #expect(read.header("Cache-Control") == "no-store")
      let first = try read.json
      #expect(first["effective"]?["voice"]?["soundboard"]?["enabled"] == true)
      #expect(first["effective"]?["voice"]?["sessionLimits"]?["maxSessionMinutes"] == 60)
      #expect(first["bindings"]?["providerAuth"]?["claude_oauth"] == true)
      let version = try #require(first["_meta"]?["updatedAt"])
      var body = try #require(first["intent"])
      let missing = try await client.json("PUT", "/api/settings", body)
      #expect(missing.status == 409)
      #expect(try missing.json.field("error") == "settings_version_required")
      let whole = try missing.json
      #expect(whole["effective"] != nil)

      body = body.setting("persona", ["flavor": "kettle"])
        .setting("_meta", ["expectedUpdatedAt": version])
      let saved = try await client.json("PUT", "/api/settings", body)
      #expect(saved.status == 200)
      #expect(try saved.json["_meta"]?["saveAppliedToRuntime"] == true)
      #expect(try saved.json["effective"]?["persona"]?["flavor"]?.stringValue == "kettle")
      let stale = try await client.json("PUT", "/api/settings", body)
      #expect(stale.status == 409)
      #expect(try stale.json.field("error") == "settings_conflict")
      #expect(try stale.json.field("detail").isEmpty == false)

      #expect(try await client.get("/api/voice/state").json["activeCount"] == 1)
      let off = body.setting("voice", ["enabled": false]).setting(
        "_meta", ["expectedUpdatedAt": try saved.json["_meta"]?["updatedAt"] ?? .null])
      #expect(try await client.json("PUT", "/api/settings", off).status == 200)
      #expect(try await client.get("/api/voice/state").json["activeCount"] == 0)
      let end = try await client.get("/api/actions?kinds=voice_session_end&limit=1").json
      #expect(end.arrayValue?.first?["content"]?.stringValue == "settings_disabled")
    }
  }

  @Test func previewsSaveNothing() async throws {
    try await withServer { _, client, _ in
      let before = try await client.get("/api/settings").text
      let preset = try await client.json(
        "POST", "/api/settings/preset-defaults", ["preset": "grok_native_agent"]
      ).json
      let stack = preset["effective"]?["agentStack"]
      #expect(stack?["preset"]?.stringValue == "grok_native_agent")
      #expect(
        stack?["runtimeConfig"]?["voice"]?["runtimeMode"]?.stringValue == "voice_agent")
      let reset = try await client.json("POST", "/api/settings/reset", [:]).json
      #expect(reset["intent"]?["persona"] == nil)
      // What is permitted where survives.
      #expect(reset["intent"]?["permissions"]?["replies"]?["maxMessagesPerHour"] == 60)
      #expect(reset["_meta"]?.field("updatedAt") == "")
      #expect(try await client.get("/api/settings").text == before)
      let refresh = try await client.json("POST", "/api/settings/refresh", [:]).json
      #expect(refresh["activeVoiceSessions"] == 0)
    }
  }

  @Test func signIn() async throws {
    try await withServer { _, client, _ in
      let open = try await client.json("POST", "/api/oauth/openai/initiate", [:]).json
      #expect(open.field("url").contains(open.field("state")))
      let claude = try await client.json("POST", "/api/oauth/claude/initiate", [:]).json
      let key = claude.field("sessionKey")
      func complete(_ code: String, _ key: String) async throws -> Int {
        try await client.json(
          "POST", "/api/oauth/claude/complete",
          ["code": .string(code), "sessionKey": .string(key)]
        ).status
      }
      #expect(try await complete("", key) == 400)
      #expect(try await complete("abc", "nope") == 400)
      #expect(try await complete("abc", key) == 502)
      #expect(try await complete("abc#" + key, key) == 200)
      #expect(try await complete("abc#" + key, key) == 400)
    }
    let march = DemoOptions(scenario: .quiet, token: "secret", dialect: .march)
    try await withServer(march) { _, client, _ in
      let initiate = try await client.json("POST", "/api/oauth/claude/initiate", [:])
      let install = try await client.json("POST", "/api/swarm-mcp-skill-install", [:])
      #expect([initiate.status, install.status] == [404, 404])
    }
  }

  @Test func skillInstall() async throws {
    try await withServer { _, client, _ in
      func install(_ body: DemoJSON) async throws -> TestClient.Response {
        try await client.json("POST", "/api/swarm-mcp-skill-install", body)
      }
      #expect(try await install(["scope": "moon"]).status == 400)
      #expect(try await install(["scope": "workspace"]).status == 400)
      #expect(try await install(["scope": "workspace", "workspaceRoot": "/etc"]).status == 500)
      #expect(try await install(["scope": "user"]).json["created"]?.arrayValue?.count == 1)
      #expect(try await install(["scope": "user"]).json["skipped"]?.arrayValue?.count == 1)
      let status = try await client.get("/api/swarm-mcp-skill-status").json
      #expect(status["userInstalled"] == true)
    }
  }

  @Test func purgeCountsWhatItErases() async throws {
    try await withServer(DemoOptions(token: "secret")) { server, client, clock in
      await server.advance(clock, seconds: 30)
      let guild = DemoJSON.string(Cast.ridge.id)
      let markdown = try await client.get("/api/memory?guildId=\(Cast.ridge.id)").json
      #expect(markdown.field("markdown").contains("- \(Cast.nadia.id): "))
      let wrong = try await client.json(
        "DELETE", "/api/memory/guild", ["guildId": guild, "confirmGuildName": "x"])
      #expect(try wrong.json.field("expectedGuildName") == Cast.ridge.name)
      let body: DemoJSON = [
        "guildId": guild, "confirmGuildName": .string("  \(Cast.ridge.name) "),
      ]
      let done = try await client.json("DELETE", "/api/memory/guild", body).json
      #expect((done["deleted"]?["conversationMessages"]?.doubleValue ?? 0) > 5)
      #expect((done["deleted"]?["durableFacts"]?.doubleValue ?? 0) > 2)
      let again = try await client.json("DELETE", "/api/memory/guild", body).json
      #expect(again["deleted"]?["durableFacts"] == 0)
    }
  }

  @Test func marchWritesItsOwnShapes() async throws {
    for dialect in DemoDialect.allCases {
      let options = DemoOptions(rate: 8, token: "secret", dialect: dialect, history: 0)
      try await withServer(options) { server, client, clock in
        await server.advance(clock, seconds: 20)
        let path = "/api/actions?kinds=code_agent_call,sent_reply&limit=1000"
        let rows = try await client.get(path).json.arrayValue ?? []
        let march = dialect == .march
        let code = try #require(rows.last { $0.field("kind") == "code_agent_call" })
        #expect((code["metadata"]?["durationMs"] != nil) == march)
        #expect((code["metadata"]?["taskId"] != nil) == !march)
        #expect(((code["usd_cost"]?.doubleValue ?? 0) > 0) == march)
        let reply = try #require(rows.first { $0.field("kind") == "sent_reply" })
        #expect((reply["metadata"]?["video"]?["mode"] != nil) == !march)
      }
    }
  }
}
