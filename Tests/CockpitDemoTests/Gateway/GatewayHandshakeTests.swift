import Foundation
import Testing

@testable import CockpitDemo

@Suite("gateway handshake", .timeLimit(.minutes(2))) struct GatewayHandshakeTests {
  private static let id = "56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c"

  @Test(
    "the contract's signatures verify, and no other",
    arguments: [
      (
        "v3|ID|gateway-client|ui|operator|operator.approvals,operator.read,operator.write|1737264000000|demo-token|nonce-0001|linux|terminal",
        "4oJl99aM5toy8MsugDuH1IX5TnPgxibXHGLmjhZihHmEF1PfAmKB7hXU5uHcqHb-U989xhWmWc9wNIaQngIIDQ"
      ),
      (
        "v3|ID|gateway-client|ui|operator||1790000000123||n|with|bars|macos|",
        "AmIiwTmCWiC9XHCwXeEEyxhG8c-lR5eDp3E2_ao1YIrYT8EYHSfXTtVz3eGAL1vwuCD59c5fhHQcuyy2zhG7DQ"
      ),
      (
        "v2|ID|gateway-client|ui|operator|operator.approvals,operator.read,operator.write|1737264000000|demo-token|nonce-0001",
        "LcK3zJuwEJjgn0JltjfXJPhusREm3yR0NWtcCLIC8PCr5VAK68cEUCAYrUtI0Xyt_Xqkdl2lCI6kxxJ0Nt1PCA"
      ),
    ])
  func vectors(text: String, signature: String) throws {
    let key = try #require(ByteText.decodedURL("A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg"))
    #expect(ByteText.hex(DeviceSignature.sha256(key)) == Self.id)
    let text = text.replacing("ID", with: Self.id)
    let bytes = try #require(ByteText.decodedURL(signature))
    #expect(bytes.count == 64 && ByteText.url(bytes) == signature)
    #expect(DeviceSignature.isValid(bytes, over: text, key: key))
    #expect(!DeviceSignature.isValid(bytes, over: text + " ", key: key))
    var other = bytes
    other[5] ^= 1
    #expect(!DeviceSignature.isValid(other, over: text, key: key))
  }

  @Test("platform and family are trimmed and made small before they are signed")
  func metadata() {
    let parts = SignedParts(
      deviceID: "d", clientID: "c", clientMode: "ui", role: "operator", scopes: ["a", "b"],
      signedAtMs: 5, token: "t", nonce: "n", platform: " Linux ", deviceFamily: "ÄTerminal")
    #expect(
      DeviceSignature.signedText(version: 3, parts)
        == "v3|d|c|ui|operator|a,b|5|t|n|linux|Äterminal")
  }

  @Test("a good connect", arguments: [3, 4])
  func good(version: Int) async throws {
    let gateway = try await TestGateway(version: version)
    let client = try await GatewayTestClient(gateway.server)
    #expect(client.challenge["ts"]?.doubleValue == Double(gateway.clock.nowMs))
    let answer = try await client.connect()
    let hello = try #require(answer["payload"])
    #expect(hello["type"] == "hello-ok" && hello["protocol"] == .int(version))
    #expect(hello["auth"]?["scopes"]?.arrayValue?.count == 5)
    let deviceToken = try #require(hello["auth"]?["deviceToken"]?.stringValue)
    #expect(hello["policy"]?["tickIntervalMs"] == 30_000)
    #expect(hello["snapshot"]?["presence"]?.arrayValue?.count == 3)
    // The device token is as good as the shared one, for these scopes or fewer.
    let again = try await GatewayTestClient(gateway.server)
    let second = try await again.call(
      "connect",
      again.parameters(
        TestDevice(), token: deviceToken, scopes: ["operator.read"], kind: "deviceToken"))
    #expect(second["ok"] == true)
    let scopes = second["payload"]?["auth"]?["scopes"]?.arrayValue ?? []
    #expect(scopes.count == (version == 4 ? 1 : 5))
    await gateway.server.stop()
  }

  /// What a bad connect is refused with: changes of the parameters, code, close, beginning of the message.
  struct Bad: Sendable, CustomTestStringConvertible {
    var name: String
    var code: String?
    var close: UInt16 = 1008
    var words: String
    var version = 4
    var change: @Sendable (DemoJSON) -> DemoJSON
    var testDescription: String { "\(name), protocol \(version)" }
  }

  static let bad: [Bad] = [
    Bad(
      name: "wrong token", code: "AUTH_TOKEN_MISMATCH",
      words: "unauthorized: gateway token mismatch"
    ) { $0.setting("auth", ["token": "wrong"]).removing(["device"]) },
    Bad(
      name: "no token", code: "AUTH_TOKEN_MISSING", words: "unauthorized: gateway token missing"
    ) { $0.removing(["auth", "device"]) },
    Bad(
      name: "another text signed", code: "DEVICE_AUTH_SIGNATURE_INVALID",
      words: "device signature invalid"
    ) { $0.setting("scopes", ["operator.admin"]) },
    Bad(
      name: "old nonce", code: "DEVICE_AUTH_NONCE_MISMATCH", words: "device nonce mismatch"
    ) { with($0, "device", "nonce", "2d9b6f6e-0000-4000-8000-000000000000") },
    Bad(
      name: "old signature", code: "DEVICE_AUTH_SIGNATURE_EXPIRED",
      words: "device signature expired"
    ) { with($0, "device", "signedAt", .int(1_778_349_600_000 - 120_001)) },
    Bad(
      name: "another device's id", code: "DEVICE_AUTH_DEVICE_ID_MISMATCH",
      words: "device identity mismatch"
    ) { with($0, "device", "id", .string(id)) },
    Bad(
      name: "unknown field",
      words: "invalid connect params: at /client: unexpected property 'vendor'"
    ) { with($0, "client", "vendor", "x") },
    Bad(
      name: "unknown field", words: "invalid connect params: at root: unexpected property 'foo'",
      version: 3
    ) { $0.setting("foo", 1) },
    Bad(
      name: "missing field",
      words: "invalid connect params: at /device: must have required property 'nonce'"
    ) { json in json.setting("device", (json["device"] ?? [:]).removing(["nonce"])) },
    Bad(
      name: "bad mode",
      words: "invalid connect params: at /client/mode: must be equal to one of the allowed values"
    ) { with($0, "client", "mode", "cockpit") },
    Bad(
      name: "bad mode",
      words: "invalid connect params: at /client/mode: must be equal to constant; at /client/mode",
      version: 3
    ) { with($0, "client", "mode", "cockpit") },
    Bad(
      name: "too old", code: "PROTOCOL_MISMATCH", close: 1002, words: "protocol mismatch"
    ) { $0.setting("maxProtocol", 3) },
    Bad(name: "too new", close: 1002, words: "protocol mismatch", version: 3) {
      $0.setting("minProtocol", 4)
    },
  ]

  private static func with(
    _ json: DemoJSON, _ outer: String, _ key: String, _ value: DemoJSON
  ) -> DemoJSON {
    json.setting(outer, (json[outer] ?? [:]).setting(key, value))
  }

  @Test("a bad connect is refused as by the real gateway", arguments: bad)
  func refused(bad: Bad) async throws {
    let gateway = try await TestGateway(version: bad.version)
    let client = try await GatewayTestClient(gateway.server)
    let answer = try await client.call(
      "connect", bad.change(client.parameters(TestDevice(), token: "secret")))
    #expect(answer["ok"] == false)
    let error = try #require(answer["error"])
    #expect(error["code"] == "INVALID_REQUEST")
    #expect(error["message"]?.stringValue?.hasPrefix(bad.words) == true, "\(error.text)")
    #expect(error["details"]?["code"]?.stringValue == bad.code)
    let (code, reason) = try await client.close()
    #expect(code == bad.close && error["message"]?.stringValue?.hasPrefix(reason) == true)
    await gateway.server.stop()
  }

  @Test("what comes before connect")
  func before() async throws {
    let gateway = try await TestGateway()
    let other = try await GatewayTestClient(gateway.server)
    let answer = try await other.call("health")
    #expect(
      answer["error"]?["message"] == "invalid handshake: first request must be connect")
    #expect(try await other.close().0 == 1008)
    let words = try await GatewayTestClient(gateway.server)
    try await words.write(0x81, Array("hello".utf8))
    #expect(try await words.close().0 == 1000)
    let large = try await GatewayTestClient(gateway.server)
    try await large.write(0x81, [UInt8](repeating: 0x20, count: 70_000))
    #expect(try await large.close().0 == 1009)
    let bare = try await GatewayTestClient(gateway.server)
    try await bare.write(0x81, Array("{}".utf8), isMasked: false)
    #expect(try await bare.close().0 == 1002)
    let idle = try await GatewayTestClient(gateway.server)
    await gateway.advance(15_001)
    #expect(try await idle.close().0 == 1000)
    await gateway.server.stop()
  }

  @Test("without an identity there are no scopes", arguments: [3, 4])
  func anonymous(version: Int) async throws {
    let gateway = try await TestGateway(version: version)
    let client = try await GatewayTestClient(gateway.server)
    let params = client.parameters(TestDevice(), token: "secret").removing(["device"])
    let hello = try #require(try await client.call("connect", params)["payload"])
    if version == 4 {
      #expect(hello["auth"]?["scopes"] == [])
    } else {
      #expect(hello["auth"] == nil)
    }
    let error = try await client.call("health")["error"]
    #expect(error?["message"] == "missing scope: operator.read")
    #expect(error?["code"]?.stringValue == (version == 4 ? "FORBIDDEN" : "INVALID_REQUEST"))
    await gateway.server.stop()
  }

  @Test("a device token does not allow more than it was made for")
  func tokenScopes() async throws {
    let gateway = try await TestGateway()
    let first = try await GatewayTestClient(gateway.server)
    let hello = try await first.connect(scopes: ["operator.read"])
    let token = try #require(hello["payload"]?["auth"]?["deviceToken"]?.stringValue)
    let more = try await GatewayTestClient(gateway.server)
    let params = more.parameters(TestDevice(), token: token, kind: "deviceToken")
    let error = try await more.call("connect", params)["error"]
    #expect(error?["details"]?["code"] == "AUTH_SCOPE_MISMATCH")
    let other = try await GatewayTestClient(gateway.server)
    let wrong = other.parameters(TestDevice(), token: "dt_wrong", kind: "deviceToken")
    let refusal = try await other.call("connect", wrong)["error"]
    #expect(refusal?["details"]?["code"] == "AUTH_DEVICE_TOKEN_MISMATCH")
    await gateway.server.stop()
  }

  @Test("closed parameters, missing scopes, repeated refusals")
  func requests() async throws {
    let gateway = try await TestGateway()
    let client = try await gateway.client(scopes: ["operator.read"])
    let cases: [(String, DemoJSON, String)] = [
      ("no.such", [:], "unknown method: no.such"),
      (
        "chat.history", ["sessionKey": "agent:heron:main", "bogus": 1],
        "invalid chat.history params: at root: unexpected property 'bogus'"
      ),
      ("sessions.list", ["limit": "x"], "invalid sessions.list params: at /limit: must be integer"),
      ("usage.cost", ["days": 2], "Multiple agents are configured, but this Gateway request"),
      ("chat.history", ["sessionKey": "main"], "Multiple agents are configured, but session key"),
    ]
    for (method, params, words) in cases {
      let error = try await client.call(method, params)["error"]
      #expect(error?["message"]?.stringValue?.hasPrefix(words) == true, "\(error?.text ?? "ok")")
    }
    for _ in 0..<3 {
      let error = try await client.call("wake", ["mode": "now", "text": "x"])["error"]
      #expect(error?["details"]?["missingScope"] == "operator.write")
    }
    _ = try await client.call("wake", ["mode": "now", "text": "x"])
    let (code, reason) = try await client.close()
    #expect(code == 1008 && reason == "repeated unauthorized calls")
    await gateway.server.stop()
  }

  @Test("probes need no credentials, the list of models does")
  func probes() async throws {
    let gateway = try await TestGateway()
    var client = TestClient(port: gateway.server.port, token: nil)
    #expect(try await client.get("/healthz").json == ["ok": true, "status": "live"])
    #expect(try await client.get("/readyz").json["ready"] == true)
    #expect(try await client.get("/startupz").status == 200)
    #expect(try await client.get("/v1/models").status == 401)
    let good = try await client.get("/v1/models", headers: ["Authorization": "Bearer secret"])
    #expect(try good.json["data"]?.arrayValue?.count == 5)
    #expect(try await client.get("/__demo/truth").status == 404)
    client.token = nil
    await gateway.server.stop()
  }
}
