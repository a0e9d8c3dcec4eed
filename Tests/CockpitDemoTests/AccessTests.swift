import Testing

@testable import CockpitDemo

@Suite struct AccessTests {
  @Test func tokenRules() async throws {
    try await withServer { server, client, _ in
      #expect(try await client.get("/api/health").text == #"{"ok":true}"#)
      var wrong = client
      wrong.token = "nope"
      let refused = try await wrong.get("/api/stats?token=secret")
      #expect(refused.status == 401)
      #expect(refused.text == #"{"error":"Unauthorized. Provide x-dashboard-token."}"#)
      wrong.token = nil
      #expect(try await wrong.get("/api/activity/events").status == 401)
      #expect(await server.log().map(\.status) == [200, 401, 401])
    }
  }

  @Test func tunnelHidesEverything() async throws {
    let options = DemoOptions(scenario: .quiet, token: "secret", tunnelHost: "calm.example.test")
    try await withServer(options) { _, client, _ in
      var wrong = client
      wrong.token = "nope"
      for headers in [["X-Forwarded-Host": "Calm.Example.Test."], ["Host": "calm.example.test"]] {
        let hidden = try await wrong.get("/api/health", headers: headers)
        #expect(hidden.status == 404)
        #expect(hidden.text == #"{"error":"Not found."}"#)
        #expect(try await client.get("/api/health", headers: headers).status == 200)
        #expect(try await client.get("/api/auth/session", headers: headers).status == 404)
      }
    }
  }

  @Test func withoutToken() async throws {
    let open = DemoOptions(scenario: .quiet, token: "", publicHTTPS: false)
    try await withServer(open) { server, _, _ in
      let client = TestClient(server, token: nil)
      #expect(try await client.get("/api/health").status == 200)
      let session = try await client.get("/api/auth/session").json
      #expect(session["authMethod"]?.stringValue == "open_local")
      #expect(try await client.get("/api/public-https").text == "null")
    }
    let blocked = DemoOptions(scenario: .quiet, token: "", publicHTTPS: true)
    try await withServer(blocked) { server, _, _ in
      let client = TestClient(server, token: nil)
      let reply = try await client.get("/api/health")
      #expect(reply.status == 503)
      #expect(reply.text == #"{"error":"dashboard_token_required_when_public_https_enabled"}"#)
    }
  }

  @Test func sessionCookie() async throws {
    try await withServer { server, client, _ in
      var anonymous = client
      anonymous.token = nil
      #expect(try await anonymous.json("POST", "/api/auth/session", ["token": "no"]).status == 401)
      let signedIn = try await anonymous.json("POST", "/api/auth/session", ["token": "secret"])
      #expect(signedIn.header("Cache-Control") == "no-store")
      let cookie = try #require(signedIn.header("Set-Cookie")).prefix { $0 != ";" }
      let headers = ["Cookie": String(cookie)]
      #expect(try await anonymous.get("/api/health", headers: headers).status == 200)
      let state = try await anonymous.get("/api/auth/session", headers: headers).json
      #expect(state["authMethod"]?.stringValue == "session")
      await server.inject(.rotateToken("other"))
      #expect(try await anonymous.get("/api/health", headers: headers).status == 401)
      #expect(try await client.get("/api/health").status == 401)
    }
  }

  @Test func bodiesAndUnknownPaths() async throws {
    try await withServer { _, client, _ in
      let unknown = try await client.get("/api/no-such-endpoint")
      #expect(unknown.status == 404)
      #expect(unknown.text == "Not found.")
      #expect(unknown.header("Content-Type") == "text/plain; charset=UTF-8")
      let post = try await client.json("POST", "/api/voice/leave", [:])
      #expect(post.status == 404)
      #expect(post.text == #"{"error":"Not found."}"#)
      let broken = try await client.send(
        "POST", "/api/voice/join", headers: ["Content-Type": "application/json"],
        body: Array("{\"guildId\": ".utf8))
      #expect(broken.status == 400)
      #expect(broken.text == #"{"error":"invalid_json_body"}"#)
      // Without the content type the body does not exist.
      let ignored = try await client.send(
        "POST", "/api/memory/runtime-snapshot", body: Array(#"{"guildId":"1"}"#.utf8))
      #expect(ignored.text == #"{"ok":false,"error":"guildId required"}"#)
      let huge = try await client.send(
        "POST", "/api/voice/join", headers: ["Content-Type": "application/json"],
        body: [UInt8](repeating: 32, count: (7 << 20) + 1))
      #expect(huge.status == 413)
      #expect(huge.text == #"{"error":"payload_too_large"}"#)
      let head = try await client.send("HEAD", "/api/health")
      #expect(head.status == 200 && head.body.isEmpty)
    }
  }

  @Test func limitsAreClamped() async throws {
    try await withServer { _, client, _ in
      func count(_ query: String) async throws -> Int? {
        try await client.get("/api/actions" + query).json.arrayValue?.count
      }
      #expect(try await count("") == 200)
      #expect(try await count("?limit=") == 1)
      #expect(try await count("?limit=-4") == 1)
      #expect(try await count("?limit=7.9") == 7)
      #expect(try await count("?limit=abc") == 200)
      #expect(try await count("?limit=99999") ?? 0 > 400)
      #expect(try await count("?kinds=no_such_kind") == 0)
      #expect(
        try await client.get("/api/memory/facts").text
          == #"{"guildId":"","facts":[],"limit":120,"queryText":""}"#)
      #expect(try await client.get("/api/automations").status == 400)
      let guild = Cast.ridge.id
      let search = try await client.get("/api/memory/search?guildId=\(guild)").json
      #expect(search["limit"] == 0)
    }
  }
}
