import Testing

@testable import CockpitDemo

/// Share links and the ingest route (contract 1.2, 1.6, 3.5).
@Suite struct FrameTests {
  static let frame: DemoJSON = ["mimeType": "image/png", "dataBase64": "aGVsbG8gd29ybGQh"]

  @Test func shareLinkFromStartToStop() async throws {
    try await withServer(DemoOptions(token: "secret")) { server, client, clock in
      let ask: DemoJSON = [
        "guildId": .string(Cast.ridge.id), "channelId": .string(Cast.ridge.channels[0].id),
        "requesterUserId": .string(Cast.nadia.id),
      ]
      let early = try await client.json("POST", "/api/voice/share-session", ask)
      #expect(early.status == 400)
      #expect(try early.json.field("reason") == "stream_watch_unavailable")
      await server.advance(clock, seconds: 4)
      let made = try await client.json("POST", "/api/voice/share-session", ask).json
      let token = made.field("token")
      #expect(made["ok"] == true && token.count >= 16 && made["reused"] == nil)
      #expect(made.field("shareUrl").hasSuffix("/share/" + token))
      #expect(made["expiresInMinutes"] == 12)
      #expect(made.field("targetUserId") == Cast.nadia.id)
      let again = try await client.json("POST", "/api/voice/share-session", ask).json
      #expect(again.field("token") == token && again["reused"] == true)

      // The path token is the credential.
      var stranger = client
      stranger.token = nil
      let path = "/api/voice/share-session/\(token)"
      let sent = try await stranger.json("POST", path + "/frame", Self.frame)
      #expect(try sent.json["accepted"] == true)
      #expect(try await stranger.json("POST", path + "/frame", [:]).status == 400)
      let unknown = try await stranger.json(
        "POST", "/api/voice/share-session/0123456789abcdef/frame", Self.frame)
      #expect(try unknown.json.field("reason") == "share_session_not_found")
      #expect(
        try await stranger.json("POST", "/api/voice/share-session/short/frame", [:]).status == 401)

      let runtime = try await client.get("/api/stats").json["runtime"]
      #expect(runtime?["screenShare"]?["activeCount"] == 1)
      let watch = runtime?["voice"]?["sessions"]?.arrayValue?.first?["streamWatch"]
      #expect(watch?["latestFrameMimeType"]?.stringValue == "image/png")
      #expect(watch?["latestFrameApproxBytes"] == 12)
      #expect(
        try await stranger.json("POST", path + "/stop", ["reason": "done"]).json["ok"] == true)
      let stopped = try await stranger.json("POST", path + "/stop", [:]).json
      #expect(stopped["ok"] == false)
      #expect(try await stranger.get("/share/" + token).status == 200)
      await server.inject(.tunnelStatus("error"))
      let noLink = try await client.json("POST", "/api/voice/share-session", ask)
      #expect(try noLink.json.field("reason") == "share_link_unavailable")
    }
    let closed = DemoOptions(scenario: .quiet, token: "secret", publicHTTPS: false)
    try await withServer(closed) { _, client, _ in
      let reply = try await client.json("POST", "/api/voice/share-session", [:])
      #expect(reply.status == 503)
    }
  }

  @Test func ingestCredentials() async throws {
    let path = "/api/voice/stream-ingest/frame"
    func reason(_ options: DemoOptions, _ headers: [String: String] = [:]) async throws -> String {
      var result = ""
      try await withServer(options) { _, client, _ in
        var stranger = client
        stranger.token = nil
        var headers = headers
        headers["Content-Type"] = "application/json"
        let reply = try await stranger.send("POST", path, headers: headers, body: Array("{}".utf8))
        result = "\(reply.status) " + (try reply.json.field("reason"))
      }
      return result
    }
    let plain = DemoOptions(scenario: .quiet, token: "secret")
    let open = DemoOptions(scenario: .quiet, token: "secret", publicToken: "public")
    let none = DemoOptions(scenario: .quiet, token: "")
    #expect(try await reason(plain) == "401 unauthorized_dashboard_token")
    #expect(try await reason(plain, ["x-dashboard-token": "secret"]) == "400 guild_id_required")
    #expect(try await reason(open) == "401 unauthorized_public_api_token")
    #expect(try await reason(open, ["x-public-api-token": "public"]) == "400 guild_id_required")
    #expect(try await reason(none) == "503 dashboard_or_public_api_token_required")
    // The public token opens nothing else.
    try await withServer(open) { _, client, _ in
      var stranger = client
      stranger.token = nil
      let reply = try await stranger.get("/api/health", headers: ["x-public-api-token": "public"])
      #expect(reply.status == 401)
    }
  }

  @Test func ingestLimits() async throws {
    try await withServer { _, client, clock in
      let path = "/api/voice/stream-ingest/frame"
      let big = try await client.send(
        "POST", path, headers: ["Content-Type": "application/json"],
        body: [UInt8](repeating: 32, count: 6_000_001))
      #expect(big.status == 413)
      #expect(big.text == #"{"accepted":false,"reason":"payload_too_large"}"#)
      let body: DemoJSON = ["guildId": .string(Cast.ridge.id), "dataBase64": "AAAA"]
      let idle = try await client.json("POST", path, body)
      #expect(idle.status == 200)
      #expect(idle.text == #"{"accepted":false,"reason":"session_not_found"}"#)
      clock.advance(byMs: 60_000)
    }
    var limit = IngestLimit()
    var admitted: [Bool] = []
    for _ in 0..<IngestLimit.requests { admitted.append(limit.admits("a", now: 5)) }
    #expect(!admitted.contains(false))
    admitted = [
      limit.admits("a", now: 59_000), limit.admits("b", now: 59_000),
      limit.admits("a", now: 60_005),
    ]
    #expect(admitted == [false, true, true])
    for index in 0..<5000 { _ = limit.admits("x\(index)", now: 60_100) }
  }

  @Test func ingestAnswers429() async throws {
    try await withServer { _, client, _ in
      let path = "/api/voice/share-session/0123456789abcdef/frame"
      var last = 0
      for _ in 0...IngestLimit.requests { last = try await client.json("POST", path, [:]).status }
      #expect(last == 429)
      let other = try await client.send(
        "POST", path,
        headers: ["Content-Type": "application/json", "cf-connecting-ip": "203.0.113.9"],
        body: Array("{}".utf8))
      #expect(other.status == 200)
    }
  }
}
